"""Access: roles, grants, conditions, separation of duties."""

from lumen.shared.roles.authoriser import allowed, check, deeds, permissions_of, require, roles_of

__all__ = ["allowed", "check", "deeds", "permissions_of", "require", "roles_of"]
