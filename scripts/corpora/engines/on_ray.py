#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ray with three nodes on this machine; actors, a node and the driver are killed in the middle.

    scripts/corpora/engines/on_ray.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs ray[data] and the package dragoman."""
import json
import os
import pathlib
import subprocess
import sys
import time

from common import Corpus, arguments, free_port, kill, processes_below, report, wait_until


# Where a machine is busy with other things, the parts of a node take longer to start than Ray waits, and workers, which
# give way to all others, get nowhere.
PATIENCE = {"RAY_raylet_start_wait_time_s": "300", "RAY_agent_register_timeout_ms": "300000",
            "RAY_worker_register_timeout_seconds": "300", "RAY_worker_niceness": "0", "RAY_memory_monitor_refresh_ms": "0"}


def node(cpus):
    ports = ("metrics_agent_port", "metrics_export_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
    return {"num_cpus": cpus, **{name: free_port() for name in ports}}


def driver(cluster, corpus):
    command = [sys.executable, pathlib.Path(__file__).with_name("ray_job.py"), cluster.address, corpus.folder / "in",
               corpus.folder / "out", corpus.folder / "checkpoint", json.dumps(corpus.stage)]
    return subprocess.Popen(list(map(str, command)))


def written(corpus):
    import pyarrow.parquet as pq
    count = 0
    for file in (corpus.folder / "out").glob("*.parquet"):
        try:
            count += pq.ParquetFile(file).metadata.num_rows
        except (OSError, ValueError):  # is being written
            pass
    return count


def actors():
    return [pid for pid, line in processes_below(os.getpid()) if line.startswith("ray::") and "Translate" in line]


def main():
    options = arguments(__doc__).parse_args()
    for name, value in PATIENCE.items():  # read when ray is imported
        os.environ.setdefault(name, value)
    import pyarrow.parquet as pq
    import ray
    from ray.cluster_utils import Cluster
    corpus = Corpus(options)
    began = time.monotonic()
    cluster = Cluster(initialize_head=True, head_node_args={**node(0), "include_dashboard": False})
    nodes = [cluster.add_node(**node(2)) for _ in range(2)]
    ready = time.monotonic()
    kinds = ["actor", "node", "driver"] * options.kills
    killed = dict.fromkeys(kinds, 0)
    job = driver(cluster, corpus)
    for place, kind in enumerate(kinds, 1):
        goal = options.rows * place // (len(kinds) + 1)
        wait_until(lambda: job.poll() is not None or (written(corpus) >= goal and actors()), 1800, f"{goal} rows")
        if job.poll() is not None:
            if job.returncode:
                raise SystemExit(f"the driver ended with {job.returncode}")
            break
        print(f"  {written(corpus)} rows are written", flush=True)
        if kind == "actor":
            kill(actors()[0], "actor")
        elif kind == "node":
            print("  kill node", flush=True)
            lost = nodes.pop(0)
            cluster.remove_node(lost, allow_graceful=False)
            nodes.append(cluster.add_node(**node(2)))
        else:
            kill(job.pid, "driver")
            job.wait()
            job = driver(cluster, corpus)
        killed[kind] += 1
    if job.wait():
        raise SystemExit(f"the driver ended with {job.returncode}")
    ended = time.monotonic()
    found = corpus.compare(pq.read_table(corpus.folder / "out"))
    cluster.shutdown()
    report(options, engine="ray", version=ray.__version__, killed=killed, **found,
           start_seconds=round(ready - began, 1), job_seconds=round(ended - ready, 1),
           tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
