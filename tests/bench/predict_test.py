#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""predict_test.py BENCH BENCH_TRANSLATE MODEL: the model of a step in BENCH (the folder), with lists made up here and
one that the program records."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH, PROGRAM, MODEL = sys.argv[1:4]
sys.path.insert(0, BENCH)
import made_list  # noqa: E402
import predict  # noqa: E402
import scale_table  # noqa: E402
import step_changes  # noqa: E402
import step_model  # noqa: E402
from step_model import Device, Recorded, calibrate, least_squares, shader  # noqa: E402

RATES = {"matmul(float32)": dict(fixed=2e-6, groups=1e-8, serial=2e-12, flops=1e-13, cached=1e-12, streamed=4e-12),
         "norm(float32)": dict(fixed=1e-6, groups=2e-9, serial=0.0, flops=0.0, cached=5e-13, streamed=5e-13)}
GAP, MARK, CACHE = 3e-6, 5e-6, 1e6


def made_up(folder, name, size):
    """A list of 10 steps after one run of the encoder, as a device with RATES takes them. size: of the model."""
    dispatches, passes = [], []
    for part, count in (("encoder", 1), ("decoder", 10)):
        for k, (name_of_pass, work) in enumerate((("embed", 0.01), ("ffn", 1.0), ("output", 2.0))):
            own = [dict(kernel=f"matmul(float32) 7 {k}", count=2 * count, groups=count * size * (k + 1),
                        flops=count * size * 2e5 * work, bytes=count * size * 2e3 * work),
                   dict(kernel="norm(float32)", count=count, groups=3.0 * count * size, flops=0.0,
                        bytes=count * size * 30.0 * (k + 1))]
            own = own[k == 0:]      # the first pass has one kernel, the others two
            for d in own:
                d |= {"pass": f"{part}/{name_of_pass}", "waits": True, "seconds": 0.0}
            dispatches += own
            passes.append(dict(name=f"{part}/{name_of_pass}", count=count, seconds=0.0))
    run = dict(dispatch_times=dispatches, passes=passes, sentences=2, target_tokens=20, host_waits=1,
               median_seconds=0.01)
    path = pathlib.Path(folder) / f"{name}.json"
    path.write_text(json.dumps(run))
    recorded = Recorded(path)
    for d in recorded.dispatches:
        terms = recorded.terms(d, CACHE)
        d["seconds"] = sum(terms[t] * RATES[shader(d["kernel"])][t] for t in step_model.TERMS)
    for p in passes:
        own = [d for d in recorded.dispatches if d["pass"] == p["name"]]
        p["seconds"] = sum(d["seconds"] + d["count"] * GAP for d in own) + p["count"] * MARK
        next(q for q in recorded.json["passes"] if q["name"] == p["name"])["seconds"] = p["seconds"]
    path.write_text(json.dumps(recorded.json))
    return path


class Fit(unittest.TestCase):
    def test_finds_factors(self):
        rows = [[1, 2, 0], [0, 1, 3], [4, 0, 1], [1, 1, 1]]
        found = least_squares(rows, [sum(r * f for r, f in zip(row, (2.0, 0.5, 3.0))) for row in rows])
        for value, expected in zip(found, (2.0, 0.5, 3.0)):
            self.assertAlmostEqual(value, expected, 6)

    def test_none_is_negative(self):
        self.assertEqual(least_squares([[1, 0], [0, 1], [1, 1]], [-1, 2, 1])[0], 0)

    def test_tile_is_no_part_of_the_class(self):
        self.assertEqual(shader("matmul_split(float16,float16) 512 8 32"), "matmul_split(float16,float16)")
        self.assertEqual(shader("topk_merge 128 4"), "topk_merge 128 4")
        self.assertEqual(shader("topk_merge 128 4 0"), "topk_merge 128 4")
        self.assertEqual(shader("beam_step 128 64 4 0 0 1"), "beam_step")
        self.assertEqual(shader("beam_step 128 128 4 1 1 64 0"), "beam_step and topk_merge 128 4")

    def test_joined_kernels_are_their_parts(self):
        table = Device.named("h100").table
        parts = {name: rates for name, rates in table["classes"].items() if " and " not in name and "query" not in name}
        device = Device(table | {"classes": parts})
        step, merge = device.rates("beam_step"), device.rates("topk_merge 128 4")
        joined = device.rates("beam_step 128 128 4 1 1 64")
        self.assertAlmostEqual(joined["fixed"], step["fixed"] + merge["fixed"])
        attention = device.rates("step_cross_attention(float16)")
        product = device.rates("matmul_split(float16,float16,float16)")
        joined = device.rates("step_cross_attention_query(float16,uint32,float16) 128 64 8 2 1 2 2")
        self.assertAlmostEqual(joined["fixed"], attention["fixed"])
        self.assertAlmostEqual(joined["serial"], attention["serial"] + product["serial"])

    def test_calibrated_rates_predict_another_list(self):
        with tempfile.TemporaryDirectory() as folder:
            lists = [made_up(folder, f"list{size}", size) for size in (3, 40, 150, 700, 2500)]
            table = calibrate("made up", lists, CACHE, 0.0)
            self.assertAlmostEqual(table["dispatch_seconds"], GAP, 9)
            self.assertAlmostEqual(table["timestamp_seconds"], MARK, 9)
            for size in (90, 1200):         # within the cache, and beyond
                report = predict.report(Device(table), Recorded(made_up(folder, "other", size)), measured=True)
                self.assertEqual(report["missing"], [])
                for p in report["passes"]:
                    self.assertAlmostEqual(p["ratio"], 1.0, 1, p)


