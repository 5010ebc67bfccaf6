"""Normalising and fitting of free text."""

import re
import unicodedata

_BLANKS = re.compile(r"\s+")


def squeeze(raw):
    """Collapse runs of white space to one blank; strip the ends."""
    return _BLANKS.sub(" ", raw or "").strip()


def fold(raw):
    """Form for comparison: no accents, no case, single blanks.

    Clinics type the same ward as "Med. 3", "MED. 3" and "Med.  3"; identity
    checks compare folded forms and keep the typed one for display.
    """
    decomposed = unicodedata.normalize("NFKD", raw or "")
    bare = "".join(ch for ch in decomposed if not unicodedata.combining(ch))
    return squeeze(bare).casefold()


def person_label(family, given):
    """Name as printed on tubes and letters: "FAMILY, Given"."""
    family, given = squeeze(family), squeeze(given)
    if not given:
        return family.upper()
    return f"{family.upper()}, {given}"


def clip(raw, width, mark="~"):
    """Shorten to `width`, at a word end where one is near.

    The mark shows that something was cut; it counts towards the width.
    """
    line = squeeze(raw)
    if len(line) <= width:
        return line
    body = line[: width - len(mark)]
    blank = body.rfind(" ")
    if blank >= width * 2 // 3:
        body = body[:blank]
    return body.rstrip() + mark


def mask(raw, keep=4, mark="*"):
    """Hide all but the last `keep` characters of an identifier."""
    line = squeeze(raw)
    if len(line) <= keep:
        return mark * len(line)
    return mark * (len(line) - keep) + line[-keep:]


def wrap(raw, width, indent=""):
    """Greedy line breaking; later lines are indented, long words kept whole."""
    lines, current = [], ""
    for word in squeeze(raw).split(" "):
        trial = f"{current} {word}" if current.strip() else f"{current}{word}"
        if len(trial) > width and current.strip():
            lines.append(current)
            current = indent + word
        else:
            current = trial
    if current.strip():
        lines.append(current)
    return lines
