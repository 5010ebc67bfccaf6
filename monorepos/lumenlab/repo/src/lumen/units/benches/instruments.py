"""Messages of the instruments.

MSH|instrument|software|moment|control id
OBR|accession number|tube|priority
OBX|test|value|unit|status, with status F final, P preliminary, X failed
"""

from lumen.base.errors import InputError
from lumen.base.ids import is_sealed
from lumen.base.quantities import parse_quantity
from lumen.shared import codes, vendoring
from lumen.shared.workup import outbox
from lumen.units.accession import compendium
from lumen.units.benches.worklists import UNIT


def _measured(fields, case, tube):
    """One OBX as a measurement; failed runs have no quantity."""
    test = compendium.entry(fields.get(1, ""))
    status = fields.get(4, "F")
    quantity = None
    if status != "X":
        quantity = parse_quantity(fields.get(2, ""))
        quantity["unit"] = fields.get(3) or test["unit"]
    return {"case": case, "tube": tube, "test": test["code"], "quantity": quantity, "status": status}


def read(site, text):
    """(measurements, acknowledgement) of an instrument's message.

    A message is accepted as a whole or refused as a whole: a half accepted
    one would be sent again and its first half be entered twice.
    """
    segments = vendoring.receive(site, UNIT, text)
    measurements, case, tube = [], None, None
    try:
        for segment in segments:
            fields = segment["fields"]
            if segment["name"] == "OBR":
                case, tube = fields.get(1, ""), fields.get(2)
                if not is_sealed(case):
                    raise InputError(f"accession number {case!r} is misread", field="OBR-1")
            elif segment["name"] == "OBX":
                if case is None:
                    raise InputError("OBX before any OBR", field="OBX")
                measurements.append(_measured(fields, case, tube))
    except InputError as problem:
        return [], vendoring.acknowledge(site, UNIT, segments, False, str(problem))
    for item in measurements:
        if item["status"] == "F":
            outbox.publish(site, UNIT, "measured", [item["case"], item["test"], item["tube"]], item)
    return measurements, vendoring.acknowledge(site, UNIT, segments, True)


def order_message(site, worklist, control_id):
    """Message that loads a worklist on an instrument."""
    lines = [("MSH", ["LUMEN", worklist["bench"], None, control_id])]
    for item in worklist["positions"]:
        if "control" in item:
            lines.append(("QCR", [item["control"]]))
        else:
            letter = codes.translate(site, "priority", item["priority"], "instrument")
            lines.append(("OBR", [item["case"], item["tube"], letter, tuple(item["tests"])]))
    return vendoring.send(site, UNIT, lines)
