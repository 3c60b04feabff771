#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays registries for a test in another language, until standard input ends. Prints one line of JSON: a folder, the
variables of an environment whose store, caches and settings lie in it, and what a model translates. Firefox' de-en and
en-fr translate; the file of Argos' en-fi does not come within a minute."""
import json
import os
import pathlib
import sys
import tempfile
import time

from played import Played

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = SOURCE / "tests/data"


class Served(Played):
    slow = ""

    def answer(self, name, path, plain):
        if plain == self.slow:
            time.sleep(60)
        return super().answer(name, path, plain)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        serve(pathlib.Path(folder))


def serve(home: pathlib.Path) -> None:
    played = Served(DATA, SOURCE / "models/registries")
    for pair in (("de", "en"), ("en", "fr")):
        played.publish_firefox(*pair)
    played.publish_argos("en", "de")
    played.slow = played.publish_argos("en", "fi")
    environment = {f"DRAGOMAN_MIRROR_{registry.upper().replace('-', '_')}": played.url for registry in played.lists}
    environment.update({f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")})
    environment.update(HOME=str(home), HF_HOME=str(home / "hub"), HF_ENDPOINT=played.url, NO_PROXY="127.0.0.1,localhost")
    without = ["DRAGOMAN_MODEL", "DRAGOMAN_MODELS_DIR", "DRAGOMAN_OFFLINE", "HF_TOKEN"]
    without += [name for name in os.environ if name.lower().endswith("_proxy")]
    text = json.loads((DATA / "marian/int8-firefox/expected.json").read_text(encoding="utf-8"))["texts"][0]
    print(json.dumps({"home": str(home), "set": environment, "unset": [name for name in without if name not in environment],
                      "text": text["text"], "translation": text["translation"]}), flush=True)
    sys.stdin.read()
    played.close()


if __name__ == "__main__":
    main()
