#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dragoman native-messaging, as add-ons of browsers use it: native_messaging_test.py TOOL PROJECT"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

from service import check, same


class Host:
    """The program, and messages to and from it."""
    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(struct.pack("=I", len(data)) + data)
        self.process.stdin.flush()

    def receive(self):
        head = self.process.stdout.read(4)
        if len(head) < 4:
            return None
        data = self.process.stdout.read(struct.unpack("=I", head)[0])
        return json.loads(data)

    def ask(self, command, data, id=1):
        self.send({"id": id, "command": command, "data": data})
        return self.receive()

    def end(self):
        """Closes its input; gives what it still answers, its status and what it complained of."""
        self.process.stdin.close()
        rest = []
        while (message := self.receive()) is not None:
            rest.append(message)
        errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return rest, self.process.wait(60), errors


def environment(folder):
    folders = {}
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HF_HUB_CACHE", "DRAGOMAN_MODELS_DIR", "HOME"):
        folders[name] = os.path.join(folder, name.lower())
        os.makedirs(folders[name])
    return dict(os.environ, **folders)


def text_of(answer):
    check(answer["success"], answer)
    return answer["data"]["target"]["text"]


def conversation(command, given):
    host = Host(command, given)
    good = text_of(host.ask("Translate", {"text": "Guten Morgen.", "src": "de", "trg": "en"}, id="first"))
    same(good.rstrip(".!"), "Good morning")
    html = host.ask("Translate", {"text": "<p>Der <b>Hund</b> schl\u00e4ft.</p>", "src": "de", "trg": "en", "html": True,
                                  "quality": True, "alignments": True})
    check(text_of(html).startswith("<p>") and "<b>" in text_of(html), html)
    check(0 < html["data"]["quality"] <= 1 and "-" in html["data"]["alignments"], html)

    same(host.ask("Translate", {"text": "\U0001f600", "src": "auto", "trg": "en", "quality": True})["data"],
         {"target": {"text": "\U0001f600"}})
    models = host.ask("ListModels", {"includeRemote": False})["data"]
    same([(each["id"], each["trgTag"], list(each["srcTags"])) for each in models],
         [("en-de#de", "de", ["en"]), ("en-de#en", "en", ["de"])])
    same(text_of(host.ask("Translate", {"text": "Guten Morgen.", "model": "en-de#en"})), good)
    back = text_of(host.ask("Translate", {"text": "Guten Morgen.", "model": "en-de#en", "pivot": "en-de#de"}))
    check("Morgen" in back, back)
    same(host.ask("DownloadModel", {"modelID": "en-de#en"})["data"], {"modelID": "en-de#en"})

    cut = host.ask("Translate", {"text": "Guten Morgen \ud83d", "src": "de", "trg": "en"}, id=11)  # half an emoji
    same(cut["id"], 11)
    check("morning" in text_of(cut).lower(), cut)
    wrong = host.ask("Translate", {"text": "x", "src": "de", "trg": "xx"}, id=8)
    same((wrong["id"], wrong["success"]), (8, False))
    check("xx" in wrong["error"], wrong)
    check("nowhere:a-b" in host.ask("DownloadModel", {"modelID": "nowhere:a-b"})["error"], "download")
    same(host.ask("Translate", {"text": "x", "model": "m"})["error"], "model m is not here")
    for message in (b"{", b"", b"[]", b"\xff\xff", b"[" * 5000, b'{"id": 3, "command": "Sing", "data": {}}'):
        host.send(message)
        answer = host.receive()
        same(answer["success"], False)
        same(answer["id"], 3 if b"Sing" in message else -1)
    same(text_of(host.ask("Translate", {"text": "Guten Morgen.", "src": "de", "trg": "en"})), good)
    for i in range(300):  # each gets one answer, whoever writes while another thread reads
        same(host.ask("DownloadModel", {"modelID": "nowhere:a-b"}, id=i)["id"], i)
    same(host.end(), ([], 0, ""))


def many(command, given):
    """All are answered, also those that are at work when the input ends."""
    host = Host(command, given)
    for i in range(300):
        host.send({"id": i, "command": "Translate", "data": {"text": f"Das ist Satz {i}.", "src": "de", "trg": "en"}})
    answers, status, errors = host.end()
    same((status, errors), (0, ""))
    same(sorted(each["id"] for each in answers), list(range(300)))
    for each in answers:
        check(str(each["id"]) in text_of(each), each)


def broken(command, given):
    """Lengths that are none end it with an error for the client and one for people."""
    for data in (b"\x01", struct.pack("=I", 50) + b"{}", struct.pack("=I", (10 << 20) + 1) + b"{}",
                 b"\xff\xff\xff\xff" + b"{}" * 100):
        host = Host(command, given)
        host.process.stdin.write(data)
        host.process.stdin.flush()
        answers, status, errors = host.end()
        same((len(answers), answers[0]["success"], status), (1, False, 1), errors)
        check("no message of a browser" in errors, errors)


def manifests(tool, given, project):
    home = pathlib.Path(given["HOME"])

    def call(*arguments, status=0):
        done = subprocess.run([tool, "native-messaging", *arguments], env=given, capture_output=True, text=True)
        same(done.returncode, status, done.stderr)
        return done.stdout.split("\n")[:-1]

    chromium = "abcdefghijklmnop" * 2
    model = os.path.join(project, "models", "en-de")
    written = call("--install", "all", "--extension", "own@example.org", "--extension", chromium, "--offline", model)
    same(len(written), 4, written)
    manifest = json.loads((home / ".mozilla/native-messaging-hosts/translatelocally.json").read_text())
    same(manifest["allowed_extensions"], ["own@example.org"])
    folder = pathlib.Path(given["XDG_CONFIG_HOME"])
    for browser in ("google-chrome", "chromium"):
        found = json.loads((folder / browser / "NativeMessagingHosts/translatelocally.json").read_text())
        same(found["allowed_origins"], [f"chrome-extension://{chromium}/"])
    host = Host([manifest["path"], str(home / "manifest.json"), "own@example.org"], given)  # as Firefox starts it
    check(text_of(host.ask("Translate", {"text": "Guten Morgen.", "src": "de", "trg": "en"})), "by the script")
    same(host.end(), ([], 0, ""))
    same(sorted(call("--uninstall", "all")), sorted(written))
    check(not any(os.path.exists(each) for each in written), written)
    call("--install", "chromium", status=1)
    call("--install", "opera", status=2)


def main(tool, project):
    with tempfile.TemporaryDirectory(prefix="dragoman-native-") as folder:
        given = environment(folder)
        command = [tool, "native-messaging", "--offline", os.path.join(project, "models", "en-de")]
        conversation(command, given)
        many(command, given)
        broken(command, given)
        manifests(tool, given, project)


if __name__ == "__main__":
    main(*sys.argv[1:])
