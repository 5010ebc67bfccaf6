"""Where shipments are and when they arrive."""
