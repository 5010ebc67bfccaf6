from kit.capacity import PoolAllocator, PoolExhausted, PoolFault, UnknownPool
from kit.tests.support import KitCase

STORE = """
    [pool.doors]
    capacity = 10
    reserve = 1
    reserve_for = ["yard"]
    lend_idle = LEND

    [pool.doors.share]
    road = 3
    yard = 4

    [pool.doors.cap]
    road = 5

    [pool.doors.burst]
    yard = 1

    [pool.doors.window.night]
    service = "road"
    opens = "22:00"
    closes = "05:00"
    extra = 2

    [pool.calls]
    capacity = 4
    period_minutes = 10

    [pool.calls.share]
    road = 2
"""


class PoolAllocatorTest(KitCase):
    def pools(self, lend=False, **replacements):
        content = STORE.replace("LEND", str(lend).lower())
        for old, new in replacements.values():
            content = content.replace(old, new)
        return PoolAllocator(self.clock, self.kit.telemetry, self.store("pools.toml", content))

    def test_a_share_is_granted_whole_and_no_further(self):
        pools = self.pools()
        lease = pools.acquire("doors", "road", 3)
        self.assertEqual((lease.draw.share, lease.units), (3, 3))
        with self.assertRaises(PoolExhausted) as caught:
            pools.acquire("doors", "road")
        self.assertEqual(caught.exception.available, 0)

    def test_what_is_released_can_be_had_again(self):
        pools = self.pools()
        pools.release(pools.acquire("doors", "road", 3))
        self.assertEqual((pools.used("doors"), pools.available("doors", "road")), (0, 3))

    def test_all_or_nothing(self):
        pools = self.pools()
        with self.assertRaises(PoolExhausted):
            pools.acquire("doors", "road", 4)
        self.assertEqual(pools.used("doors", "road"), 0)

    def test_a_burst_draws_on_what_is_unallocated(self):
        lease = self.pools().acquire("doors", "yard", 5)
        self.assertEqual((lease.draw.share, lease.draw.extra), (4, 1))

    def test_a_window_opens_at_night_and_spans_midnight(self):
        pools = self.pools()
        self.assertEqual(pools.available("doors", "road"), 3)
        self.clock.advance(hours=15)
        self.assertEqual(pools.available("doors", "road"), 5)
        self.clock.advance(hours=5, minutes=59)
        self.assertEqual(pools.available("doors", "road"), 5)
        self.clock.advance(minutes=1)
        self.assertEqual(pools.available("doors", "road"), 3)

    def test_idle_shares_are_lent_up_to_the_cap(self):
        pools = self.pools(lend=True)
        lease = pools.acquire("doors", "road", 5)
        self.assertEqual((lease.draw.share, lease.draw.idle), (3, 2))
        self.assertEqual(pools.available("doors", "road"), 0)

    def test_lent_units_are_missed_by_their_owner_when_the_pool_is_full(self):
        pools = self.pools(lend=True, wide=("road = 5", "road = 9"))
        pools.acquire("doors", "road", 7)
        self.assertEqual(pools.available("doors", "yard"), 2)

    def test_the_reserve_is_for_urgent_work_of_those_it_is_kept_for(self):
        pools = self.pools()
        pools.acquire("doors", "yard", 5)
        self.assertEqual(pools.available("doors", "yard"), 0)
        self.assertEqual(pools.available("doors", "road", urgent=True), 3)
        self.assertEqual(pools.acquire("doors", "yard", urgent=True).draw.reserve, 1)

    def test_a_quota_refills_at_each_period(self):
        pools = self.pools()
        pools.release(pools.acquire("calls", "road", 2))
        self.assertEqual(pools.available("calls", "road"), 0)
        self.assertEqual(pools.refills_at("calls"), self.clock.now().replace(minute=10))
        self.clock.advance(minutes=10)
        self.assertEqual(pools.available("calls", "road"), 2)
        self.assertIsNone(pools.refills_at("doors"))

    def test_pools_that_promise_too_much_are_faults(self):
        for change in (("yard = 4", "yard = 7"), ("road = 5", "road = 2"), ("extra = 2", "extra = -2"),
                       ("capacity = 10", "size = 10")):
            with self.subTest(change=change), self.assertRaises(PoolFault):
                self.pools(change=change).available("doors", "road")

    def test_a_refusal_is_counted(self):
        with self.assertRaises(PoolExhausted):
            self.pools().acquire("doors", "sea")
        self.assertEqual(self.kit.telemetry.total("pool_refusals_total", pool="doors", service="sea"), 1)

    def test_unknown_pools_and_empty_requests(self):
        with self.assertRaises(UnknownPool):
            self.pools().acquire("cranes", "road")
        with self.assertRaises(ValueError):
            self.pools().acquire("doors", "road", 0)
