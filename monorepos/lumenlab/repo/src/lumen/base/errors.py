"""Exception types of the code base.

Callers react in four ways, hence four types. A StoreError stops a deployment.
An InputError is returned to whoever sent the data. A Refused is a decision,
shown to the person who asked. An Unreachable is worth another attempt later.
"""


class LumenError(Exception):
    """Root of all errors raised on purpose."""


class StoreError(LumenError):
    """A store is malformed, or lacks the entry asked for."""


class InputError(LumenError):
    """Data from outside cannot be accepted.

    `field` names the offending column or segment where one is known.
    """

    def __init__(self, message, field=None):
        super().__init__(message)
        self.field = field


class Refused(LumenError):
    """A rule forbids the step: access, separation of duties, capacity, state.

    `rule` is a short stable word, fit for a metric label.
    """

    def __init__(self, message, rule):
        super().__init__(message)
        self.rule = rule


class Unreachable(LumenError):
    """An outside system gave no answer within the time allowed."""
