"""Root of the exception hierarchy.

Two branches matter to callers. A StoreFault means that a file of ours is
wrong and that nobody can work until it is mended; a RequestRefused means that
this one call may not go ahead and that the next may.
"""


class HarborlineError(Exception):
    """Base of everything this repository raises on purpose."""


class StoreFault(HarborlineError):
    """A settings, flag, pin, pool, role or rule file cannot be used."""


class RequestRefused(HarborlineError):
    """One call was turned down; state is as it was before the call."""
