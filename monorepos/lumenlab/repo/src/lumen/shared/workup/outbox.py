"""Events between units, each known under one key and delivered once.

Publishing the same fact again is the normal case (clinics resend, workers
restart) and changes nothing: the key is built from the fact, not drawn.
"""

from lumen.base.clock import now
from lumen.base.ids import event_key
from lumen.shared import telemetry


def publish(site, unit, topic, parts, body):
    """Key of the event; the body is stored unless the key is known."""
    key = event_key(topic, *parts)
    if key not in site["outbox"]:
        site["outbox"][key] = {
            "key": key, "topic": topic, "unit": unit, "body": dict(body),
            "at": now(site["clock"]), "taken_by": [],
        }
        telemetry.record(site, "events_published_total", unit=unit, topic=topic)
    return key


def pending(site, unit, topic):
    """Events of a topic that `unit` has not taken yet, oldest first."""
    found = [e for e in site["outbox"].values() if e["topic"] == topic and unit not in e["taken_by"]]
    return [{"key": e["key"], "at": e["at"], "body": dict(e["body"])} for e in found]


def take(site, unit, topic, handle):
    """Hand pending events to `handle(body)`; those that pass count as taken.

    An event whose handler raises stays pending and the error goes on, so that
    later events of the topic keep their order.
    """
    count = 0
    for event in pending(site, unit, topic):
        handle(event["body"])
        site["outbox"][event["key"]]["taken_by"].append(unit)
        count += 1
    return count