class Scaled(unittest.TestCase):
    FIGURES = dict(latency_seconds=5e-7, matrix_flops_per_second=1e14,
                   vector_flops_per_second=1e13, cache_bytes_per_second=5e12, memory_bytes_per_second=1e12)

    def table(self, **changed):
        return dict(name="one", dispatch_seconds=1e-6, cache_bytes=1e6, submit_wait_seconds=0.0,
                    figures=self.FIGURES | changed, classes=RATES | {"coopmat": RATES["matmul(float32)"]})

    def ratio(self, name, term, **changed):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "base.json"
            path.write_text(json.dumps(self.table()))
            like = self.table(**changed) | {"like": str(path)}
            del like["classes"]
            return Device(like).classes[name][term] / RATES["matmul(float32)"][term]

    def test_rates_follow_figures(self):
        matrix = "matmul(float32)"
        self.assertAlmostEqual(self.ratio(matrix, "fixed", latency_seconds=1e-6), 2)
        self.assertAlmostEqual(self.ratio(matrix, "serial", latency_seconds=1e-6), 2)
        self.assertAlmostEqual(self.ratio(matrix, "groups", vector_flops_per_second=2e13), 0.5)
        self.assertAlmostEqual(self.ratio(matrix, "flops", vector_flops_per_second=2e13), 0.5)
        self.assertAlmostEqual(self.ratio("coopmat", "flops", vector_flops_per_second=2e13), 0.5)
        self.assertAlmostEqual(self.ratio("coopmat", "flops", matrix_flops_per_second=2e12), 5)
        self.assertAlmostEqual(self.ratio(matrix, "streamed", memory_bytes_per_second=4e12), 0.25)
        self.assertAlmostEqual(self.ratio(matrix, "cached", memory_bytes_per_second=4e12), 1)

    def test_tables_are_whole(self):
        tables = sorted(step_model.DEVICES.glob("*.json"))
        self.assertGreaterEqual(len(tables), 1)
        for path in tables:
            device = Device.named(path.stem)
            self.assertTrue(device.table.get("sources"), path)
            for name, rates in device.classes.items():
                self.assertEqual(set(rates), set(step_model.TERMS), f"{path.stem} {name}")
                self.assertTrue(all(r >= 0 for r in rates.values()) and any(rates.values()), f"{path.stem} {name}")


class Kernels(unittest.TestCase):
    """Rates of kernels that were measured one by one."""

    TABLE = step_model.DEVICES / "h100_kernels.tsv"

    def test_rates_give_the_times_back(self):
        device = Device.named("h100")
        for dispatch, seconds, timestamps in made_list.measured_kernels(self.TABLE):
            recorded = made_list.Made([dispatch])
            terms, rates = recorded.terms(dispatch, 0.0), device.rates(dispatch["kernel"])
            predicted = sum(terms[t] * rates[t] for t in step_model.TERMS) + (0.0 if timestamps else device.dispatch)
            self.assertTrue(0.6 < predicted / seconds < 1.4, f"{dispatch['kernel']}: {predicted} {seconds}")

    def test_table_has_them(self):
        device = Device.named("h100")
        found, table = predict.with_kernels(device, self.TABLE)["classes"], device.table["classes"]
        self.assertEqual(set(found), set(table))
        for name, rates in found.items():  # to the digits that are written; how Python adds depends on its version
            for term, rate in rates.items():
                most = 2e-3 * abs(table[name][term]) + 1e-6 * step_model.SCALE[term]
                self.assertLessEqual(abs(rate - table[name][term]), most, f"{name}: {term}")

    def test_no_kernel_passes_the_ceilings(self):
        device = Device.named("h100")
        points = [(made_list.Made([d]), s, t) for d, s, t in made_list.measured_kernels(self.TABLE)]
        for name, rates in step_model.fit_kernels(device, points).items():
            self.assertGreaterEqual(rates["flops"] * device.table["ceilings"]["flops_per_second"], 0.999, name)
            self.assertGreaterEqual(rates["streamed"] * device.table["ceilings"]["bytes_per_second"], 0.999, name)


