#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""try_registries.py [--tool DRAGOMAN] [--only ID]... [--most MB]: for a machine with a network. Takes a small model of each
registry: searches, downloads, checks and loads it, translates a sentence, and prints a table. What it downloads, at most
--most MB for each registry, lies in a folder of its own that goes in the end. Exit codes: 0 all, 1 one failed, 4 none was
reached: nothing is known then."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HUB = "hf:Helsinki-NLP/opus-mt-en-de"  # it has no list
SENTENCES = {"en": "Good morning! How did you sleep?", "de": "Guten Morgen! Wie haben Sie geschlafen?",
             "fr": "Bonjour ! Avez-vous bien dormi ?", "es": "¡Buenos días! ¿Cómo has dormido?",
             "ca": "Bon dia! Com has dormit?", "cs": "Dobré ráno! Jak jsi spal?", "sk": "Dobré ráno! Ako si spal?",
             "sw": "Habari za asubuhi! Umelalaje?", "ja": "おはようございます。よく眠れましたか。"}


UNREACHED = 4


class Failed(Exception):
    @property
    def unreached(self):
        return "is there a network" in str(self)


def run(tool: str, environment: dict, *words: str) -> str:
    ran = subprocess.run([tool, *words], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    if ran.returncode != 0:
        raise Failed(ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else f"exit code {ran.returncode}")
    return ran.stdout


def smallest(models: list[dict], most: float) -> dict:
    """Of those whose sentence is known here; sizes that no list has count as large."""
    usable = [one for one in models if one["from"] and one["from"][0] in SENTENCES and len(one["from"]) == 1]
    if not usable:
        raise Failed(f"{len(models)} models in its list, none from {', '.join(SENTENCES)}")
    found = min(usable, key=lambda one: one["bytes"] or 1 << 40)
    if found["bytes"] > most * 1e6:
        raise Failed(f"{found['name']}, its smallest, has {found['bytes'] / 1e6:.0f} MB, --most {most:.0f}")
    return found


def try_one(tool: str, environment: dict, registry: dict, most: float) -> list[str]:
    begin = time.monotonic()
    models, name = [], HUB
    if registry["list_url"]:
        lines = run(tool, environment, "models", "search", "--registry", registry["id"], "--json")
        models = [json.loads(line) for line in lines.splitlines()]
        name = smallest(models, most)["name"]
    kept = json.loads(run(tool, environment, "models", "download", name, "--yes", "--json", "--no-progress").splitlines()[-1])
    run(tool, environment, "models", "verify", name)
    source = (kept["from"] or ["en"])[0]
    target = ["--to", kept["to"][0]] if len(kept["to"]) == 1 else ["--to", "de"]
    text = run(tool, environment, "translate", "--model", name, *target, "--text", SENTENCES[source]).strip()
    hashed = sum(file.get("proof") == "published" for file in kept["files"])
    return [str(len(models) or "none"), name, f"{kept['bytes'] / 1e6:.1f} MB", f"{hashed} of {len(kept['files'])}", text,
            f"{time.monotonic() - begin:.0f} s"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default=str(ROOT / "build/release/bin/dragoman"), help="the program dragoman")
    parser.add_argument("--only", action="append", default=[], help="the id of a registry; may be repeated")
    parser.add_argument("--most", type=float, default=400, help="most MB to download from a registry")
    options = parser.parse_args()
    tried = failed = unreached = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder + "/data", "XDG_CACHE_HOME": folder + "/cache"}
        environment.pop("DRAGOMAN_MODELS_DIR", None)
        registries = [json.loads(line) for line in run(options.tool, environment, "models", "registries", "--json").splitlines()]
        print("| registry | models in its list | tried | size | files with a published hash | translation | time |")
        print("|---|---:|---|---:|---:|---|---:|", flush=True)
        for registry in registries:
            if registry["id"] == "url" or (options.only and registry["id"] not in options.only):
                continue
            tried += 1
            try:
                row = try_one(options.tool, environment, registry, options.most)
            except Failed as error:
                failed += 1
                unreached += error.unreached
                row = ["", "", "", "", f"**{error}**", ""]
            print(f"| {registry['id']} | {' | '.join(row)} |", flush=True)
    print(f"\n{tried - failed} of {tried} registries, {unreached} not reached")
    return UNREACHED if unreached and unreached == tried else 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
