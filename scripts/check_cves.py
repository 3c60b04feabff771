#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks OSV which known vulnerabilities the versions of a list (scripts/sbom.py) have.

    check_cves.py SBOM.json... [--accepted FILE] [--answers FILE] [--url https://api.osv.dev]

Debian's packages are looked up as such, with Debian's version, so that what a Debian patch mends counts as mended; the
others by their name and version in the ecosystem of sources. --accepted: lines ID REASON, of those that do not concern Dragoman
and why. --answers: answers that were recorded, instead of the network: {"BODY OF A QUERY": ANSWER}.
Exit codes: 0 none, 1 there are some, 2 a wrong call or answer, 4 the network or the service was not reached: nothing is
known then.
"""
import argparse
import json
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

AT_ONCE = 500
UNREACHED = 4
RELEASES = {"bookworm": "12", "trixie": "13", "forky": "14"}


class Unreached(Exception):
    pass


class Service:
    def __init__(self, url, answers):
        self.url, self.answers = url, answers

    def ask(self, queries):
        """The answer to a batch; OSV gives one result for each query, in order."""
        body = {"queries": queries}
        if self.answers is not None:
            key = json.dumps(body, sort_keys=True)
            if key not in self.answers:
                raise Unreached(f"no recorded answer to {key[:200]}")
            answer = self.answers[key]
        else:
            request = urllib.request.Request(f"{self.url}/v1/querybatch", json.dumps(body).encode(),
                                             {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as received:
                    answer = json.load(received)
            except (urllib.error.URLError, OSError) as problem:
                raise Unreached(f"{self.url}: {problem}") from None
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != len(queries):
            raise ValueError(f"expected {len(queries)} results, got {json.dumps(answer)[:200]}")
        return results


def query_of(component):
    purl = urllib.parse.urlsplit(component.get("purl", ""))
    suite = urllib.parse.parse_qs(purl.query).get("distro", [""])[0]
    if purl.path.startswith("deb/debian/") and suite in RELEASES:
        return {"package": {"name": component["name"], "ecosystem": f"Debian:{RELEASES[suite]}"}, "version": component["version"]}
    return {"package": {"name": component["name"], "ecosystem": "GIT"}, "version": component["version"]}


def look_up(service, components):
    """[(component, id)]; a long answer comes in pages."""
    found, waiting = [], [(component, query_of(component)) for component in components]
    while waiting:
        now, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        for (component, query), result in zip(now, service.ask([query for _, query in now])):
            found += [(component, each["id"]) for each in result.get("vulns", [])]
            if token := result.get("next_page_token"):
                waiting.append((component, {**query, "page_token": token}))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lists", nargs="+", type=pathlib.Path)
    parser.add_argument("--accepted", type=pathlib.Path)
    parser.add_argument("--answers", type=pathlib.Path)
    parser.add_argument("--url", default="https://api.osv.dev")
    options = parser.parse_args()
    components = {}
    for path in options.lists:
        for component in json.loads(path.read_text(encoding="utf-8"))["components"]:
            components[component["name"], component["version"]] = component
    accepted = {}
    if options.accepted:
        for line in options.accepted.read_text(encoding="utf-8").splitlines():
            name, _, reason = line.partition(" ")
            if line.strip() and not line.startswith("#"):
                if not reason.strip():
                    print(f"check_cves.py: {options.accepted}: expected ID REASON, got {line}", file=sys.stderr)
                    return 2
                accepted[name] = reason.strip()
    answers = json.loads(options.answers.read_text(encoding="utf-8")) if options.answers else None
    try:
        found = look_up(Service(options.url, answers), [components[key] for key in sorted(components)])
    except Unreached as problem:
        print(f"check_cves.py: not reached, nothing is known: {problem}", file=sys.stderr)
        return UNREACHED
    except (ValueError, KeyError, AttributeError) as problem:
        print(f"check_cves.py: an answer that it does not understand: {problem}", file=sys.stderr)
        return 2
    open_ones = 0
    for component, name in sorted(found, key=lambda pair: (pair[0]["name"], pair[1])):
        reason = accepted.get(name)
        open_ones += reason is None
        print(f"{component['name']} {component['version']}: {name}" + (f" (accepted: {reason})" if reason else ""))
    unused = sorted(set(accepted) - {name for _, name in found})
    if unused:
        print(f"accepted, and not found any more: {', '.join(unused)}")
    print(f"{len(components)} components, {len(found)} known vulnerabilities, {open_ones} of them not accepted")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
