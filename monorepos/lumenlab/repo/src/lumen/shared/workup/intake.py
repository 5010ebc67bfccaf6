"""Reading of rows that units receive from clinics, instruments and payers.

A form is a dict: `name`, `columns` as (name, kind, need) and, if it is not a
comma, `sep`. need is "must" or "may".
"""

import csv

from lumen.base import dates, ids, money, quantities, text
from lumen.base.errors import InputError
from lumen.shared import codes, telemetry


def _sealed(raw):
    token = text.squeeze(raw).upper()
    if not ids.is_sealed(token):
        raise InputError(f"check character of {raw!r} is wrong")
    return token


KINDS = {
    "text": text.squeeze,
    "key": text.fold,
    "slug": ids.slug,
    "day": dates.parse_day,
    "amount": money.amount,
    "quantity": quantities.parse_quantity,
    "sealed": _sealed,
    "list": lambda raw: tuple(text.squeeze(item) for item in raw.split(";") if item.strip()),
}


def read_cell(site, kind, raw):
    """Value of one cell; kinds are those of KINDS and "code:LIST"."""
    if kind.startswith("code:"):
        return codes.parse(site, kind[5:], text.squeeze(raw))
    return KINDS[kind](raw)


def read(site, unit, form, raw):
    """(rows, faults) of delimited text with a heading line.

    A row with a fault is left out as a whole; a fault is a dict with the
    number of the row, the field and a sentence for the sender. Good rows
    carry their number as `row`, for faults that are found later. Unknown
    columns are ignored, since clinics send extracts of wider tables.
    """
    rows, faults = [], []
    reader = csv.DictReader(raw.splitlines(), delimiter=form.get("sep", ","))
    reader.fieldnames = [text.fold(name).replace(" ", "_") for name in reader.fieldnames or ()]
    absent = [name for name, _, need in form["columns"] if need == "must" and name not in reader.fieldnames]
    if absent:
        raise InputError(f"{form['name']}: columns missing: {', '.join(absent)}", field=absent[0])
    for number, cells in enumerate(reader, start=1):
        row, fault = {"row": number}, None
        for name, kind, need in form["columns"]:
            cell = (cells.get(name) or "").strip()
            try:
                if cell:
                    row[name] = read_cell(site, kind, cell)
                elif need == "must":
                    raise InputError(f"{name} is empty")
                else:
                    row[name] = None
            except InputError as problem:
                fault = {"row": number, "field": name, "fault": str(problem)}
                break
        if fault:
            faults.append(fault)
            telemetry.log(site, unit, "intake_fault", form=form["name"], **fault)
        else:
            rows.append(row)
        telemetry.record(
            site, "intake_rows_total", unit=unit, form=form["name"], outcome="fault" if fault else "read",
        )
    return rows, faults
