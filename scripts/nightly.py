#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of scripts/nightly.sh, which says what there is to choose."""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STATE = ROOT / "build/nightly"
JOBS = str(os.cpu_count())
BUILD = "CMAKE_ARGS='-DDRAGOMAN_BUILD_TESTS=ON -DDRAGOMAN_FAST_BUILD=OFF' scripts/build.sh all"
CTEST = f"ctest --test-dir build/release --output-on-failure -j {JOBS}"
SANITIZED = "cmake --preset {0} -DDRAGOMAN_BUILD_TESTS=ON && cmake --build build/{0} && ctest --preset {0} -j " + JOBS + " {1}"
HAMMER = ("cmake --preset {0} -DDRAGOMAN_BUILD_TESTS=ON && cmake --build build/{0} --target capi_hammer capi_hammer_all && "
          "build/{0}/tests/capi_hammer <1800> 16 && build/{0}/tests/capi_hammer_all <1800> 16")
# Name, hours of two cores, command. A number in <> is a length that --short divides. A script that ends with 4 or 77 says
# that something it needs is not there.
PARTS = [
    ("build", 1.0, f"scripts/setup.sh --tests && {BUILD}"),
    ("tests.quick", 0.1, f"{CTEST} -L '^quick$'"),
    ("tests.rest", 1.5, f"{CTEST} -LE '^(quick|nightly)$'"),
    ("tests.sweeps.ops", 2.0, f"{CTEST} -L '^nightly$' -R '^ops'"),
    ("tests.sweeps.nn", 2.0, f"{CTEST} -L '^nightly$' -R '^nn'"),
    ("tests.sweeps.others", 1.0, f"{CTEST} -L '^nightly$' -E '^(ops|nn|faults)'"),
    ("faults.files", 0.5, f"{CTEST} -L '^nightly$' -R '^faults[.]files'"),
    ("faults.allocations", 2.0, f"{CTEST} -L '^nightly$' -R '^faults[.]allocations'"),
    *((f"faults.vulkan.{family}", 0.5, f"{CTEST} -L '^nightly$' -R '^faults[.]vulkan[.]{family}([.]|$)'")
      for family in re.findall(r'\{\.name = "([^"]+)"', (ROOT / "tests/faults/vulkan_families.h").read_text(encoding="utf-8"))),
    ("asan", 3.0, SANITIZED.format("asan", "-LE nightly")),
    ("tsan", 4.0, SANITIZED.format("tsan", "-LE nightly -R '^(base|engine|decode|pipeline|capi)[.]'")),
    ("hammer.asan", 1.2, HAMMER.format("asan")),
    ("hammer.tsan", 1.2, HAMMER.format("tsan")),
    ("fuzz", 7.0, "scripts/fuzz.sh --seconds <600>"),
    ("fuzz.http", 1.0, "rm -f build/nightly/ready; build/release/bin/dragoman serve --port 0 --log none --ready-file "
                       "build/nightly/ready & service=$!; trap 'kill $service' EXIT; until [ -s build/nightly/ready ]; do sleep 0.2; "
                       "done; python3 scripts/fuzz_http.py $(cat build/nightly/ready) --count <1000000>"),
    ("soak.binding", 8.0, "python3 scripts/soak.py --way binding --sentences <1000000> --picture build/nightly/soak-binding.svg"),
    ("soak.service", 8.0, "python3 scripts/soak.py --way service --sentences <1000000> --picture build/nightly/soak-service.svg"),
    ("clients", 1.0, "python3 scripts/try_clients.py"),
    ("corpora", 1.0, "python3 scripts/try_corpora.py"),
    ("registries", 0.5, "python3 scripts/try_registries.py"),
    ("reproduce", 0.6, "scripts/reproduce.sh"),
    ("vulnerabilities", 0.1, "for of in library tool wheel; do python3 scripts/sbom.py build/release --of $of -o "
                             "build/nightly/$of.json; done && python3 scripts/check_cves.py build/nightly/{library,tool,wheel}.json"),
]
WORDS = {0: "passed", 4: "not reached", 77: "not here", 124: "ended by its limit", 143: "stopped"}


def of_length(command, short):
    return re.sub(r"<(\d+)>", lambda found: str(max(1, round(int(found[1]) / short))), command)


