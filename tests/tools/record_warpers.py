#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_warpers.py > tests/ops/warper_cases.h: what the logits warpers of transformers leave of some logits. Recorded
with transformers 5.23 and torch 2."""
import itertools
import textwrap

import torch
from transformers import MinPLogitsWarper, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

COLUMNS = 40
LEAST = 6e-3  # probability of what is kept, so that drawing finds all of it
MARGIN = 1e-4  # of top_p and min_p, so that rounding does not matter

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by tests/tools/record_warpers.py: what transformers' warpers keep of these logits.
#pragma once

#include <cstdint>
#include <vector>

namespace dragoman::test {

struct WarperCase {
    float temperature;
    uint32_t top_k;
    float top_p, min_p;
    std::vector<float> logits;
    std::vector<uint32_t> kept;
};

inline const std::vector<WarperCase> kWarperCases = {"""


def warp(logits, temperature, top_k, top_p, min_p):
    """What is kept, or None where rounding might decide."""
    scores = logits[None]
    if temperature != 1:
        scores = TemperatureLogitsWarper(temperature)(None, scores)
    if top_k:
        scores = TopKLogitsWarper(top_k)(None, scores)
    if top_p < 1:
        rising = scores.double().softmax(-1).sort(-1).values.cumsum(-1)
        if ((rising - (1 - top_p)).abs() < MARGIN).any():
            return None
        before = scores
        scores = TopPLogitsWarper(top_p)(None, scores)
        kept, lost = scores[scores > -1e30], before[(scores < -1e30) & (before > -1e30)]
        if len(lost) and lost.max() == kept.min():  # equal ones, of which sorting chooses
            return None
    if min_p:
        ratio = (scores.double() - scores.max()).exp()
        if ((ratio - min_p).abs() < MARGIN * min_p).any():
            return None
        scores = MinPLogitsWarper(min_p)(None, scores)
    probabilities = scores.softmax(-1)[0]
    kept = (scores[0] > -1e30).nonzero()[:, 0]
    return kept.tolist() if probabilities[kept].min() > LEAST else None


def main():
    torch.manual_seed(19)
    print(HEAD)
    wanted = [(t, k, p, m) for t, k, p, m in itertools.product((0.5, 1.0, 1.8), (0, 1, 7, 30), (1.0, 0.3, 0.9), (0.0, 0.1))
              if (k, p, m) != (0, 1.0, 0.0)]
    for number, (temperature, top_k, top_p, min_p) in enumerate(wanted):
        step = 0.5 if number % 3 == 0 else 2**-10  # with and without equal values
        kept = None
        while kept is None:
            logits = (torch.randn(COLUMNS) * (1.0 if top_k != 30 else 0.6) / step).round() * step
            kept = warp(logits, temperature, top_k, top_p, min_p)
        numbers = ", ".join(f"{value:.10g}f" if "." in f"{value:.10g}" else f"{value:.1f}f" for value in logits.tolist())
        print(f"    {{{temperature}f, {top_k}, {top_p}f, {min_p}f,")
        for row, end in ((numbers, ","), (", ".join(map(str, kept)), "},")):
            print(textwrap.fill(f"{{{row}}}{end}", 118, initial_indent="     ", subsequent_indent="      "))
    print("};\n\n}  // namespace dragoman::test")


main()
