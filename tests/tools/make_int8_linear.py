#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/int8/linear.json: linear maps in int8 as CTranslate2 has them, computed by NumPy.

Weights and inputs are rounded row by row, each row by its scale 127 / max |row|, to even; sums are whole numbers. `ties`
has inputs that lie between two whole numbers, `zeros` rows of zeros. Needs numpy only.
"""
import json
import pathlib

import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[1] / "data" / "int8" / "linear.json"


def rounded(rows):
    largest = np.abs(rows).max(axis=1)
    scale = np.where(largest > 0, np.float32(127) / np.where(largest > 0, largest, 1), 1).astype(np.float32)
    return np.rint(rows * scale[:, None]).astype(np.int64), scale


def case(name, x, w, bias):
    x, w, bias = (np.round(np.asarray(a, dtype=np.float32), 3) for a in (x, w, bias))
    xq, xs = rounded(x)
    wq, ws = rounded(w)
    y = (xq @ wq.T).astype(np.float64) / (xs[:, None].astype(np.float64) * ws[None, :]) + bias
    def plain(values):
        return [[float(f"{value:.9g}") for value in row] for row in np.atleast_2d(values)]
    return {"name": name, "x": plain(x), "w": plain(w), "bias": plain(bias)[0], "y": plain(y)}


def main():
    rng = np.random.default_rng(11)
    cases = []
    for name, rows, n, k in (("small", 3, 5, 8), ("ragged", 4, 67, 37), ("panels", 2, 130, 20)):
        cases.append(case(name, rng.standard_normal((rows, k)), rng.standard_normal((n, k)), rng.standard_normal(n)))
    # Multiples of a half where the scale is 1: rounded to even.
    halves = np.tile(np.arange(-11.5, 12.5), (2, 1))
    halves[:, 0] = 127, -127
    cases.append(case("ties of inputs", halves, np.eye(24), np.zeros(24)))
    cases.append(case("ties of weights", np.eye(24), halves, np.zeros(2)))
    x, w = rng.standard_normal((4, 16)), rng.standard_normal((6, 16))
    x[1], w[2], w[5, 3] = 0, 0, 60
    cases.append(case("zeros", x, w, rng.standard_normal(6)))
    OUT.parent.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases)
    OUT.write_text(f'{{"generator":"numpy {np.__version__}","cases":[\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
