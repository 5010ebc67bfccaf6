"""The message link: segment messages in and out, for all units.

Instruments and authorities speak the same segment notation with different
manners; the unit's pin of segtext decides how a message is read and written.
"""

from lumen.base.errors import InputError
from lumen.shared.vendoring.resolver import load


def receive(site, unit, text):
    """Segments of a message as dicts: name, and fields by number as text.

    Fields that segtext regards as missing are left out, so that a caller asks
    with `segment["fields"].get(3)`. Fields with components are tuples.
    """
    segtext = load(site, unit, "segtext")
    try:
        parsed = segtext.parse(text)
    except segtext.SegmentError as problem:
        raise InputError(str(problem), field="segment") from problem
    segments = []
    for raw in parsed:
        fields = {}
        for number in range(1, len(raw)):
            value = segtext.field(raw, number, None)
            if value is not None:
                parts = segtext.components(value)
                fields[number] = tuple(parts) if len(parts) > 1 else parts[0]
        segments.append({"name": raw[0], "fields": fields})
    return segments


def send(site, unit, segments):
    """Text of a message from (name, fields) pairs; fields in order, None empty."""
    segtext = load(site, unit, "segtext")
    return segtext.compose([[name, *fields] for name, fields in segments])


def acknowledge(site, unit, segments, accepted, remark=None):
    """Acknowledgement of a received message, in the sender's own control id."""
    heads = [segment for segment in segments if segment["name"] == "MSH"]
    if not heads:
        raise InputError("message without MSH", field="MSH")
    control = heads[0]["fields"].get(4)
    return send(site, unit, [("MSA", ["AA" if accepted else "AE", control, remark])])
