from kit.telemetry import RuleFault, Telemetry
from kit.telemetry.registry import MetricKind, MetricSpec
from kit.tests.support import KitCase

SPECS = (
    MetricSpec("calls_total", MetricKind.COUNTER, "calls", ("service", "outcome"), "insight"),
    MetricSpec("wait_minutes", MetricKind.TIMING, "minutes", ("dock",), "insight"),
)
RULES = """
    [recording.wait_worst]
    metric = "wait_minutes"
    aggregate = "max"
    by = ["dock"]
    window_minutes = 60
    unit = "hours"

    [alert.failing]
    team = "insight"
    metric = "calls_total"
    where = { outcome = "failed" }
    by = ["service"]
    aggregate = "sum"
    window_minutes = 10
    above = 2
    unit = "calls"
    severity = "page"

    [alert.long_wait]
    team = "yard"
    metric = "wait_worst"
    aggregate = "max"
    window_minutes = 60
    above = 1.5
    unit = "hours"

    [alert.too_quiet]
    team = "yard"
    metric = "wait_minutes"
    aggregate = "count"
    window_minutes = 60
    below = 2
    unit = "waits"
"""


class AlertRulesTest(KitCase):
    def telemetry(self, rules=RULES):
        return Telemetry(self.clock, self.store("alerts.toml", rules), SPECS)

    def test_groups_are_judged_apart(self):
        telemetry = self.telemetry()
        telemetry.count("calls_total", by=2, service="billing", outcome="failed")
        telemetry.count("calls_total", by=3, service="customs", outcome="failed")
        telemetry.count("calls_total", by=9, service="billing", outcome="answered")
        (firing,) = telemetry.evaluate()
        self.assertEqual((firing.alert, dict(firing.labels), firing.value), ("failing", {"service": "customs"}, 3))
        self.assertEqual((firing.team, firing.severity, firing.at), ("insight", "page", self.clock.now()))

    def test_samples_older_than_the_window_do_not_count(self):
        telemetry = self.telemetry()
        telemetry.count("calls_total", by=3, service="customs", outcome="failed")
        self.clock.advance(minutes=10)
        self.assertEqual(telemetry.evaluate(), ())

    def test_an_alert_may_stand_on_a_recording_in_another_unit(self):
        telemetry = self.telemetry()
        for minutes in (5, 100):
            telemetry.timing("wait_minutes", minutes, "minutes", dock="A")
        (firing,) = telemetry.evaluate()
        self.assertEqual((firing.alert, round(firing.value, 2), firing.severity), ("long_wait", 1.67, "ticket"))

    def test_below_fires_on_few_but_not_on_none(self):
        telemetry = self.telemetry()
        self.assertEqual(telemetry.evaluate(), ())
        telemetry.timing("wait_minutes", 5, "minutes", dock="A")
        self.assertEqual([firing.alert for firing in telemetry.evaluate()], ["too_quiet"])

    def test_p95_is_a_value_that_was_seen(self):
        telemetry = self.telemetry("""
            [alert.tail]
            team = "yard"
            metric = "wait_minutes"
            aggregate = "p95"
            window_minutes = 60
            above = 0
            unit = "minutes"
        """)
        for minutes in range(1, 21):
            telemetry.timing("wait_minutes", minutes, "minutes", dock="A")
        self.assertEqual(telemetry.evaluate()[0].value, 19)

    def test_rules_that_cannot_be_evaluated_are_faults(self):
        for old, new in (('"calls_total"', '"cals_total"'), ('unit = "calls"', 'unit = "hours"'),
                         ("above = 2", "above = 2\n    below = 1"), ('by = ["service"]', 'by = ["branch"]'),
                         ('aggregate = "sum"', 'aggregate = "median"'), ('aggregate = "sum"', 'team = "x"')):
            with self.subTest(new=new), self.assertRaises(RuleFault):
                self.telemetry(RULES.replace(old, new, 1)).evaluate()
