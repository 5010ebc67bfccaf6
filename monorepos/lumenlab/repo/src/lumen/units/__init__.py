"""Service teams; units know each other through events and public functions."""
