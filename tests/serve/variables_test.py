#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option of `dragoman serve` has a variable that works, and stands in docs/serve.md.
variables_test.py TOOL PROJECT"""
import os
import re
import subprocess
import sys
import tempfile

from service import Service, check, same

# A variable is read if a value that its option cannot have stops the service, which names both:
FAULTY = {
    "--port": "70000", "--hsts": "perhaps", "--require-key": "perhaps", "--keys-optional": "perhaps",
    "--requests-per-minute": "-2", "--requests-per-hour": "-2", "--requests-per-day": "-2",
    "--connections-per-address": "-1", "--max-characters": "-2", "--max-texts": "-2", "--max-alternatives": "-2",
    "--max-body": "1x", "--max-file": "1x", "--max-memories": "1x",
    "--max-waiting": "0", "--max-connections": "0", "--cache-size": "1x",
    "--document-threads": "65", "--head-time": "0", "--idle-time": "0", "--grace": "-1", "--no-page": "perhaps",
    "--no-documents": "perhaps", "--suggestions": "perhaps", "--metrics": "perhaps", "--log": "xml",
    "--log-level": "loud", "--log-texts": "perhaps", "--compute-type": "float12", "--memory-limit": "1x",
    "--max-loaded": "-1", "--offline": "perhaps", "--unix-mode": "777",
}
# or, where the value is found wrong later, at least the value or the option.
FAULTY_LATER = {
    "--public-url": ("nowhere", "nowhere"), "--tls-certificate": ("none.pem", "--tls-certificate"),
    "--tls-key": ("none.pem", "--tls-key"), "--state": ("{file}", "{file}"), "--keys-file": ("{folder}", "{folder}"),
    "--admin-key-file": ("{folder}/none", "{folder}/none"),
    "--metrics-token-file": ("{folder}/none", "{folder}/none"), "--trust-proxy": ("somebody", "somebody"),
    "--allow-host": ("a b", "a b"), "--allow-origin": ("nowhere", "nowhere"), "--device": ("nobody's", "nobody's"),
    "--host": ("999.0.0.1", "999.0.0.1"), "--unix": ("{folder}/none/socket", "{folder}/none/socket"),
    "model": ("{folder}/none", "{folder}/none"), "--ready-file": ("{folder}/none/ready", "{folder}/none/ready"),
}
# Any text will do for these: seen_at_work() looks at what they do.
SEEN = {"--api-prefix", "--cache-dir"}
ALL = {*FAULTY, *FAULTY_LATER, *SEEN}


def variable(option):
    return "DRAGOMAN_SERVE_MODELS" if option == "model" else "DRAGOMAN_SERVE_" + option[2:].upper().replace("-", "_")


def environment(folder, **more):
    folders = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HF_HUB_CACHE", "DRAGOMAN_MODELS_DIR")
    cleared = {name: value for name, value in os.environ.items() if not name.startswith(("DRAGOMAN_SERVE_", "LT_"))}
    return {**cleared, **{name: os.path.join(folder, name) for name in folders}, **more}


def options_of(tool):
    text = subprocess.run([tool, "serve", "--help-all"], check=True, capture_output=True, text=True).stdout
    found = set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text.partition("\nSubcommands:")[0], re.MULTILINE))
    return found - {"--help", "--help-all"} | set(re.findall(r"^  (model) ", text, re.MULTILINE))


def refused(tool, project, folder):
    file = os.path.join(folder, "file")
    with open(file, "w", encoding="utf-8") as made:
        made.write("no folder")
    named = {option: (value, f"{variable(option)}={value}") for option, value in FAULTY.items()}
    for option, (value, said) in {**named, **FAULTY_LATER}.items():
        value, said = (each.format(file=file, folder=folder) for each in (value, said))
        given = {"DRAGOMAN_SERVE_PORT": "0", "DRAGOMAN_SERVE_LOG": "none",
                 "DRAGOMAN_SERVE_MODELS": os.path.join(project, "models", "en-de"), variable(option): value}
        try:
            ended = subprocess.run([tool, "serve"], env=environment(folder, **given), capture_output=True, text=True,
                                   timeout=60, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{variable(option)}={value} is not read: the service runs") from None
        check(ended.returncode > 0 and said in ended.stderr, f"{variable(option)}={value}:", ended)


def seen_at_work(tool, project, folder):
    cache = os.path.join(folder, "cache")
    given = {"DRAGOMAN_SERVE_API_PREFIX": "/lt", "DRAGOMAN_SERVE_CACHE_DIR": cache}
    with Service(tool, project, environment=given, wait=False) as s:
        same((s.get("/lt/v1/formats").status, s.get("/v1/formats").status), (200, 404), "DRAGOMAN_SERVE_API_PREFIX:")
        same(s.post("/lt/v1/translate", json={"text": "Hund", "from": "de", "to": "en"}).status, 200)
    check(os.path.isdir(cache) and os.listdir(cache), "DRAGOMAN_SERVE_CACHE_DIR:", cache, "has nothing")


def keys_of_the_service(tool, folder):
    """`serve keys` has the file of the service that runs with the same variables."""
    def keys(*arguments, **given):
        ended = subprocess.run([tool, "serve", "keys", *arguments], env=environment(folder, **given),
                               capture_output=True, text=True, check=False)
        check(ended.returncode == 0, ended)
        return ended.stdout
    state, file = os.path.join(folder, "kept"), os.path.join(folder, "own.sqlite")
    keys("add", "--note", "of the state", DRAGOMAN_SERVE_STATE=state)
    check(os.path.exists(os.path.join(state, "keys.sqlite")), "DRAGOMAN_SERVE_STATE")
    check("of the state" in keys("list", "--state", state), "the option names the same folder")
    keys("add", "--note", "of the file", DRAGOMAN_SERVE_STATE=state, DRAGOMAN_SERVE_KEYS_FILE=file)
    listed = keys("list", "--keys-file", file, DRAGOMAN_SERVE_KEYS_FILE="/nowhere")
    check("of the file" in listed and "of the state" not in listed, "the option comes first:", listed)
    for wrong in ["add", "of whom", "--keys-file", file], ["list", "all", "--keys-file", file], ["remove"]:
        ended = subprocess.run([tool, "serve", "keys", *wrong], capture_output=True, text=True, check=False)
        check(ended.returncode == 2 and not ended.stdout, wrong, ended)
    check(keys("list", "--keys-file", file) == listed, "a mistake makes no key")


def main(tool, project):
    same(options_of(tool), ALL, "options of --help-all and of this test:")
    with open(os.path.join(project, "docs", "serve.md"), encoding="utf-8") as page:
        told = page.read().partition("## All options")[2].partition("\n## ")[0]
    told = told.replace("`--requests-per-minute`, `-hour`, `-day N`",
                        "`--requests-per-minute`, `--requests-per-hour`, `--requests-per-day`")
    named = set(re.findall(r"(?<!\w)--[a-z-]+", told)) | ({"model"} if "`MODEL...`" in told else set())
    check(ALL <= named, "docs/serve.md does not name", sorted((ALL) - named))
    with tempfile.TemporaryDirectory(prefix="dragoman-variables-") as folder:
        refused(tool, project, folder)
        keys_of_the_service(tool, folder)
        seen_at_work(tool, project, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
