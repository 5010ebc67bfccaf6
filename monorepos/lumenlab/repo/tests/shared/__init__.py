"""Tests of the shared pieces."""
