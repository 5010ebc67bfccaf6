from kit.tests.support import KitCase, StoreCase
from kit.vendoring import DEFAULT_ROOT, EdiDesk, LabelDesk, VendorShelf
from kit.vendoring.desks import EdiSegment, MessageRefused


class _Pinned(VendorShelf):
    """The repository's shelf, every service on one version."""

    def __init__(self, version):
        super().__init__(DEFAULT_ROOT)
        self._version = version

    def pinned(self, package, service):
        return self._version


class EdiDeskTest(StoreCase):
    def test_each_version_reads_back_plain_segments(self):
        segments = (EdiSegment("BGM", ("929", "DEC-1")), EdiSegment("CNT", ("5:2",)))
        for version in ("1.8.2", "2.1.0"):
            with self.subTest(version=version):
                desk = EdiDesk(_Pinned(version))
                self.assertEqual(desk.read("customs", desk.compose("customs", segments)), segments)

    def test_service_characters_are_blanked_by_the_old_and_escaped_by_the_new(self):
        segment = [EdiSegment("FTX", ("Bolts + nuts?",))]
        self.assertEqual(EdiDesk(_Pinned("1.8.2")).compose("x", segment), "FTX+BOLTS   NUTS '")
        new = EdiDesk(_Pinned("2.1.0"))
        self.assertEqual(new.read("x", new.compose("x", segment)), tuple(segment))

    def test_empty_elements_at_the_end(self):
        segment = [EdiSegment("CNT", ("1:4", ""))]
        self.assertEqual(EdiDesk(_Pinned("1.8.2")).compose("x", segment), "CNT+1:4+'")
        self.assertEqual(EdiDesk(_Pinned("2.1.0")).compose("x", segment), "CNT+1:4'")

    def test_a_message_cut_off_is_refused_by_the_new_version_only(self):
        self.assertEqual(EdiDesk(_Pinned("1.8.2")).read("x", "BGM+1'UNS+S")[1].tag, "UNS")
        with self.assertRaises(MessageRefused):
            EdiDesk(_Pinned("2.1.0")).read("x", "BGM+1'UNS+S")


class LabelDeskTest(KitCase):
    def test_numbers_carry_a_valid_check_digit(self):
        for version in ("0.9.4", "1.0.1"):
            desk = LabelDesk(_Pinned(version))
            with self.subTest(version=version):
                self.assertTrue(desk.is_valid("warehouse", desk.number("warehouse", 4711)))

    def test_a_serial_too_long_is_refused_by_the_new_version_only(self):
        self.assertEqual(len(LabelDesk(_Pinned("0.9.4")).number("x", 12345678901)), 18)
        with self.assertRaises(MessageRefused):
            LabelDesk(_Pinned("1.0.1")).number("x", 12345678901)

    def test_a_scanner_finds_the_number_on_the_first_line_of_a_warehouse_label(self):
        sscc = self.kit.labels.number("warehouse", 1)
        first, *rest = self.kit.labels.label("warehouse", sscc, ["L1", "A-01"]).split("\n")
        self.assertEqual((first, rest), (f"(00){sscc}", ["L1", "A-01"]))
