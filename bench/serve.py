#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`dragoman serve` under load and misuse: serve.py [SCENARIO]...

    many       64 clients with a sentence each beside the tool on a file          (goal: 90 % of it)
    short      a lone short request beside two subtitle files and a document      (goal: p99 at most 5 times)
    crowded    2,000 idle connections and 64 slow senders                         (goal: the same rate)
    pipelined  five requests in one packet
    queue      more clients than may wait                                         (goal: told so within 50 ms)
    cancelled  clients that go away at any point
    killed     kill -9 in the middle of a document, and a new start
    memory     100,000 requests
    peers      CTranslate2 behind a plain server, and LibreTranslate, with the same weights: --ct2, --python

Standard library only; `peers` needs a Python with ctranslate2, sentencepiece, libretranslate and spacy, and the model
as CTranslate2 converts it. Writes results/serve.json and a table; exits with 1 where a goal is missed."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path[1:1] = [str(PROJECT / "tests" / "serve")]
from service import Service  # noqa: E402
from serving import faults, memory, peers, speed  # noqa: E402

SCENARIOS = {"many": speed.many_clients, "short": speed.short_beside_long, "crowded": speed.crowded,
             "pipelined": faults.pipelined, "queue": faults.beyond_the_queue, "cancelled": faults.cancelled,
             "killed": faults.killed, "memory": memory.many_requests, "peers": peers.compare}


def machine():
    model = next((line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.processor())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True)
    return {"date": datetime.date.today().isoformat(), "cores": os.cpu_count(), "processor": model,
            "commit": commit.stdout.strip()}


def table(machine, results):
    lines = [f"# The service under load, {machine['date']}", "",
             f"`bench/serve.py`, commit {machine['commit']}, {machine['cores']} cores ({machine['processor']}); clients, "
             "service and its device (software Vulkan) on the same machine. Load average: of the minute before.", "",
             "| scenario | goal | met | load before | figures |", "|---|---|---|---:|---|"]
    for name, result in results.items():
        figures = {key: value for key, value in result.items() if key not in ("goal", "met", "load", "servers")}
        text = json.dumps(figures, ensure_ascii=False).replace("|", "\\|")
        lines.append(f"| {name} | {result.get('goal', '')} | {'yes' if result.get('met') else 'no'} | {result['load']} | "
                     f"{text if 'servers' not in result else 'below'} |")
    servers = results.get("peers", {}).get("servers", {})
    if servers:
        lines += ["", "The same weights, beam 4, the same clients, one server after the other:", "",
                  "| server | 64 clients: sentences/s | for a second of processors | p50 ms | p99 ms | "
                  "one client: p50 ms | p99 ms | memory MB |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
        for name, each in servers.items():
            many, one = each.get("64_clients", {}), each.get("one_client", {})
            cells = [name, many.get("sentences_per_s", each.get("skipped", "")[:60])]
            cells += [many.get(key, "") for key in ("sentences_per_cpu_s", "p50_ms", "p99_ms")]
            cells += [one.get("p50_ms", ""), one.get("p99_ms", ""), each.get("peak_mb", "")]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS) + "; default: all")
    parser.add_argument("--tool", default=str(PROJECT / "build" / "release" / "bin" / "dragoman"))
    parser.add_argument("--lines", type=int, default=500, help="that the tool translates in a turn")
    parser.add_argument("--rounds", type=int, default=3, help="turns of what is compared")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--probes", type=int, default=300)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--ct2", type=pathlib.Path, help="the model that ships, converted by CTranslate2")
    parser.add_argument("--python", type=pathlib.Path, help="with the packages of the peers")
    parser.add_argument("--peer-seconds", type=float, default=30)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    settings = parser.parse_args()
    if unknown := set(settings.scenarios) - set(SCENARIOS):
        parser.error(f"{', '.join(unknown)}: there are {', '.join(SCENARIOS)}")
    if "peers" in settings.scenarios and not (settings.ct2 and settings.python):
        parser.error("peers needs --ct2 and --python")
    settings.service = lambda *more: Service(settings.tool, str(PROJECT), *more)
    settings.results.mkdir(parents=True, exist_ok=True)
    file = settings.results / "serve.json"
    whole = json.loads(file.read_text()) if file.exists() else {"results": {}}
    whole["machine"] = machine()
    chosen = settings.scenarios or [name for name in SCENARIOS if name != "peers" or (settings.ct2 and settings.python)]
    for name in chosen:
        load = round(os.getloadavg()[0], 2)
        result = whole["results"][name] = {**SCENARIOS[name](settings), "load": load}
        print(name, json.dumps(result, ensure_ascii=False), flush=True)
        file.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    ordered = {name: whole["results"][name] for name in SCENARIOS if name in whole["results"]}
    (settings.results / f"{whole['machine']['date']}-serve.md").write_text(table(whole["machine"], ordered))
    sys.exit(0 if all(whole["results"][name]["met"] for name in chosen) else 1)


if __name__ == "__main__":
    main()
