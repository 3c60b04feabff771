# SPDX-License-Identifier: Apache-2.0
"""Records the cases of existing expected.json files again, without making or training the models anew.

    python rerecord_expectations.py MODEL_DIRECTORY...
"""
import argparse
import json
import pathlib

from record_expectations import contradicts_itself, open_model, save, translate


def rerecord(directory):
    path = directory / "expected.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    model = open_model(directory)
    dropped, changed, cases = 0, 0, []
    for case in recorded["cases"]:
        prefix = case["target_prefix"]
        expected = translate(model, case["source"], prefix, case["options"])
        keep = [i for i, result in enumerate(expected)
                if not contradicts_itself(model, case["source"][i], prefix[i] if prefix else None, case["options"],
                                          result)]
        changed += sum(expected[i] != case["expected"][i] for i in keep)
        dropped += len(expected) - len(keep)
        if keep:
            cases.append({**case, "source": [case["source"][i] for i in keep],
                          "target_prefix": [prefix[i] for i in keep] if prefix else None,
                          "expected": [expected[i] for i in keep]})
    save(path, {**recorded, "cases": cases})
    print(f"{directory.name}: {changed} results changed, {dropped} dropped")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    for folder in parser.parse_args().directories:
        rerecord(folder)
