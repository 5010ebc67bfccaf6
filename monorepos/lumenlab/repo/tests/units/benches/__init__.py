"""Tests of benches."""
