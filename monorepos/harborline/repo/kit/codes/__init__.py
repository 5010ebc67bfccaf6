"""Shared enumerations, their codes on the wire and in storage."""
