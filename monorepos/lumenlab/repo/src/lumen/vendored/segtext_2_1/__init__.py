"""segtext 2.1 - segment messages as used by laboratory instruments.

Changes since 1.4: escapes (\\F\\ for "|", \\S\\ for "^", \\E\\ for "\\") are
read and written; blanks inside fields are kept; an empty field is None and a
field of two quotes is the explicit empty text; segment names are checked, not
upper-cased; composed messages drop empty fields at the end of a segment.
"""

import re

__version__ = "2.1"

_NAME = re.compile(r"[A-Z][A-Z0-9]{0,2}$")
_ESCAPES = {"F": "|", "S": "^", "E": "\\"}
_READ = re.compile(r"\\([FSE])\\")
_WRITTEN = re.compile(r"[|^\\]")


class SegmentError(ValueError):
    """The text is not a segment message."""


def _plain(raw):
    if raw == "":
        return None
    if raw == '""':
        return ""
    return _READ.sub(lambda found: _ESCAPES[found[1]], raw)


def _escaped(value):
    if value is None:
        return ""
    if value == "":
        return '""'
    names = {char: name for name, char in _ESCAPES.items()}
    return _WRITTEN.sub(lambda found: "\\%s\\" % names[found[0]], str(value))


def parse(text):
    """Segments of a message as lists of fields; item 0 is the name.

    A field with components is a tuple, so that an escaped "^" stays text.
    """
    segments = []
    for line in re.split(r"\r\n|\r|\n", text):
        if not line:
            continue
        name, *raw = line.split("|")
        if not _NAME.match(name):
            raise SegmentError("bad segment name: %r" % name)
        fields = [tuple(_plain(p) for p in f.split("^")) if "^" in f else _plain(f) for f in raw]
        segments.append([name] + fields)
    if not segments:
        raise SegmentError("empty message")
    return segments


def field(segment, number, default=None):
    """Field by number, or the default when it is missing or None."""
    if number < len(segment) and segment[number] is not None:
        return segment[number]
    return default


def components(value):
    """Parts of a field as a list, whether or not it had any."""
    return list(value) if isinstance(value, tuple) else [value]


def compose(segments):
    """Text of a message, lines ended by a carriage return."""
    lines = []
    for name, *fields in segments:
        cells = ["^".join(_escaped(p) for p in f) if isinstance(f, tuple) else _escaped(f) for f in fields]
        while cells and cells[-1] == "":
            cells.pop()
        lines.append("|".join([name] + cells) + "\r")
    return "".join(lines)
