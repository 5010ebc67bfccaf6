"""Who may do what: kit/access/roles.json and the authoriser."""

from kit.access.authoriser import (
    DEFAULT_STORE,
    AccessDenied,
    Authoriser,
    Circumstances,
    Decision,
    RoleFault,
)

__all__ = ["DEFAULT_STORE", "AccessDenied", "Authoriser", "Circumstances", "Decision", "RoleFault"]
