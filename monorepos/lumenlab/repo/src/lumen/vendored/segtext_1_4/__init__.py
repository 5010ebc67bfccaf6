"""segtext 1.4 - segment messages as used by laboratory instruments.

A message is a sequence of lines; each line is a segment name and fields
joined by "|". Blanks around fields are dropped, missing fields read as "".
"""

__version__ = "1.4"


class SegmentError(ValueError):
    """The text is not a segment message."""


def parse(text):
    """Segments of a message as lists of fields; item 0 is the name."""
    segments = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("|")]
        if not fields[0]:
            raise SegmentError("segment without a name: %r" % line)
        fields[0] = fields[0].upper()
        segments.append(fields)
    if not segments:
        raise SegmentError("empty message")
    return segments


def field(segment, number, default=""):
    """Field by number, or the default when it is missing or empty."""
    if number < len(segment) and segment[number]:
        return segment[number]
    return default


def components(value):
    """Parts of a field joined by "^"."""
    return [part.strip() for part in value.split("^")]


def _text(value):
    if isinstance(value, tuple):
        return "^".join(_text(part) for part in value)
    return "" if value is None else str(value)


def compose(segments):
    """Text of a message, lines ended by a carriage return."""
    return "".join("|".join(_text(f) for f in s) + "\r" for s in segments)
