from kit.tests.support import StoreCase
from kit.vendoring import NotVendored, PinFault, VendorShelf


class VendorShelfTest(StoreCase):
    def setUp(self):
        super().setUp()
        for version in ("1.2.0", "1.10.1", "2.0.0"):
            self.store(f"knots/{version}/knots/__init__.py", f"""
                from .rope import LENGTH
                VERSION = {version!r}
            """)
            self.store(f"knots/{version}/knots/rope.py", f"LENGTH = len({version!r})\n")
        self.pin('[pins]\nknots = "1.*"\n\n[service.customs]\nknots = "2.0.0"\n')

    def pin(self, content):
        self.store("pins.toml", content)
        self.shelf = VendorShelf(self.folder)

    def test_versions_sort_by_number(self):
        self.assertEqual(self.shelf.versions("knots"), ("1.2.0", "1.10.1", "2.0.0"))

    def test_a_star_takes_the_highest_that_matches(self):
        self.assertEqual(self.shelf.pinned("knots", "billing"), "1.10.1")

    def test_a_pin_of_the_service_wins(self):
        self.assertEqual(self.shelf.load("knots", "customs").VERSION, "2.0.0")
        self.assertEqual(self.shelf.load("knots", "billing").VERSION, "1.10.1")

    def test_a_load_reads_the_shelf_anew(self):
        self.assertEqual(self.shelf.load("knots", "billing").LENGTH, 6)
        self.store("knots/1.10.2/knots/__init__.py", "VERSION = 'new'\n")
        self.assertEqual(self.shelf.load("knots", "billing").VERSION, "new")

    def test_a_pin_beyond_the_shelf_is_a_fault(self):
        self.pin('[pins]\nknots = "3.*"\n')
        with self.assertRaises(PinFault):
            self.shelf.load("knots", "billing")
        self.pin("[pins]\n")
        with self.assertRaises(PinFault):
            self.shelf.pinned("knots", "billing")

    def test_a_package_that_is_not_there(self):
        with self.assertRaises(NotVendored):
            self.shelf.versions("ladders")

    def test_lists_versions_that_no_pin_leads_to(self):
        self.assertEqual(self.shelf.unused("knots"), ("1.2.0",))
