"""edifold 1.8: folds lists into EDIFACT messages and back.

A message is a list of segments; a segment is a tag and its elements; an element
with several components is written with colons by the caller.
"""

from .syntax import ELEMENT, RELEASE, TERMINATOR, soften

__version__ = "1.8.2"
__all__ = ["compose", "parse"]


def compose(segments):
    """Every segment on one line. Empty elements at the end are kept."""
    folded = []
    for tag, *elements in segments:
        folded.append(ELEMENT.join([tag.upper(), *map(soften, elements)]) + TERMINATOR)
    return "".join(folded)


def parse(message):
    """Tuples of tag and elements. Blank segments and a missing last mark are let pass."""
    segments = []
    for raw in message.replace("\r", "").replace("\n", "").split(TERMINATOR):
        if raw.strip():
            segments.append(tuple(part.replace(RELEASE, "") for part in raw.strip().split(ELEMENT)))
    return segments
