"""Code lists: members, storage codes, labels, ranks and foreign schemes."""

from lumen.shared.codes.lists import check, choices, code_of, label_of, members, parse, ranked, translate
from lumen.shared.codes.wire import decode, encode

__all__ = [
    "check", "choices", "code_of", "decode", "encode", "label_of",
    "members", "parse", "ranked", "translate",
]
