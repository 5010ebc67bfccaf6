"""Tests of accession."""