def commit():
    said = subprocess.run(["git", "log", "-1", "--format=%h"], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def read(name):
    path = STATE / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def figures(log):
    """What its last lines say in numbers: of ctest, of the hammer, of fuzz.sh, of soak.py."""
    text = log.read_text(encoding="utf-8", errors="replace")[-60000:]
    found = []
    for pattern in (r"\d+% tests passed, \d+ tests failed out of \d+", r"\d+ translations, \d+ \w+.*", r"\d+ of \d+ (?:clients|registries).*",
                    r"\d+ components, .*",
                    r"\d+ requests in \d+ connections.*"):
        found += re.findall(pattern, text)
    executions = [int(n) for n in re.findall(r"^== \S+: (\d+) executions", text, re.M)]
    if executions:
        found.append(f"{len(executions)} readers, {sum(executions):,} executions")
    if slope := re.findall(r'"resident_mb_per_100000": (\S+),', text):
        found.append(f"{slope[-1]} MB of memory in 100,000 sentences")
    return "; ".join(found[-3:])


def run(name, command, hours, short):
    log = STATE / f"{name}.log"
    begun, started = time.monotonic(), datetime.datetime.now(datetime.timezone.utc)
    print(f"== {name}: {command}", flush=True)
    with log.open("w", encoding="utf-8") as out:
        try:
            code = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
                                  check=False, timeout=hours * 3600 * 4).returncode
        except subprocess.TimeoutExpired:
            code = 124
    result = {"part": name, "command": command, "commit": commit(), "started": started.strftime("%F %H:%M"), "code": code,
              "short": short, "seconds": round(time.monotonic() - begun), "load": round(os.getloadavg()[1], 1), "figures": figures(log)}
    (STATE / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"== {name}: {WORDS.get(code, f'failed ({code})')} after {result['seconds']} s; {result['figures']}", flush=True)
    return code


def page():
    """Rows of parts that ran elsewhere, of which this folder knows nothing, stay as they are."""
    path, rows = ROOT / "docs/nightly.md", []
    old = {row.split("|")[1].strip(): row for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("| ")}
    for name, hours, command in PARTS:
        done = read(name)
        shown = (done["command"] if done else of_length(command, 1)).replace("|", "\\|")
        shown = re.sub(" --test-dir build/release --output-on-failure -j [0-9]+", "", shown)
        if len(shown) > 70:
            shown = shown[:67] + "..."
        if done:
            word = WORDS.get(done["code"], f"failed ({done['code']})")
            if done["short"] != 1:
                word += f", with 1/{done['short']:g} of its length"
            rows.append(f"| {name} | `{shown}` | {word} | {done['started']} | {done['seconds']} | {done['commit']} | {done['figures']} |")
        else:
            rows.append(old.get(name, f"| {name} | `{shown}` | not run | | about {hours:g} h | | |"))
    path.write_text(f"""# What runs at night

This page is for those who change Dragoman or ship it: it says what takes too long for every change, and when it ran last.

```text
scripts/nightly.sh --list          # the parts, and what became of them
scripts/nightly.sh                 # all of them; what was done for this commit is not done again
scripts/nightly.sh --part 2/4      # the second of four shares
scripts/nightly.sh fuzz soak.binding
scripts/nightly.sh --short 10 fuzz # a tenth of the time
```

Each part's output is in `build/nightly/PART.log`, what came of it in `build/nightly/PART.json`; `--page` writes this page of
these, and leaves the rows of parts that ran elsewhere. A part that needs what is not there (a network, a driver) says so
and is no failure. Times are of the machine that ran it, with two cores unless it says otherwise.

| part | command | result | begun (UTC) | seconds | commit | figures |
|---|---|---|---|---|---|---|
""" + "\n".join(rows) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--part")
    parser.add_argument("--short", type=float, default=1)
    options = parser.parse_args()
    if options.help:
        lines = (ROOT / "scripts/nightly.sh").read_text(encoding="utf-8").splitlines()[2:]
        print("\n".join(line[2:] for line in lines if line.startswith("#")))
        return 0
    STATE.mkdir(parents=True, exist_ok=True)
    names = [name for name, _, _ in PARTS]
    if unknown := set(options.parts) - set(names):
        print(f"nightly.sh: expected some of {', '.join(names)}, got {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    chosen = [part for part in PARTS if not options.parts or part[0] in options.parts]
    if options.part:
        given = re.fullmatch(r"(\d+)/(\d+)", options.part)
        share, of = (int(number) for number in given.groups()) if given else (0, 0)
        if not 1 <= share <= of:
            print(f"nightly.sh: expected N/M with N from 1 to M, got {options.part}", file=sys.stderr)
            return 2
        chosen = chosen[share - 1::of]
    if options.page:
        page()
        return 0
    here, failed = commit(), []
    for name, hours, command in chosen:
        done = read(name)
        current = done and done["commit"] == here and done["code"] in (0, 4, 77) and done["short"] <= options.short
        if options.list:
            print(f"{name:20} {hours:4g} h  {WORDS.get(done['code'], 'failed') + ' ' + done['started'] if done else 'not run'}")
        elif current and not options.again:
            print(f"== {name}: done for {here}")
        elif run(name, of_length(command, options.short), hours, options.short) not in (0, 4, 77):
            failed.append(name)
    if not options.list:
        page()
    if failed:
        print(f"nightly.sh: failed: {', '.join(failed)}; see build/nightly/PART.log", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
