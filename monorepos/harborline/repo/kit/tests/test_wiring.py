from kit.tests.support import KitCase


class StandardKitTest(KitCase):
    def test_pieces_share_one_telemetry(self):
        envelope = self.kit.outbox.publish("bookings", "booking.confirmed", "BKG-1", {"mode": "FCL"})
        self.assertEqual(self.kit.telemetry.total("outbox_events_total", topic=envelope.topic), 1)

    def test_every_service_with_settings_gets_a_view(self):
        for service in self.kit.settings.services():
            with self.subTest(service=service):
                self.assertEqual(self.kit.view(service).service, service)

    def test_every_key_has_a_unit(self):
        self.assertEqual(self.kit.settings.undocumented(), ())

    def test_every_flag_of_the_repository_can_be_evaluated(self):
        for name in self.kit.flags.names():
            with self.subTest(flag=name):
                self.assertIsInstance(self.kit.flags.is_on(name, "bookings", "SHP-0001"), bool)

    def test_every_pool_fits_its_capacity(self):
        for name in self.kit.pools.pools():
            with self.subTest(pool=name):
                self.assertGreaterEqual(self.kit.pools.plan(name).unallocated, 0)

    def test_every_pin_of_the_repository_is_on_the_shelf(self):
        for service in ("", *self.kit.settings.services()):
            for package in ("edifold", "palletmark"):
                with self.subTest(service=service, package=package):
                    self.assertIn(self.kit.shelf.pinned(package, service), self.kit.shelf.versions(package))

    def test_no_alert_fires_on_a_quiet_system(self):
        self.assertEqual(self.kit.telemetry.evaluate(), ())

    def test_a_ledger_may_live_in_a_file(self):
        kit = self.kit_with(ledger=str(self.folder / "ledger.db"))
        self.assertIsNone(kit.ledger.latest("BKG-1"))
