#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""supply_test.py PROJECT [BUILD]: scripts/check_cves.py reads answers as OSV gives them, in pages, with accepted ones, and says
by its exit code when nothing was reached; with a build, scripts/sbom.py lists what is linked, the same each time."""
import json
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(sys.argv[1])
COMPONENTS = [{"name": "expat", "version": "2.5.0-1", "purl": "pkg:deb/debian/expat@2.5.0-1?arch=source&distro=bookworm"},
              {"name": "volk", "version": "304"},
              {"name": "zlib", "version": "1:1.2.13", "purl": "pkg:deb/debian/zlib@1%3A1.2.13?arch=source&distro=bookworm"}]
QUERIES = [{"package": {"name": "expat", "ecosystem": "Debian:12"}, "version": "2.5.0-1"},
           {"package": {"name": "volk", "ecosystem": "GIT"}, "version": "304"},
           {"package": {"name": "zlib", "ecosystem": "Debian:12"}, "version": "1:1.2.13"}]
wrong = []


def expect(what, seen, wanted):
    if seen != wanted:
        wrong.append(f"{what}: expected {wanted!r}, got {seen!r}")


def key(queries):
    return json.dumps({"queries": queries}, sort_keys=True)


def check(folder, results, *more):
    """The exit code and what was said, for results of the first query."""
    (folder / "list.json").write_text(json.dumps({"components": COMPONENTS}), encoding="utf-8")
    paged = key([{**QUERIES[0], "page_token": "more"}])
    answers = {key(QUERIES): {"results": results}, paged: {"results": [{"vulns": [{"id": "DEBIAN-CVE-2"}]}]}}
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    run = subprocess.run([sys.executable, PROJECT / "scripts/check_cves.py", folder / "list.json", "--answers",
                          folder / "answers.json", *more], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def cves(folder):
    code, said = check(folder, [{}, {}, {}])
    expect("nothing known", code, 0)
    code, said = check(folder, [{"vulns": [{"id": "DEBIAN-CVE-1", "modified": "2026-01-01T00:00:00Z"}],
                                 "next_page_token": "more"}, {}, {}])
    expect("two of them, in two pages", (code, "expat 2.5.0-1: DEBIAN-CVE-1" in said, "expat 2.5.0-1: DEBIAN-CVE-2" in said),
           (1, True, True))
    accepted = folder / "accepted"
    accepted.write_text("# judged\nDEBIAN-CVE-1 the library does not parse DTDs from the network\nDEBIAN-CVE-9 old\n", encoding="utf-8")
    code, said = check(folder, [{"vulns": [{"id": "DEBIAN-CVE-1"}]}, {}, {}], "--accepted", accepted)
    expect("an accepted one", (code, "(accepted: the library" in said, "not found any more: DEBIAN-CVE-9" in said), (0, True, True))
    accepted.write_text("DEBIAN-CVE-1\n", encoding="utf-8")
    expect("an accepted one without a reason", check(folder, [{}, {}, {}], "--accepted", accepted)[0], 2)
    expect("too few results", check(folder, [{}, {}])[0], 2)
    (folder / "answers.json").write_text("{}", encoding="utf-8")
    for more in (["--answers", folder / "answers.json"], ["--url", "http://127.0.0.1:1"]):
        run = subprocess.run([sys.executable, PROJECT / "scripts/check_cves.py", folder / "list.json", *more], capture_output=True,
                             text=True, check=False)
        expect(f"not reached, {more[0]}", (run.returncode, "nothing is known" in run.stderr), (4, True))


def sbom(folder, build):
    made = []
    for name in ("a.json", "b.json"):
        run = subprocess.run([sys.executable, PROJECT / "scripts/sbom.py", build, "-o", folder / name, "--validate"],
                             capture_output=True, text=True, check=False)
        if run.returncode not in (0, 3):  # 3: without a validator
            wrong.append(f"sbom.py: exit code {run.returncode}: {run.stderr}")
            return
        made.append((folder / name).read_bytes())
    expect("the same bytes", made[0], made[1])
    data = json.loads(made[0])
    names = {each["name"] for each in data["components"]}
    expect("the format", (data["bomFormat"], data["specVersion"]), ("CycloneDX", "1.5"))
    expect("what every build has", {"sentencepiece", "icu", "fmtlib", "zlib", "nlohmann-json3"} - names, set())
    expect("Vulkan's headers, of an SDK or of Debian's package", bool({"vulkan-headers", "vulkan-loader"} & names), True)
    expect("what belongs to the system", names & {"glibc", "gcc-12", "doctest"}, set())
    for each in data["components"]:
        expect(f"{each['name']} has a version and a licence", bool(each["version"] and each["licenses"][0]["license"]["id"]), True)


def main():
    with tempfile.TemporaryDirectory() as name:
        cves(pathlib.Path(name))
        if len(sys.argv) > 2:
            sbom(pathlib.Path(name), sys.argv[2])
    for line in wrong:
        print(line)
    print(f"{len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
