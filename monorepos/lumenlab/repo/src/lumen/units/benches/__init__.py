"""Benches: worklists, quality control, messages of the instruments."""
