"""Service characters of syntax level C, and escaping."""

ELEMENT = "+"
TERMINATOR = "'"
RELEASE = "?"


def escape(value):
    return "".join(RELEASE + mark if mark in (ELEMENT, TERMINATOR, RELEASE) else mark for mark in value)


def split_escaped(text, mark):
    """Splits at unescaped marks and leaves the escapes in place."""
    parts, current, skip = [], [], False
    for char in text:
        if skip:
            current.append(char)
            skip = False
        elif char == RELEASE:
            current.append(char)
            skip = True
        elif char == mark:
            parts.append("".join(current))
            current = []
        else:
            current.append(char)
    return [*parts, "".join(current)]


def unescape(value):
    plain, skip = [], False
    for char in value:
        if char == RELEASE and not skip:
            skip = True
            continue
        plain.append(char)
        skip = False
    return "".join(plain)
