"""Identifiers: check characters, accession numbers, keys of events."""

import hashlib
import re

from lumen.base.errors import InputError
from lumen.base.text import fold

# No I, O, S, Z: they are misread as 1, 0, 5, 2 on smudged tubes.
ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUVWXY"
_PLAIN = re.compile(r"[^a-z0-9]+")


def check_char(body):
    """Luhn check character over the 32-letter alphabet; hyphens are skipped."""
    size, factor, total = len(ALPHABET), 2, 0
    for ch in reversed(body.replace("-", "").upper()):
        if ch not in ALPHABET:
            raise InputError(f"{ch!r} cannot be part of an identifier")
        product = factor * ALPHABET.index(ch)
        total += product // size + product % size
        factor = 3 - factor
    return ALPHABET[-total % size]


def seal(body):
    """Append the check character."""
    return f"{body}-{check_char(body)}"


def is_sealed(token):
    """Is the last part of `token` its right check character?"""
    body, hyphen, check = token.upper().rpartition("-")
    if not hyphen or not body:
        return False
    try:
        return check_char(body) == check
    except InputError:
        return False


def accession_number(letter, day, serial):
    """Number of a case: letter of the site, day, serial of the day, check."""
    if not 0 < serial < 10000:
        raise InputError(f"serial out of range: {serial}")
    return seal(f"{letter}{day:%y%m%d}-{serial:04d}")


def slug(raw):
    """Lower-case words joined by hyphens, for file names and cohort names."""
    return _PLAIN.sub("-", fold(raw)).strip("-")


def event_key(topic, *parts, limit=64):
    """Key under which an event is known; equal facts give equal keys.

    Parts are folded, so that a resent message with other spacing is the same
    event. Keys past `limit` keep a readable head and end in a digest.
    """
    key = ":".join([topic] + [fold(str(part)).replace(" ", "_") for part in parts])
    if len(key) <= limit:
        return key
    digest = hashlib.sha256(key.encode("utf-8")).hexdigest()[:12]
    return f"{key[: limit - 13]}#{digest}"
