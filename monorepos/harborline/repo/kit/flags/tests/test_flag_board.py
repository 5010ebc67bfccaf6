import json
from datetime import date

from kit.flags import Audience, FlagBoard, FlagFault, UnknownFlag
from kit.flags.board import bucket
from kit.tests.support import StoreCase


class FlagBoardTest(StoreCase):
    def board(self, flags, cohorts=None, stale=None):
        document = {"flags": flags, "cohort_members": cohorts or {}, "stale": stale or {}}
        return FlagBoard(self.store("flags.json", json.dumps(document)))

    def test_default_answers_when_nothing_else_does(self):
        board = self.board({"a": {"default": True}, "b": {"default": False}})
        self.assertTrue(board.is_on("a", "billing"))
        self.assertFalse(board.is_on("b", "billing"))

    def test_a_service_is_targeted_before_any_cohort(self):
        flag = {"default": False, "services": {"billing": False}, "cohorts": {"pilots": True}}
        board = self.board({"a": flag}, {"pilots": ["SHP-1"]})
        self.assertFalse(board.is_on("a", "billing", "SHP-1"))
        self.assertTrue(board.is_on("a", "tracking", "SHP-1"))

    def test_off_beats_on_between_cohorts(self):
        board = self.board(
            {"a": {"default": True, "cohorts": {"pilots": True, "careful": False}}},
            {"pilots": ["SHP-1"], "careful": ["SHP-1"]},
        )
        state = board.explain("a", Audience("tracking", "SHP-1"))
        self.assertEqual((state.on, state.decided_by), (False, "cohort careful"))

    def test_a_rollout_grows_without_losing_subjects(self):
        subjects = [f"SHP-{number:04d}" for number in range(300)]

        def on_at(percent):
            board = self.board({"a": {"default": False, "rollout_percent": percent}})
            return {subject for subject in subjects if board.is_on("a", "tracking", subject)}

        small, large = on_at(20), on_at(60)
        self.assertLess(small, large)
        self.assertTrue(0.1 < len(small) / 300 < 0.3)
        self.assertEqual(on_at(100), set(subjects))

    def test_buckets_differ_between_flags(self):
        self.assertNotEqual([bucket("a", str(n)) for n in range(20)], [bucket("b", str(n)) for n in range(20)])

    def test_a_prerequisite_that_is_off_turns_the_flag_off(self):
        base = {"default": False, "services": {"dispatch": True}}
        board = self.board({"base": base, "top": {"default": True, "requires": ["base"]}})
        self.assertTrue(board.is_on("top", "dispatch"))
        self.assertEqual(board.explain("top", Audience("billing")).decided_by, "requires base")

    def test_a_circle_of_prerequisites_is_a_fault(self):
        board = self.board({"a": {"default": True, "requires": ["b"]}, "b": {"default": True, "requires": ["a"]}})
        with self.assertRaises(FlagFault):
            board.is_on("a", "billing")

    def test_unknown_flags_are_not_off_but_an_error(self):
        with self.assertRaises(UnknownFlag):
            self.board({}).is_on("nope", "billing")

    def test_stale_flags_are_overdue_after_their_date(self):
        board = self.board({"old": {"default": True}}, stale={"old": "2024-03-31"})
        self.assertEqual(board.overdue(date(2024, 3, 31)), ())
        self.assertEqual(board.overdue(date(2024, 4, 1)), ("old",))
        self.assertTrue(board.is_on("old", "billing"))

    def test_faulty_stores_are_refused(self):
        for flags in ({"a": {}}, {"a": {"default": True, "rollout_percent": 101}},
                      {"a": {"default": True, "cohorts": {"nobody": True}}}):
            with self.subTest(flags=flags), self.assertRaises(FlagFault):
                self.board(flags).names()

    def test_a_flag_written_twice_is_a_fault(self):
        path = self.store("flags.json", '{"flags": {"a": {"default": true}, "a": {"default": false}}}')
        with self.assertRaises(FlagFault):
            FlagBoard(path).names()
