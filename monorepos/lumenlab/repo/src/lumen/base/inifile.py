"""Reading of INI stores to plain dicts."""

import configparser
from functools import lru_cache
from pathlib import Path

from lumen.base.errors import StoreError


def read_ini(path):
    """Sections of an INI file as a dict of dicts; duplicates are an error.

    Values keep their text. There is no interpolation and no [DEFAULT] magic:
    layering is the business of the loader that reads the store. The file is
    read at each call; a text that was parsed before is not parsed again.
    """
    path = Path(path)
    return {name: dict(items) for name, items in _parsed(path.read_text(encoding="utf-8"), path.name)}


@lru_cache(maxsize=32)
def _parsed(text, source):
    parser = configparser.ConfigParser(
        interpolation=None,
        delimiters=("=",),
        comment_prefixes=("#", ";"),
        default_section="\0",
        empty_lines_in_values=False,
    )
    parser.optionxform = str
    try:
        parser.read_string(text, source=source)
    except configparser.Error as problem:
        raise StoreError(str(problem)) from problem
    return tuple((name, tuple(parser.items(name))) for name in parser.sections())


def sections_of(store, kind):
    """Sections "[kind:NAME]" as (NAME, values), in the order of the file."""
    prefix = kind + ":"
    for name, values in store.items():
        if name.startswith(prefix):
            yield name[len(prefix):].strip(), values
