"""Small shared functions without state. Import from the module, not from here."""
