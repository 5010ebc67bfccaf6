from kit.telemetry import LabelMismatch, Telemetry, UnknownMetric
from kit.telemetry.lines import format_line, parse_line
from kit.telemetry.registry import LOG_EVENTS, METRICS, LogEvent, MetricKind, MetricSpec
from kit.tests.support import KitCase

SPECS = (
    MetricSpec("calls_total", MetricKind.COUNTER, "calls", ("service",), "insight", ("kind",), ("requests_total",)),
    MetricSpec("requests_total", MetricKind.COUNTER, "calls", ("kind",), "insight"),
    MetricSpec("wait_seconds", MetricKind.TIMING, "seconds", (), "insight", (), ("wait_millis",)),
    MetricSpec("wait_millis", MetricKind.TIMING, "milliseconds", (), "insight"),
)


class RecorderTest(KitCase):
    def setUp(self):
        super().setUp()
        self.telemetry = Telemetry(self.clock, metrics=SPECS, events=[LogEvent("moved", ("shipment", "to"), "insight")])

    def test_samples_are_found_by_some_of_their_labels(self):
        self.telemetry.count("calls_total", service="customs", kind="a")
        self.telemetry.count("calls_total", by=2, service="billing")
        self.assertEqual(self.telemetry.total("calls_total"), 3)
        self.assertEqual(self.telemetry.total("calls_total", kind="-"), 2)

    def test_labels_must_be_those_of_the_metric(self):
        for labels in ({}, {"service": "customs", "colour": "red"}):
            with self.subTest(labels=labels), self.assertRaises(LabelMismatch):
                self.telemetry.count("calls_total", **labels)

    def test_kinds_and_names_are_checked(self):
        with self.assertRaises(UnknownMetric):
            self.telemetry.gauge("calls_total", 1, service="customs")
        with self.assertRaises(UnknownMetric):
            self.telemetry.count("cals_total", service="customs")
        with self.assertRaises(ValueError):
            self.telemetry.count("calls_total", by=-1, service="customs")

    def test_a_mirror_keeps_its_own_labels_and_unit(self):
        self.telemetry.count("calls_total", service="customs", kind="a")
        self.assertEqual(dict(self.telemetry.samples("requests_total")[0].labels), {"kind": "a"})
        self.telemetry.timing("wait_seconds", 2, "minutes")
        self.assertEqual(self.telemetry.total("wait_millis"), 120_000)

    def test_a_timing_is_stored_in_the_unit_of_its_metric(self):
        self.telemetry.timing("wait_seconds", 250, "milliseconds")
        self.assertEqual(self.telemetry.total("wait_seconds"), 0.25)
        with self.assertRaises(ValueError):
            self.telemetry.timing("wait_seconds", 1, "parsecs")

    def test_log_lines_have_fixed_fields_first(self):
        line = self.telemetry.log("tracking", "moved", to="Dock 7", shipment="S1", by="crane")
        self.assertEqual(
            line,
            'ts=2024-05-06T08:00:00Z level=info service=tracking event=moved shipment=S1 to="Dock 7" by=crane',
        )
        self.assertEqual(self.telemetry.lines("moved"), (line,))
        self.assertEqual(self.telemetry.lines("mov"), ())
        with self.assertRaises(LabelMismatch):
            self.telemetry.log("tracking", "moved", shipment="S1")
        with self.assertRaises(UnknownMetric):
            self.telemetry.log("tracking", "sunk")

    def test_lines_are_parsed_back(self):
        fields = {"note": 'said "no"\nand left \\', "empty": "", "n": 3}
        line = format_line(self.clock.now(), "warning", "billing", "noted", fields)
        parsed = parse_line(line)
        self.assertEqual((parsed["note"], parsed["empty"], parsed["n"]), (fields["note"], "", "3"))
        with self.assertRaises(ValueError):
            format_line(self.clock.now(), "shout", "billing", "noted", {})

    def test_the_registry_is_sorted_and_without_repeats(self):
        for entries in (METRICS, LOG_EVENTS):
            names = [entry.name for entry in entries]
            self.assertEqual(names, sorted(set(names)))
