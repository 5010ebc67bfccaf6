"""Knows the shelves."""
