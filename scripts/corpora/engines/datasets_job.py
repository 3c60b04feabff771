# SPDX-License-Identifier: Apache-2.0
"""A program with datasets, as a user has it: datasets_job.py INPUT OUTPUT CACHE STAGE KIND

KIND: fork, fork-after-use, spawn or other"""
import json
import pathlib
import sys
import time

import datasets

import dragoman.datasets


def main():
    source, target, cache, stage, kind = sys.argv[1:]
    arguments = json.loads(stage)
    if kind == "spawn":
        import multiprocess
        multiprocess.set_start_method("spawn")
    datasets.disable_progress_bars()
    rows = datasets.load_dataset("parquet", data_files=f"{source}/*.parquet", split="train", cache_dir=cache)
    own = {}
    if kind in ("fork-after-use", "spawn"):  # other files than those that were kept
        own["cache_file_name"] = f"{cache}/{kind}.arrow"
        pathlib.Path(own["cache_file_name"]).unlink(missing_ok=True)
    if kind == "other":
        arguments["outputs"] = ["score"]
    function = dragoman.datasets.translate(**arguments)
    if kind == "fork-after-use":
        function(rows[:2])
    before = sum(1 for _ in pathlib.Path(cache).rglob("*.arrow"))
    began = time.monotonic()
    done = rows.map(function, batched=True, batch_size=500, num_proc=2, **own)
    seconds = time.monotonic() - began
    made = sum(1 for _ in pathlib.Path(cache).rglob("*.arrow")) - before
    pathlib.Path(target).mkdir(exist_ok=True)
    done.to_parquet(f"{target}/all.parquet")
    print(json.dumps({"made": made, "seconds": round(seconds, 1)}))


if __name__ == "__main__":
    main()
