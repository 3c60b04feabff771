# SPDX-License-Identifier: Apache-2.0
"""Ray, Spark, datasets, datatrove and Slurm's arrays: each program of engines/ with real processes that are killed. Those
whose engine this Python does not have are left out, and said so."""
import importlib.util
import json
import pathlib
import sys

PROGRAMS = {"on_slurm.py": "pyarrow", "on_datasets.py": "datasets", "on_datatrove.py": "datatrove", "on_ray.py": "ray",
            "on_spark.py": "pyspark"}


def run(trial):
    folder = pathlib.Path(__file__).with_suffix("")
    for program, module in PROGRAMS.items():
        if importlib.util.find_spec(module) is None:
            trial.note(program, f"{module} is not installed")
            continue
        work = trial.new_folder(program.removesuffix(".py"))
        command = [sys.executable, folder / program, "--tool", trial.tool, "--work", work, "--rows", trial.options.rows,
                   "--kills", max(1, trial.options.kills // 10), "--json", work / "result.json"]
        _, _, code, said = trial.run(command)
        result = work / "result.json"
        found = json.loads(result.read_text()) if result.exists() else {"said": said[-300:]}
        trial.note(found.pop("engine", program), ", ".join(f"{name} {value}" for name, value in found.items()), code == 0)
