"""Packages taken from elsewhere, one folder a version; see pins.env."""
