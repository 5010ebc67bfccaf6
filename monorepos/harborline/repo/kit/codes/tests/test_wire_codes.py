import unittest

from kit.codes import wire
from kit.codes.catalogue import ChargeCode, DeclarationState, HazardClass, ShipmentStatus, TransportMode, Urgency


class WireTest(unittest.TestCase):
    def test_every_member_survives_the_wire(self):
        for kind in (ShipmentStatus, DeclarationState, TransportMode, HazardClass, ChargeCode, Urgency):
            for member in kind:
                with self.subTest(member=member):
                    self.assertIs(wire.decode(kind, wire.encode(member)), member)

    def test_names_are_read_in_any_spelling(self):
        self.assertIs(wire.decode(ShipmentStatus, "out for delivery"), ShipmentStatus.OUT_FOR_DELIVERY)
        self.assertIs(wire.decode(TransportMode, "Sea-Part"), TransportMode.SEA_PART)
        self.assertIs(wire.decode(Urgency, Urgency.EXPRESS), Urgency.EXPRESS)

    def test_retired_codes_are_still_understood(self):
        self.assertIs(wire.decode(TransportMode, "TRK"), TransportMode.ROAD_FULL)

    def test_unknown_codes_name_their_family(self):
        with self.assertRaises(wire.UnknownCode) as caught:
            wire.decode(ShipmentStatus, "lost")
        self.assertEqual(caught.exception.family, "ShipmentStatus")

    def test_partner_codes_are_read_per_partner(self):
        self.assertIs(wire.from_partner("ocean_carrier", ShipmentStatus, " vd "), ShipmentStatus.DEPARTED)
        self.assertEqual(wire.to_partner("customs_gateway", DeclarationState.HELD), "HLD")
        with self.assertRaises(wire.UnknownCode):
            wire.from_partner("customs_gateway", ShipmentStatus, "VD")
        with self.assertRaises(wire.UnknownCode):
            wire.to_partner("ocean_carrier", ShipmentStatus.BOOKED)

    def test_labels_fall_back_to_the_name(self):
        self.assertEqual(wire.label(TransportMode.SEA_PART), "Sea, groupage")
        self.assertEqual(wire.label(HazardClass.FLAMMABLE_GAS), "Flammable gas")

    def test_numeric_codes_are_offered_in_order_of_events(self):
        codes = [int(code) for code, _ in wire.choices(ShipmentStatus)]
        self.assertEqual(codes, sorted(codes))
        self.assertEqual(wire.in_order(TransportMode)[0], TransportMode.SEA_FULL)
