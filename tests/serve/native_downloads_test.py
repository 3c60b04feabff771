#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dragoman native-messaging and models of publishers, whose registries a local server plays; and clients that go:
native_downloads_test.py TOOL PROJECT"""
import json
import os
import pathlib
import struct
import sys
import tempfile
import threading
import time

from native_messaging_test import Host, environment, text_of
from service import check, same

LIMIT = 60  # seconds until a program whose client has gone has ended


def settings(folder, played):
    given = environment(folder)
    for name in list(given):
        if name.lower().endswith("_proxy") or name in ("DRAGOMAN_MODEL", "DRAGOMAN_OFFLINE", "HF_TOKEN"):
            del given[name]
    for registry in set(played.lists) - {"hf"}:
        given[f"DRAGOMAN_MIRROR_{registry.upper().replace('-', '_')}"] = played.url
    cache = os.path.join(folder, "cache")
    return dict(given, XDG_CACHE_HOME=cache, HF_HOME=os.path.join(folder, "hub"), HF_ENDPOINT=played.url)


def download(host, name):
    """Its answer, and what came before."""
    host.send({"id": 7, "command": "DownloadModel", "data": {"modelID": name}})
    updates = []
    while (message := host.receive()).get("update"):
        updates.append(message["data"])
    same(message["id"], 7)
    return message, updates


def ends(host, statuses):
    status = host.process.wait(LIMIT)
    check(status in statuses, "status", status, host.process.stderr.read())
    host.process.stderr.close()


def nothing_published(command, given, played):
    """Lists that are empty: the models that are here are told, and people read on standard error what is wrong."""
    for registry in ("firefox", "translatelocally"):
        played.pages[played.list_path(registry)] = json.dumps({"data": [], "models": []}).encode()
    host = Host(command, given)
    same([each["id"] for each in host.ask("ListModels", {"includeRemote": True})["data"]], ["en-de#de", "en-de#en"])
    unknown, _ = download(host, "firefox:de-en")
    same(unknown["success"], False)
    check("firefox:de-en" in unknown["error"], unknown)
    rest, status, errors = host.end()
    same((rest, status), ([], 0))
    check("the list of firefox" in errors, errors)


def published(command, given, played, expected):
    for source in ("de", "fr"):
        played.publish_firefox(source, "en")
    played.publish_student("translatelocally", "de", "en")
    host = Host(command, given)
    offered = {each["id"]: each for each in host.ask("ListModels", {"includeRemote": True})["data"]}
    same(sorted(offered), ["en-de#de", "en-de#en", "firefox:de-en", "firefox:fr-en", "translatelocally:de-en-tiny"])
    same((offered["firefox:de-en"]["local"], offered["en-de#de"]["local"]), (False, True))
    message, updates = download(host, "firefox:de-en")
    check(message["success"], message)
    same((message["data"]["id"], message["data"]["local"]), ("firefox:de-en", True))
    check(updates and all(each["read"] <= each["size"] for each in updates), updates)
    same(text_of(host.ask("Translate", {"text": expected["text"], "model": "firefox:de-en"})), expected["translation"])
    for remote in (False, True):
        listed = [each for each in host.ask("ListModels", {"includeRemote": remote})["data"]
                  if each["id"] == "firefox:de-en"]
        same([each["local"] for each in listed], [True], remote)
    same(host.end(), ([], 0, ""))
    # Another one has only the model of its command, and is given the other without a download.
    host = Host(command, given)
    check("firefox:de-en" in [each["id"] for each in host.ask("ListModels", {"includeRemote": True})["data"]
                              if not each["local"]], "it can be had")
    requests = len(played.requests)
    check(download(host, "firefox:de-en")[0]["success"], "from this machine")
    same(len(played.requests), requests)
    same(host.end(), ([], 0, ""))


def gone_while_it_downloads(command, given, played):
    """The client ends in mid-download: so does the program, and not when the download would have."""
    begun, go_on = threading.Event(), threading.Event()
    answer = played.answer

    def slowly(name, path, plain):
        if plain.endswith(".zst"):
            begun.set()
            go_on.wait(LIMIT * 2)
        return answer(name, path, plain)

    played.answer = slowly
    try:
        host = Host(command, given)
        host.ask("ListModels", {"includeRemote": False})
        host.send({"id": 7, "command": "DownloadModel", "data": {"modelID": "firefox:fr-en"}})
        check(begun.wait(LIMIT), "the download has not begun")
        start = time.monotonic()
        rest, status, errors = host.end()
        check(time.monotonic() - start < LIMIT / 2, "it took", time.monotonic() - start)
        same((status, errors, rest[-1]["id"], rest[-1]["success"]), (0, "", 7, False))
    finally:
        go_on.set()
        played.answer = answer


def nobody_reads(command, given):
    """Pipes that are closed while there is work, in either order, and in mid-message."""
    many = [{"id": i, "command": "Translate", "data": {"text": f"Das ist Satz {i}.", "src": "de", "trg": "en"}}
            for i in range(200)]
    for wait in (0, 0.5):
        host = Host(command, given)
        for message in many:
            host.send(message)
        time.sleep(wait)
        host.process.stdout.close()
        host.process.stdin.close()
        ends(host, (0, -13))  # a program may end by SIGPIPE
    host = Host(command, given)
    for message in many:
        host.send(message)
    host.process.stdin.write(struct.pack("=I", 1000) + b'{"id": 1')
    host.process.stdin.close()
    host.process.stdout.close()
    ends(host, (1, -13))


def main(tool, project):
    sys.path.insert(0, os.path.join(project, "tests", "registry"))
    from played import Played
    data = pathlib.Path(project) / "tests" / "data"
    expected = json.loads((data / "marian" / "int8-firefox" / "expected.json").read_text())["texts"][0]
    played = Played(data, pathlib.Path(project) / "models" / "registries")
    try:
        with tempfile.TemporaryDirectory(prefix="dragoman-native-") as folder:
            given = settings(folder, played)
            given["model"] = os.path.join(project, "models", "en-de")
            command = [tool, "native-messaging", given["model"]]
            nothing_published(command, given, played)
            published(command, given, played, expected)
            gone_while_it_downloads(command, given, played)
            nobody_reads(command, given)
    finally:
        played.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
