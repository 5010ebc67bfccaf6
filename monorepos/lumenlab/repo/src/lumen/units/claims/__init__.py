"""Claims: charges to insurers, their answers and payments."""
