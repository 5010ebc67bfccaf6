"""Text as it comes from partners, and as registers and screens want it."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_LEGAL_FORMS = frozenset({"AB", "AG", "BV", "GMBH", "INC", "LTD", "NV", "OY", "PLC", "SA", "SAS", "SPA", "SRL"})
# Letters that Unicode does not decompose into a base letter and a mark.
_UNFOLDABLE = str.maketrans(
    {"\u00df": "ss", "\u00e6": "ae", "\u00f8": "o", "\u00d8": "O", "\u0142": "l", "\u0141": "L"}
)


def squash(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def ascii_fold(text: str) -> str:
    """Closest ASCII spelling; what has none is dropped."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_UNFOLDABLE))
    return decomposed.encode("ascii", "ignore").decode("ascii")


def party_key(name: str) -> str:
    """Two spellings of one company give one key: case, accents, dots and legal form go."""
    plain = ascii_fold(name).upper().replace(".", "")
    words = re.sub(r"[^A-Z0-9]+", " ", plain).split()
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words.pop()
    return " ".join(words)


def clip(text: str, width: int, mark: str = "..") -> str:
    """At most `width` characters, cut at the end, with a mark where something is missing."""
    if width < len(mark):
        raise ValueError("no room for the mark")
    return text if len(text) <= width else text[: width - len(mark)] + mark


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", ascii_fold(text).lower()).strip("-")


def mask(identifier: str, keep: int = 3) -> str:
    """For log lines: enough to recognise an identifier, not enough to use it."""
    if len(identifier) <= keep:
        return "*" * len(identifier)
    return "*" * (len(identifier) - keep) + identifier[-keep:]
