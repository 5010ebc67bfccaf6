import unittest

from lumen.shared import telemetry
from lumen.shared.workup import outbox
from tests.support import site_at


class OutboxTest(unittest.TestCase):
    def test_the_same_fact_is_published_once(self):
        site = site_at(self)
        first = outbox.publish(site, "accession", "arrived", ["Box 7", 1], {"n": 1})
        again = outbox.publish(site, "accession", "arrived", ["box  7", 1], {"n": 2})
        self.assertEqual(first, again)
        self.assertEqual([e["body"] for e in outbox.pending(site, "results", "arrived")], [{"n": 1}])
        self.assertEqual(telemetry.aggregate(site, "events_published_total"), {(): 1})

    def test_each_unit_takes_for_itself(self):
        site, seen = site_at(self), []
        outbox.publish(site, "accession", "arrived", [1], {"n": 1})
        self.assertEqual(outbox.take(site, "results", "arrived", seen.append), 1)
        self.assertEqual(outbox.take(site, "results", "arrived", seen.append), 0)
        self.assertEqual(outbox.take(site, "claims", "arrived", seen.append), 1)
        self.assertEqual(seen, [{"n": 1}, {"n": 1}])

    def test_an_event_that_fails_stays_with_those_behind_it(self):
        site = site_at(self)
        for n in (1, 2, 3):
            outbox.publish(site, "accession", "arrived", [n], {"n": n})

        def handle(body):
            if body["n"] == 2:
                raise RuntimeError("printer jam")

        with self.assertRaises(RuntimeError):
            outbox.take(site, "results", "arrived", handle)
        self.assertEqual([e["body"]["n"] for e in outbox.pending(site, "results", "arrived")], [2, 3])

    def test_bodies_are_copies(self):
        site = site_at(self)
        outbox.publish(site, "accession", "arrived", [1], {"n": 1})
        outbox.pending(site, "results", "arrived")[0]["body"]["n"] = 5
        self.assertEqual(outbox.pending(site, "results", "arrived")[0]["body"], {"n": 1})
