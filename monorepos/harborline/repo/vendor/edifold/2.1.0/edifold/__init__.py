"""edifold 2.1: folds lists into EDIFACT messages and back.

Values pass unchanged: service characters are escaped with the release mark and
read back, small letters stay small.
"""

from .syntax import ELEMENT, TERMINATOR, escape, split_escaped, unescape

__version__ = "2.1.0"
__all__ = ["EdifoldError", "compose", "parse"]


class EdifoldError(ValueError):
    pass


def compose(segments):
    """Every segment on one line. Empty elements at the end are dropped."""
    folded = []
    for tag, *elements in segments:
        if len(tag) != 3 or not tag.isalnum():
            raise EdifoldError(f"not a segment tag: {tag!r}")
        values = [escape(str(element)) for element in elements]
        while values and not values[-1]:
            values.pop()
        folded.append(ELEMENT.join([tag.upper(), *values]) + TERMINATOR)
    return "".join(folded)


def parse(message):
    """Tuples of tag and elements. A message must end in its segment mark."""
    flat = message.replace("\r", "").replace("\n", "")
    *complete, rest = split_escaped(flat, TERMINATOR)
    if rest.strip():
        raise EdifoldError(f"last segment is cut off: {rest.strip()[:20]!r}")
    segments = []
    for raw in complete:
        tag, *elements = split_escaped(raw.strip(), ELEMENT)
        if not tag:
            raise EdifoldError("a segment without a tag")
        segments.append((tag, *map(unescape, elements)))
    return segments
