# SPDX-License-Identifier: Apache-2.0
"""The cases that every way into the library runs."""
import json

import pytest
import record_golden

CASES = json.loads(record_golden.GOLDEN.read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def evaluation():
    return record_golden.Evaluation()


def same(found, expected, where=""):
    if isinstance(expected, float):
        assert abs(found - expected) <= 1e-3 * max(1, abs(expected)), where
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name in expected:
            same(found[name], expected[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for place, value in enumerate(expected):
            same(found[place], value, f"{where}[{place}]")
    else:
        assert found == expected, where


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_golden(evaluation, case):
    expected = {key: case[key] for key in ("expected", "error") if key in case}
    same(evaluation.outcome(case), expected)


def test_it_has_all_the_cases():
    inputs = [{key: value for key, value in case.items() if key not in ("expected", "error")} for case in CASES]
    assert inputs == record_golden.cases()
