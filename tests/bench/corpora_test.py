#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpora_test.py ROOT: the figures of bench/corpora.py, its costs and its simulation, by what can be said by hand; and
that docs/corpora.md has the tables that it prints."""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "bench"))
from corpora import cost, schedule  # noqa: E402
from corpora.figures import Figures  # noqa: E402
from corpora.schedule import Part, Workers, deal, fixed, kept, pulled, stolen  # noqa: E402

SAFE = dict(mean_life=math.inf, restart=100.0, noticed=10.0)


def printed(*arguments):
    return subprocess.run([sys.executable, ROOT / "bench/corpora.py", *arguments], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


class Sources(unittest.TestCase):
    def test_each_figure_has_one(self):
        figures = Figures()
        self.assertGreater(len(figures), 40)
        self.assertTrue(all(len(source) > 5 or source == "assumed" for source in figures.sources.values()))

    def test_what_is_wrong_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figures.tsv"
            for text in ("a\t1\tguessed\tsomewhere\n", "a\t1\tmeasured\n", "a\t1\tcited\tx\na\t2\tcited\tx\n"):
                path.write_text(text)
                self.assertRaises(SystemExit, Figures, path)
        self.assertRaises(SystemExit, Figures().changed, ["no.such=1"])


class Simulation(unittest.TestCase):
    def test_dealing(self):
        parts = [Part(t, t) for t in (7, 6, 5, 4, 3)]
        self.assertEqual([sum(p.tokens for p in hand) for hand in deal(parts, 2, False)], [15, 10])
        self.assertEqual([sum(p.tokens for p in hand) for hand in deal(parts, 2, True)], [14, 11])

    def test_without_losses(self):
        workers, parts = Workers([10.0, 5.0], **SAFE), [Part(100, 100)] * 6
        self.assertEqual(fixed(deal(parts, 2, False), workers, 1.0, 50, random.Random(1)), (63.0, 0.0))
        # Two of three parts go to the worker of twice the speed: 11 seconds for each of its, 21 for the other's.
        self.assertEqual(pulled(parts, workers, 1.0, 50, random.Random(1)), (44.0, 0.0))

    def test_who_is_free_takes_what_others_have_not_begun(self):
        # The fast worker is done with its three at 33 s, when the slow one is at its second until 42 s: the fast one
        # takes the slow one's third.
        workers, hands = Workers([10.0, 5.0], **SAFE), [[Part(100, 100)] * 3] * 2
        self.assertEqual(stolen(hands, workers, 1.0, 50, random.Random(1)), (44.0, 0.0))
        # The largest first, whoever's it is: 50 and then 30, while the others do 20 and 40.
        workers, hands = Workers([10.0, 1.0, 1.0], **SAFE), [[], [Part(50, 50), Part(20, 20)], [Part(40, 40), Part(30, 30)]]
        self.assertEqual(stolen(hands, workers, 0.0, 50, random.Random(1)), (40.0, 0.0))

    def test_from_the_last_checkpoint(self):
        self.assertEqual(kept(100, 49.9, 50), 100)
        self.assertEqual(kept(100, 60, 50), 50)
        self.assertEqual(kept(30, 30, 50), 30)

    def test_losses_cost_time_and_no_part(self):
        parts, chance = [Part(100, 100)] * 40, random.Random(1)
        workers = Workers([10.0] * 4, 60.0, 5.0, 2.0)
        for seconds, lost in (pulled(parts, workers, 0.0, 50, chance),
                              stolen(deal(parts, 4, False), workers, 0.0, 50, chance),
                              fixed(deal(parts, 4, False), workers, 0.0, 50, chance)):
            self.assertGreater(lost, 0)
            # All that was done, done again or waited for: at least the work, at most each part as if it were alone.
            self.assertGreater(seconds, (4000 + lost) / 40)
            self.assertLess(seconds, 4000)

    def test_no_token_is_lost_in_the_cut(self):
        figures, chance = Figures(), random.Random(1)
        found = schedule.corpus(figures, "training", 1e8, 50, chance)
        self.assertAlmostEqual(sum(size for size, _, _ in found), 1e8, delta=1)
        for unit in ("files", "rows", "bytes"):
            parts = schedule.cut(figures, "training", found, unit, 2e5, chance)
            self.assertAlmostEqual(sum(p.tokens for p in parts), 1e8, delta=1, msg=unit)
            self.assertGreater(min(p.tokens for p in parts), 0, unit)

    def test_order_of_policies(self):
        """What the docs advise is better than what they advise against, and a seed gives the same again."""
        options = dict(kind="training", tokens=1e9, parts_per_worker=20, count=20, tokens_per_second=1e5, overhead=0.05)
        beyond, alike = ({policy: schedule.beyond(Figures(), policy, condition=condition, **options)
                          for policy in schedule.POLICIES} for condition in ("some slow", "alike"))
        best = beyond["bytes, pulled, longest first"]
        self.assertLess(best, 0.05)
        self.assertLess(best, beyond["bytes, pulled"])
        self.assertLess(beyond["bytes, pulled"], beyond["rows, pulled"])
        self.assertLess(beyond["rows, pulled"], beyond["rows, fixed"])
        self.assertLess(alike["bytes, fixed, LPT"], alike["bytes, fixed"])
        self.assertLess(alike["bytes, fixed, LPT"], alike["files, fixed"])
        self.assertEqual(best, schedule.beyond(Figures(), "bytes, pulled, longest first", condition="some slow",
                                               **options))


class Cost(unittest.TestCase):
    OPTIONS = dict(beam=4, sentences=1e9, count=100, tokens_per_sentence=25, form="jsonl", overlapped=True,
                   policy="bytes, pulled, longest first")

    def test_parts_are_all(self):
        for gpu in cost.GPUS:
            found = cost.cost(Figures(), gpu, **self.OPTIONS)
            self.assertAlmostEqual(sum(found["parts"].values()), found["gpu_hours"])
            self.assertAlmostEqual(sum(found["shares"].values()), 1)
            self.assertTrue(all(part >= 0 for part in found["parts"].values()), found["parts"])
        figures = Figures()
        hours = 25e9 / figures["h100.tokens_per_second.4"] / 3600
        self.assertAlmostEqual(cost.cost(figures, "h100", **self.OPTIONS)["parts"]["translation"], hours)

    def test_rates_that_nobody_measured(self):
        figures = Figures()
        self.assertLess(cost.rate(figures, "rtx-4090", 4), cost.rate(figures, "h100", 4))
        self.assertAlmostEqual(cost.rate(figures, "l4", 4) / cost.rate(figures, "rtx-4090", 4), 300.1 / 1008)

    def test_what_is_worse_costs_more(self):
        def hours(*changes, **options):
            return cost.cost(Figures().changed(changes), "h100", **{**self.OPTIONS, **options})["gpu_hours"]
        base = hours()
        for change in ("failures.per_gpu_day=20", "rows.failing=1e-4", "rows.poison=1e-6", "start.scheduler=600",
                       "data.cores_per_gpu=0.5", "machines.slow_speed=0.3"):
            self.assertGreater(hours(change), base, change)
        self.assertGreater(hours(overlapped=False), base)
        self.assertGreater(hours(policy="bytes, fixed, LPT"), base)

    def test_prices(self):
        rows = json.loads(printed("cost", "--json", "--price", "h100=2", "--kinds", "h100", "l4"))["rows"]
        for row in rows:
            if row["gpu"] == "h100":
                self.assertAlmostEqual(row["price"], 2 * row["gpu_hours"])
            else:
                self.assertNotIn("price", row)


class Page(unittest.TestCase):
    def check(self, count, *arguments):
        page = (ROOT / "docs/corpora.md").read_text(encoding="utf-8")
        rows = [line for line in printed(*arguments).splitlines() if line.startswith("| ")]
        self.assertEqual(len(rows), count)
        for row in rows:
            self.assertIn(row, page, f"docs/corpora.md has another table than bench/corpora.py {' '.join(arguments)}")

    def test_has_the_costs(self):
        self.check(7, "cost")

    def test_has_the_schedules(self):
        self.check(11, "schedule", "--sentences", "1e10", "--corpus", "training", "--parts-per-worker", "20")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