class Made(unittest.TestCase):
    """Lists that nobody recorded."""

    BASE = step_changes.BASE

    def dispatches(self, kind, sentences, beam):
        return made_list.step(self.BASE, kind, "f16", sentences, beam, 12, 25)

    def test_dispatches_of_a_step(self):
        for sentences, beam, count in ((1, 1, 45), (512, 4, 70)):   # bench/results/2026-11-26-h100.md
            self.assertEqual(sum(d["count"] for d in self.dispatches("nvidia", sentences, beam)), count)

    def test_shapes_are_those_of_the_models(self):
        millions = {"comes with the library": 10.5, "Firefox, tiny": 17, "OPUS-MT (en-de)": 74, "OPUS-MT tc-big": 230,
                    "SMaLL-100": 333, "M2M-100 418M": 484, "NLLB-200 600M": 615, "NLLB-200 1.3B": 1370,
                    "NLLB-200 3.3B": 3340, "MADLAD-400 3B": 2940}      # docs/models.md
        for name, expected in millions.items():
            self.assertAlmostEqual(scale_table.MODELS[name].parameters() / 1e6 / expected, 1.0, 1, name)

    def test_memory_decides_how_many_sentences(self):
        shape = scale_table.MODELS["NLLB-200 3.3B"]
        most = [scale_table.most_sentences(Device.named(name), shape, "f16") for name in ("h100", "arc-b580", "adreno-740")]
        self.assertEqual(most[0], max(scale_table.ROWS))
        self.assertTrue(0 < most[1] < most[0] and most[2] == 0, most)

    def test_changes_only_save(self):
        for name in ("h100", "arc-b580"):
            device = Device.named(name)
            dispatches = self.dispatches(device.table["kernels"], 256, 4)
            now = step_changes.seconds(device, dispatches)
            for change in (step_changes.matrices, step_changes.split_inputs, step_changes.in_flight,
                           step_changes.one_pass_records, step_changes.merged_prefixes):
                self.assertLessEqual(step_changes.seconds(device, change(device, dispatches)), now * (1 + 1e-9), change)
        self.assertEqual({d["kernel"].split("(")[0] for d in step_changes.matrices(device, dispatches) if d.get("n")},
                         {"matmul_coopmat"})


class Real(unittest.TestCase):
    def test_recorded_list(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "list.json"
            subprocess.run([PROGRAM, "--model", MODEL, "--synthetic", "3", "--length", "6", "--max-length", "5",
                            "--beam", "2", "--repeat", "1", "--dispatches", "--json", str(path)], check=True,
                           stdout=subprocess.DEVNULL, env=os.environ | {"DRAGOMAN_GPU_KERNELS": "0"})
            recorded = Recorded(path)
            counted = 0
            for name, p in recorded.passes.items():
                own = [d for d in recorded.dispatches if d["pass"] == name]
                self.assertTrue(own, name)
                self.assertGreater(min(d["groups"] for d in own), 0, name)
                flops = p["gflops"] * p["seconds"] * 1e9
                self.assertAlmostEqual(sum(d["flops"] for d in own), flops, delta=1e-6 * flops + 1, msg=name)
                counted += sum(d["count"] for d in own)
            self.assertGreater(counted, 0)
            self.assertGreater(sum(d["waits"] for d in recorded.dispatches), 5)
            if not any("_texel" in d["kernel"] for d in recorded.dispatches):
                self.skipTest(f"lavapipe's table has rates for kernels of CPU devices; {recorded.json['device']} has others")
            report = predict.report(Device.named("lavapipe"), recorded, measured=True)
            self.assertEqual(report["missing"], [])
            # Tests run beside others, so that times say little: a factor that only a wrong unit exceeds.
            self.assertGreater(report["sentence_seconds"], 1e-5)
            self.assertLess(report["sentence_seconds"], 10)

    def test_made_lists_are_like_recorded_ones(self):
        """On the kernels of GPUs without cooperative matrices, which any device can run."""
        length, steps = 6, 5
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "list.json"
            subprocess.run([PROGRAM, "--model", MODEL, "--synthetic", "1", "--length", str(length), "--max-length",
                            str(steps), "--min-length", str(steps), "--compute-type", "float32", "--repeat", "1",
                            "--dispatches", "--json", str(path)], check=True, stdout=subprocess.DEVNULL,
                           env=os.environ | {"DRAGOMAN_GPU_KERNELS": "1", "DRAGOMAN_NO_COOPERATIVE_MATRICES": "1"})
            recorded = Recorded(path)
        model = recorded.json["model"]
        shape = made_list.Shape(tuple(model["layers"]), model["d_model"], (model["ffn"],) * 2, 8, model["vocabulary"])
        made = made_list.encoder(shape, "plain", "f32", 1, length)
        for d in made_list.step(shape, "plain", "f32", 1, 1, steps // 2, length):
            made.append(d | {key: steps * d[key] for key in ("count", "groups", "flops")})

        def sums(dispatches):
            found = {}
            for d in dispatches:
                if d["kernel"].startswith(("matmul", "step_")):
                    key = d["pass"], d["kernel"].split("(")[0].split(" ")[0]
                    found[key] = [a + d[k] for a, k in zip(found.get(key, (0, 0, 0)), ("count", "groups", "flops"))]
            return found

        self.assertEqual(sums(made), sums(recorded.dispatches))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
