"""Takes orders."""
