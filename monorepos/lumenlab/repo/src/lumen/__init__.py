"""Laboratory information system of the Lumen diagnostics network."""
