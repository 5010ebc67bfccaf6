"""Reporting: letters to clinicians, and their delivery."""
