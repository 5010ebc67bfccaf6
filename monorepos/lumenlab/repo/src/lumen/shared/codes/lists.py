"""Loader of codes.csv and schemes.csv.

A member is the name used in code, a code is what is stored and sent. Codes
are never given to another member: archives hold ten years of them. Retired
members still parse, so that the archives can be read, but are not offered.
"""

from pathlib import Path
from types import MappingProxyType

from lumen.base.errors import InputError, StoreError
from lumen.base.tables import group_by, read_csv, split_list
from lumen.base.text import fold

STORE = Path(__file__).with_name("codes.csv")
SCHEMES = Path(__file__).with_name("schemes.csv")


def _rows(site, name):
    rows = [row for row in read_csv(site["stores"].get("codes", STORE)) if row["list"] == name]
    if not rows:
        raise StoreError(f"codes.csv: no list {name!r}")
    return rows


def members(site, name):
    """Read-only mapping of member to its entry, in order of rank."""
    entries = {}
    for row in sorted(_rows(site, name), key=lambda row: int(row["rank"])):
        if row["member"] in entries:
            raise StoreError(f"codes.csv: {name}.{row['member']} occurs twice")
        entries[row["member"]] = MappingProxyType({
            "member": row["member"],
            "code": row["code"],
            "label": row["label"],
            "rank": int(row["rank"]),
            "aliases": tuple(split_list(row["aliases"])),
            "retired": row["status"] == "retired",
        })
    return MappingProxyType(entries)


def _entry(site, name, member):
    entries = members(site, name)
    if member not in entries:
        raise StoreError(f"codes.csv: no member {name}.{member}")
    return entries[member]


def code_of(site, name, member):
    """Storage code of a member."""
    return _entry(site, name, member)["code"]


def label_of(site, name, member):
    """Label for people."""
    return _entry(site, name, member)["label"]


def ranked(site, name, member):
    """Rank of a member; comparisons between members use ranks, never codes."""
    return _entry(site, name, member)["rank"]


def choices(site, name):
    """Members that may be chosen for new records, in order of rank."""
    return [member for member, entry in members(site, name).items() if not entry["retired"]]


def parse(site, name, token):
    """Member meant by `token`: a code, a member, a label or an alias.

    Codes win over names, since a stored token is a code far more often than a
    name; names are compared folded.
    """
    entries = members(site, name)
    for member, entry in entries.items():
        if entry["code"] == token:
            return member
    wanted = fold(token)
    for member, entry in entries.items():
        if wanted in {fold(item) for item in (member, entry["label"], *entry["aliases"])}:
            return member
    raise InputError(f"{token!r} is no {name}", field=name)


def translate(site, name, member, scheme):
    """Code of a member in a foreign scheme, from schemes.csv.

    A member without a row of its own takes the scheme's "*" row if there is
    one; schemes without a fallback refuse what they cannot express.
    """
    _entry(site, name, member)
    rows = read_csv(site["stores"].get("schemes", SCHEMES))
    found = {row["member"]: row["foreign"] for row in rows if row["list"] == name and row["scheme"] == scheme}
    if not found:
        raise StoreError(f"schemes.csv: no scheme {scheme!r} for {name}")
    if member in found:
        return found[member]
    if "*" in found:
        return found["*"]
    raise InputError(f"{scheme} cannot express {name}.{member}", field=name)


def check(site):
    """Faults of the code lists as sentences."""
    faults = []
    for name, rows in group_by(read_csv(site["stores"].get("codes", STORE)), "list").items():
        for column in ("member", "code", "rank"):
            values = [row[column] for row in rows]
            for value in sorted({v for v in values if values.count(v) > 1}):
                faults.append(f"codes.csv: {name}: {column} {value!r} occurs twice")
        names = [fold(item) for row in rows for item in [row["label"], *split_list(row["aliases"])]]
        for item in sorted({n for n in names if names.count(n) > 1}):
            faults.append(f"codes.csv: {name}: {item!r} names two members")
    return faults
