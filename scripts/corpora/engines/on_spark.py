#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spark's standalone master with two workers on this machine; Python processes, executors, a worker and the driver are
killed in the middle.

    scripts/corpora/engines/on_spark.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs pyspark with a Java for it, and the package dragoman."""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

from common import Corpus, arguments, free_port, kill, kill_tree, processes_below, report, wait_until


class Cluster:
    def __init__(self, folder):
        import pyspark
        self.folder = folder
        self.home = pathlib.Path(pyspark.__file__).parent
        port = free_port()
        self.address = f"spark://127.0.0.1:{port}"
        self.environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1",
                            "PYSPARK_PYTHON": sys.executable, "SPARK_DAEMON_MEMORY": "256m"}
        self.master = self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
                                  "--port", port, "--webui-port", free_port())
        wait_until(lambda: self._answers(port), 120, "the master")
        self.workers = [self.worker(number) for number in range(2)]

    def _answers(self, port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def _start(self, name, kind, *rest):
        log = open(self.folder / f"{name}.log", "ab")
        return subprocess.Popen([self.home / "bin" / "spark-class", kind, *map(str, rest)], env=self.environment,
                                stdout=log, stderr=log)

    def worker(self, number):
        return self._start(f"worker-{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
                           "--cores", 1, "--memory", "768m", "--webui-port", free_port(), "--work-dir",
                           self.folder / f"worker-{number}", self.address)

    def stop(self):
        for process in [*self.workers, self.master]:
            for pid, _ in processes_below(process.pid):
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    pass
            process.kill()
            process.wait()


def written(corpus):
    """Rows of the batches that Spark says are committed."""
    import pyarrow.parquet as pq
    return sum(pq.ParquetFile(file).metadata.num_rows for file in committed(corpus))


def committed(corpus):
    """Files in the log of the sink, which is what readers of Spark see."""
    found = set()
    for log in sorted((corpus.folder / "out" / "_spark_metadata").glob("[0-9]*")):
        for line in log.read_text().splitlines()[1:]:
            entry = json.loads(line)
            found.add(pathlib.Path(entry["path"].removeprefix("file://")))
    return sorted(found)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--interface", choices=("arrow", "pandas"), default="arrow")
    options = parser.parse_args()
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pyspark
    corpus = Corpus(options, parts=16)
    began = time.monotonic()
    cluster = Cluster(corpus.folder)
    ready = time.monotonic()

    def driver():
        command = [sys.executable, pathlib.Path(__file__).with_name("spark_job.py"), cluster.address,
                   corpus.folder / "in", corpus.folder / "out", corpus.folder / "checkpoint", json.dumps(corpus.stage),
                   options.interface]
        with open(corpus.folder / "driver.log", "ab") as log:
            return subprocess.Popen(list(map(str, command)), env=cluster.environment, stderr=log)

    def pythons():  # forked workers, not the daemon above them
        return [pid for worker in cluster.workers for pid, line in processes_below(worker.pid)
                if "pyspark.daemon" in line and not any("pyspark.daemon" in below for _, below in processes_below(pid))]

    def executors():
        return [pid for worker in cluster.workers for pid, line in processes_below(worker.pid)
                if "CoarseGrainedExecutorBackend" in line]

    kinds = ["python", "executor", "worker", "driver"] * options.kills
    killed = dict.fromkeys(kinds, 0)
    job = driver()
    for place, kind in enumerate(kinds, 1):
        goal = options.rows * place // (len(kinds) + 1)
        wait_until(lambda: job.poll() is not None or (written(corpus) >= goal and pythons() and executors()), 1800,
                   f"{goal} rows")
        if job.poll() is not None:
            if job.returncode:
                raise SystemExit(f"the driver ended with {job.returncode}")
            break
        print(f"  {written(corpus)} rows are committed", flush=True)
        if kind == "python":
            kill(pythons()[0], "a Python worker")
        elif kind == "executor":
            kill(executors()[0], "an executor")
        elif kind == "worker":
            lost = cluster.workers.pop(0)
            kill_tree(lost.pid, "a worker and what is below it")
            lost.wait()
            cluster.workers.append(cluster.worker(2 + place))
        else:
            kill_tree(job.pid, "the driver, with its Java")
            job.wait()
            job = driver()
        killed[kind] += 1
    if job.wait():
        raise SystemExit(f"the driver ended with {job.returncode}")
    ended = time.monotonic()
    cluster.stop()
    tables = [pq.read_table(file, partitioning=None) for file in committed(corpus)]
    found = corpus.compare(pa.concat_tables(tables))
    report(options, engine=f"spark, {options.interface}", version=pyspark.__version__, killed=killed, **found,
           start_seconds=round(ready - began, 1), job_seconds=round(ended - ready, 1),
           tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
