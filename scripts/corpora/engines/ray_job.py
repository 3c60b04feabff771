# SPDX-License-Identifier: Apache-2.0
"""A driver of Ray, as a user has it: ray_job.py ADDRESS INPUT OUTPUT CHECKPOINT STAGE"""
import json
import pathlib
import sys
import time

import ray

import dragoman.ray

address, source, target, checkpoint, stage = sys.argv[1:]
began = time.monotonic()
ray.init(address=address, log_to_driver=False)
parts = len(list(pathlib.Path(source).glob("*.parquet")))
rows = ray.data.read_parquet(source, override_num_blocks=parts)  # what is lost is a part, and no more is done again
done = dragoman.ray.translate(rows, num_cpus=1, workers=(1, 2), block_bytes=16 << 10, batch_characters=8000,
                              checkpoint=checkpoint, id_column="id", **json.loads(stage))
done.write_parquet(target)
print(f"job {time.monotonic() - began:.1f} s")
