from dataclasses import replace
from decimal import Decimal

from kit.access import AccessDenied
from kit.tests.support import KitCase
from services.warehouse.racks import Bin, Lot
from services.warehouse.stock import StockRefused, StockRoom

STORE, COUNT = "yard-night", "svc-warehouse"
BINS = tuple(Bin(f"A-{n}", "north", 1, 0, Decimal(2000)) for n in range(4))
LOT = Lot("L1", "BKG-1", 2, Decimal(900), 150)


class StockRoomTest(KitCase):
    def setUp(self):
        super().setUp()
        self.clock.advance(hours=13)
        self.room = StockRoom(self.kit, BINS)

    def test_every_pallet_gets_its_own_label(self):
        stored = self.room.receive(STORE, LOT)
        self.assertEqual(len(set(stored.labels)), 2)
        self.assertTrue(all(label.endswith(stored.bin.code) for label in stored.labels))
        self.assertEqual(len(self.kit.telemetry.lines("lot_stored")), 1)

    def test_a_lot_is_received_once(self):
        self.room.receive(STORE, LOT)
        with self.assertRaises(StockRefused):
            self.room.receive(STORE, LOT)
        with self.assertRaises(StockRefused):
            self.room.receive(STORE, replace(LOT, number="L2", pallets=0))

    def test_the_night_crew_works_at_night(self):
        self.clock.advance(hours=12)
        with self.assertRaises(AccessDenied):
            self.room.receive(STORE, LOT)

    def test_who_stored_a_lot_does_not_count_it(self):
        self.room.receive(COUNT, LOT)
        with self.assertRaises(AccessDenied):
            self.room.count(COUNT, "lot,bin,counted\nL1,A-0,2\n")

    def test_a_wrong_count_blocks_a_lot_until_it_is_right(self):
        self.room.receive(STORE, LOT)
        (line,) = self.room.count(COUNT, "lot,bin,counted\nL1,A-0,1\n")
        self.assertFalse(line.accepted)
        with self.assertRaises(StockRefused):
            self.room.release(COUNT, "L1")
        self.room.count(COUNT, "lot,bin,counted\nL1,A-0,2\n")
        self.assertEqual(self.room.release(COUNT, "L1").lot, "L1")

    def test_damage_blocks_a_lot_that_is_complete(self):
        self.room.receive(STORE, LOT)
        (line,) = self.room.count(COUNT, "lot,bin,counted,damaged\nL1,A-0,2,yes\n")
        self.assertEqual((line.counted, line.accepted), (line.expected, False))

    def test_storage_days_are_charged_after_the_free_ones(self):
        seen = []
        self.kit.outbox.subscribe("lot.released", seen.append)
        free = self.kit.view("warehouse").integer("free_storage_days")
        self.room.receive(STORE, LOT)
        self.room.receive(STORE, replace(LOT, number="L2"))
        self.clock.advance(days=free - 1)
        self.assertEqual(self.room.release(COUNT, "L1").days, 0)
        self.clock.advance(days=3)
        note = self.room.release(COUNT, "L2")
        self.assertEqual(note.days, 3)
        self.assertIn("Days charged: 3", note.text)
        self.kit.outbox.deliver()
        self.assertEqual([each.payload["days"] for each in seen], [0, 3])

    def test_a_released_lot_is_gone(self):
        self.room.receive(STORE, LOT)
        self.room.release(COUNT, "L1")
        with self.assertRaises(StockRefused):
            self.room.release(COUNT, "L1")
