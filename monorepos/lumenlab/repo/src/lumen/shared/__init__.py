"""Pieces shared by all units; each has its store, its engine and one owner."""
