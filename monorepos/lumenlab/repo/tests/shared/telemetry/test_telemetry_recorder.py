import json
import unittest
from decimal import Decimal

from lumen.base.clock import advance
from lumen.base.errors import StoreError
from lumen.shared import telemetry
from tests.support import site_at, store

SMALL = {
    "metrics": {
        "wait_seconds": {"kind": "histogram", "unit": "seconds", "labels": ["unit", "bench"],
                         "also": [{"name": "wait_minutes", "factor": "0.5"}]},
        "wait_minutes": {"kind": "histogram", "unit": "half minutes", "labels": ["unit"]},
        "runs_total": {"kind": "counter", "unit": "runs", "labels": []},
    },
    "events": {"run": {"fields": ["bench", "remark", "count"]}},
}


class RecorderTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self, stores={"catalogue": store(self, "catalogue.json", json.dumps(SMALL))})

    def test_only_known_metrics_and_labels_are_recorded(self):
        with self.assertRaisesRegex(StoreError, "no metric"):
            telemetry.record(self.site, "waits", 1)
        with self.assertRaisesRegex(StoreError, "lacking"):
            telemetry.record(self.site, "wait_seconds", 1, unit="benches")
        with self.assertRaisesRegex(StoreError, "unknown"):
            telemetry.record(self.site, "runs_total", bench="x")

    def test_a_counter_does_not_go_down(self):
        with self.assertRaises(StoreError):
            telemetry.record(self.site, "runs_total", -1)

    def test_a_metric_is_carried_along_under_another_name(self):
        telemetry.record(self.site, "wait_seconds", 30, unit="benches", bench="chem-1")
        self.assertEqual(telemetry.aggregate(self.site, "wait_minutes", by=("unit",)), {("benches",): Decimal(15)})

    def test_samples_are_selected_by_label_and_time(self):
        telemetry.record(self.site, "wait_seconds", 1, unit="benches", bench="a")
        later = advance(self.site["clock"], minutes=5)
        telemetry.record(self.site, "wait_seconds", 2, unit="benches", bench="a")
        telemetry.record(self.site, "wait_seconds", 4, unit="benches", bench="b")
        self.assertEqual(len(telemetry.samples(self.site, "wait_seconds", bench="a")), 2)
        self.assertEqual(telemetry.aggregate(self.site, "wait_seconds", since=later), {(): Decimal(6)})
        with self.assertRaises(StoreError):
            telemetry.samples(self.site, "wait_seconds", colour="red")

    def test_samples_are_copies(self):
        telemetry.record(self.site, "runs_total")
        telemetry.samples(self.site, "runs_total")[0]["value"] = 9
        self.assertEqual(telemetry.aggregate(self.site, "runs_total"), {(): 1})

    def test_folds(self):
        for value in (2, 4):
            telemetry.record(self.site, "wait_seconds", value, unit="benches", bench="a")
        found = {how: telemetry.aggregate(self.site, "wait_seconds", how)[()] for how in ("mean", "max", "min", "last", "count")}
        self.assertEqual(found, {"mean": 3, "max": 4, "min": 2, "last": 4, "count": 2})

    def test_log_fields_come_in_catalogue_order(self):
        telemetry.log(self.site, "benches", "run", count=2, bench="chem-1")
        self.assertEqual(telemetry.lines(self.site),
                         ["at=2026-03-02T08:00:00Z site=north unit=benches event=run bench=chem-1 count=2"])

    def test_log_lines_are_read_back(self):
        for remark in ("two words", 'a "quoted" one', "x=y", "back\\slash", ""):
            telemetry.log(self.site, "benches", "run", bench="b", remark=remark, count=1)
            read = telemetry.parse_line(telemetry.lines(self.site, "run")[-1])
            self.assertEqual((read["remark"], read["count"]), (remark, "1"))

    def test_unknown_events_and_fields_are_refused(self):
        with self.assertRaises(StoreError):
            telemetry.log(self.site, "benches", "walk")
        with self.assertRaises(StoreError):
            telemetry.log(self.site, "benches", "run", patient="x")

    def test_a_broken_catalogue_is_a_store_error(self):
        site = site_at(self, stores={"catalogue": store(self, "catalogue.json", "{")})
        with self.assertRaises(StoreError):
            telemetry.catalogue(site)
