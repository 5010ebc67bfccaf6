"""Accession: orders of clinics become cases, tubes become specimens."""
