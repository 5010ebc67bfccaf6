"""What every other team stands on."""
