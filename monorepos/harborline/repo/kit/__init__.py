"""The pieces every Harborline service builds on."""
