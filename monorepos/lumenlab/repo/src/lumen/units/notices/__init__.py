"""Notices: findings that the law wants public-health authorities to know."""
