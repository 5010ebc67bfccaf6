import unittest

from lumen.base.clock import advance, manual_clock
from lumen.base.errors import Refused, StoreError
from lumen.shared import pools, telemetry
from lumen.shared.pools.ledger import SEED
from tests.support import extended, site_at, store

SMALL = """
INSERT INTO pool VALUES ('racks', 20, 4, 'racks', 60, '');
INSERT INTO share VALUES ('racks', 'claims', 4, 8);
INSERT INTO share VALUES ('racks', 'notices', 2, 12);
INSERT INTO share VALUES ('racks', 'results', 6, 10);
INSERT INTO reserve_right VALUES ('racks', 'notices', 3);
INSERT INTO burst VALUES ('racks', 'claims', '22:00-05:00', 4);
INSERT INTO lend VALUES ('racks', 'results', '22:00-05:00');
"""


class AllocatorTest(unittest.TestCase):
    def setUp(self):
        self.conn = pools.open_ledger({"seed": store(self, "seed.sql", SMALL)})
        self.addCleanup(self.conn.close)
        self.clock = manual_clock("2026-03-02T10:00")

    def take(self, unit, amount, minutes=None):
        return pools.acquire(self.conn, self.clock, "racks", unit, amount, minutes)

    def refusal(self, unit, amount):
        with self.assertRaises(Refused) as caught:
            self.take(unit, amount)
        return caught.exception.rule

    def test_the_cap_bounds_a_unit(self):
        self.take("claims", 8)
        self.assertEqual(self.refusal("claims", 1), "cap")

    def test_unused_floors_of_others_are_kept_free(self):
        self.take("notices", 6)
        self.assertEqual(self.take("notices", 1)["from_reserve"], 1)
        self.assertEqual(self.take("claims", 4)["from_reserve"], 0)
        self.take("results", 6)

    def test_what_is_left_open_goes_to_whoever_asks(self):
        self.take("results", 10)
        self.assertEqual(self.refusal("claims", 5), "full")
        self.take("claims", 4)

    def test_the_reserve_is_for_those_with_a_right(self):
        self.take("results", 10)
        self.take("claims", 4)
        self.take("notices", 2)
        self.assertEqual(self.refusal("results", 1), "cap")
        self.assertEqual(self.take("notices", 3)["from_reserve"], 3)
        self.assertEqual(self.refusal("notices", 1), "full")

    def test_nothing_is_granted_in_part(self):
        self.take("claims", 6)
        self.assertEqual(self.refusal("claims", 3), "cap")
        self.assertEqual(pools.holding(self.conn, self.clock, "racks", "claims"), 6)

    def test_a_burst_raises_the_cap_within_its_hours(self):
        self.take("claims", 8, minutes=2000)
        self.assertEqual(self.refusal("claims", 1), "cap")
        advance(self.clock, hours=12)
        self.take("claims", 4)
        self.assertEqual(self.refusal("claims", 1), "cap")

    def test_a_floor_is_lent_out_within_its_hours(self):
        self.assertEqual(self.refusal("notices", 10), "full")
        advance(self.clock, hours=13)
        self.assertEqual(self.take("notices", 12)["from_reserve"], 0)

    def test_leases_end_by_time(self):
        self.take("claims", 8)
        advance(self.clock, minutes=59)
        self.assertEqual(self.refusal("claims", 8), "cap")
        advance(self.clock, minutes=1)
        self.take("claims", 8)

    def test_leases_end_by_release_once(self):
        lease = self.take("claims", 8)
        pools.release(self.conn, self.clock, lease["id"])
        pools.release(self.conn, self.clock, lease["id"])
        self.take("claims", 8)
        with self.assertRaises(StoreError):
            pools.release(self.conn, self.clock, 99)

    def test_units_without_share_get_nothing(self):
        self.assertEqual(self.refusal("couriers", 1), "no_share")
        with self.assertRaises(StoreError):
            pools.acquire(self.conn, self.clock, "shelves", "claims", 1)
        with self.assertRaises(ValueError):
            self.take("claims", 0)

    def test_usage_shows_the_pool(self):
        self.take("claims", 3)
        seen = pools.usage(self.conn, self.clock, "racks")
        self.assertEqual((seen["size"], seen["taken"], seen["units"]["claims"]["held"]), (20, 3, 3))

    def test_schedule_serves_by_rank_and_lets_small_ones_through(self):
        leases, deferred = pools.schedule(self.conn, self.clock, "racks", [
            ("claims", 6, 10), ("claims", 5, 30), ("claims", 3, 10),
        ])
        self.assertEqual([lease["amount"] for lease in leases], [5, 3])
        self.assertEqual([(d["amount"], d["rule"]) for d in deferred], [(6, "cap")])


class SeedTest(unittest.TestCase):
    def test_overbooked_pools_are_found(self):
        bad = extended(self, SEED, (
            "INSERT INTO pool VALUES ('racks', 10, 2, 'racks', 60, '');\n"
            "INSERT INTO share VALUES ('racks', 'claims', 6, 9);\n"
            "INSERT INTO share VALUES ('racks', 'notices', 4, 4);\n"
            "INSERT INTO reserve_right VALUES ('racks', 'notices', 3);\n"
            "INSERT INTO burst VALUES ('racks', 'results', '22:00-5', 3);\n"
        ))
        conn = pools.open_ledger({"seed": bad})
        self.addCleanup(conn.close)
        self.assertEqual(len(pools.check(conn)), 5)

    def test_a_broken_seed_is_a_store_error(self):
        with self.assertRaises(StoreError):
            pools.open_ledger({"seed": store(self, "seed.sql", "INSERT INTO pool VALUES ('x');")})

    def test_ledgers_do_not_share_leases(self):
        first, second = site_at(self), site_at(self)
        pools.draw(first, "couriers", "transport-boxes", 30)
        pools.draw(second, "couriers", "transport-boxes", 30)

    def test_refusals_of_a_site_are_counted(self):
        site = site_at(self)
        with self.assertRaises(Refused):
            pools.draw(site, "claims", "partner-lines", 11)
        self.assertEqual(telemetry.aggregate(site, "pool_refusals_total", by=("unit",)), {("claims",): 1})
