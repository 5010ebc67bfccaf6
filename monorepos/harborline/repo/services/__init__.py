"""One package per service team."""
