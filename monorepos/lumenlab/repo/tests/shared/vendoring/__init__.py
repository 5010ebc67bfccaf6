"""Tests of vendoring."""
