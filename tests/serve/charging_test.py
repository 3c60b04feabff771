# SPDX-License-Identifier: Apache-2.0
"""charging_test.py TOOL PROJECT: every interface counts, limits and logs the texts that it is sent in the same way,
plain and streamed; keys have limits of their own; and what an operator turns off."""
import json
import os
import subprocess
import sys
import tempfile

from service import Service, check, same

tool, project = sys.argv[1], sys.argv[2]
PROMPT = {"role": "system", "content": "Translate from German to English."}
WEBLATE_PART = "\n==WEBLATE_PART==\n"


def chat(s, texts, headers, **more):
    messages = [PROMPT, {"role": "user", "content": WEBLATE_PART.join(texts)}]
    return s.post("/v1/chat/completions", json={"model": "x", "messages": messages, **more}, headers=headers)


def own(s, texts, headers, **more):
    return s.post("/v1/translate", json={"text": texts, "from": "de", "to": "en", **more}, headers=headers)


def nllb(path):
    return lambda s, texts, headers: s.get(path, query={"text": texts[0], "source": "deu_Latn", "target": "eng_Latn"},
                                           headers=headers)


def posted(path, body):
    return lambda s, texts, headers: s.post(path, json=body(texts), headers=headers)


LISTS = {
    "LibreTranslate": posted("/translate", lambda texts: {"q": texts, "source": "de", "target": "en"}),
    "own": own,
    "own stream": lambda s, texts, headers: own(s, texts, headers, stream=True),
    "DeepL": posted("/v2/translate", lambda texts: {"text": texts, "source_lang": "DE", "target_lang": "EN"}),
    "Google": posted("/language/translate/v2",
                     lambda texts: {"q": texts, "source": "de", "target": "en", "format": "text"}),
    "Hugging Face": posted("/", lambda texts: {"inputs": texts, "parameters": {"src_lang": "de", "tgt_lang": "en"}}),
    "chat": chat,
    "chat stream": lambda s, texts, headers: chat(s, texts, headers, stream=True),
    "completions": posted("/v1/completions", lambda texts: {"model": "dragoman-de-en", "prompt": texts}),
    "NeMo Curator": posted("/translate", lambda texts: {"texts": texts, "src_lang": "de", "tgt_lang": "en"}),
    "nllb-serve": posted("/translate", lambda texts: {"source": texts, "src_lang": "de", "tgt_lang": "en"}),
    "OpenNMT-py": posted("/translate",
                         lambda texts: [{"src": text, "src_lang": "de", "tgt_lang": "en"} for text in texts]),
}
SINGLE = {
    "nllb-api": nllb("/api/v4/translator"),
    "nllb-api stream": nllb("/api/v4/translator/stream"),
    "DeepLX": posted("/translate", lambda texts: {"text": texts[0], "source_lang": "DE", "target_lang": "EN"}),
}


def add_key(file, *limits):
    done = subprocess.run([tool, "serve", "keys", "add", "--keys-file", file, *limits], capture_output=True, text=True)
    check(done.returncode == 0, done.args, done.stderr)
    return {"Authorization": f"Bearer {done.stdout.strip()}"}


def used(s, headers):
    key = headers["Authorization"].removeprefix("Bearer ")
    return s.get("/v2/usage", headers={"Authorization": f"DeepL-Auth-Key {key}"}).json()["character_count"]


def logged(s):
    """The lists of texts in the log."""
    lines = [json.loads(line) for line in s.log.splitlines() if line.startswith("{")]
    return [line["texts"] for line in lines if line["message"] == "texts"]


def counts(s, free):
    for number, (name, ask) in enumerate({**LISTS, **SINGLE}.items()):
        texts = [f"Das ist die schöne Nummer {number}."]
        before, lines = used(s, free), len(logged(s))
        answer = ask(s, texts, free)
        same(answer.status, 200, f"{name}: {answer!r}")
        same(used(s, free) - before, len(texts[0]), f"characters of {name};")
        same(logged(s)[lines:], [texts], f"the log of {name};")
    before = used(s, free)
    tagged = s.post("/v2/translate", headers=free, json={
        "text": "Der <x id='1'/> Hund & die Katze.", "source_lang": "DE", "target_lang": "EN",
        "tag_handling": "html", "ignore_tags": ["x"], "show_billed_characters": True})
    same(tagged.status, 200, repr(tagged))
    same(used(s, free) - before, tagged.json()["translations"][0]["billed_characters"], "DeepL's tags;")
    before, lines = used(s, free), len(logged(s))
    same(own(s, ["Guten Tag."], free, to="xx", glossary={"Tag": "day"}).status, 400)
    same((used(s, free), len(logged(s))), (before, lines), "after a request that is wrong;")


def limits_of_keys(s, plain, wide, free, narrow):
    short, greeting = "Guten Tag", "Guten Morgen."
    for name, ask in {**LISTS, **SINGLE}.items():
        for headers, text, status in ((plain, greeting, 200), (plain, " ".join([greeting] * 2), 400),
                                      (wide, " ".join([greeting] * 2), 200), (wide, " ".join([greeting] * 5), 400),
                                      (free, " ".join([greeting] * 5), 200), (narrow, short, 200),
                                      (narrow, greeting, 400)):
            before = used(s, headers)
            answer = ask(s, [text], headers)
            same(answer.status, status, f"{name}, {len(text)} characters: {answer!r}")
            same(used(s, headers) - before, len(text) if status == 200 else 0, f"characters of {name};")
            if status == 400:
                check("exceeds text limit" in answer.text, name, answer)
    for headers, characters in ((plain, 20), (wide, 60), (free, None), (narrow, 10)):
        same(s.get("/v1/info", headers=headers).json()["limits"]["characters"], characters)


def numbers_of_texts(s, free):
    for name, ask in LISTS.items():
        same(ask(s, ["Ja.", "Nein."], free).status, 200, name)
        answer = ask(s, ["Ja.", "Nein.", "Gut."], free)
        same(answer.status, 400, f"{name}: {answer!r}")
        check("(3) exceeds text limit (2)" in answer.text, name, answer)
    same(s.get("/v1/info").json()["limits"]["texts"], 2)


def turned_off(s, admin):
    answer = s.get("/nowhere", headers={"Accept": "text/html"})
    same((answer.status, answer.headers["Content-Type"]), (404, "application/json"), "without a page;")
    same(s.get("/", headers={"Accept": "text/html"}).headers["Content-Type"], "application/json", "without a page;")
    answer = s.get("/v1/registry", query={"from": "de", "to": "en"}, headers=admin)
    if answer.status == 501:
        return  # a build without registries
    same(answer.status, 200, repr(answer))
    check("not asked while offline" in answer.json()["problems"], "offline:", answer)


def defaults():
    """10,000 texts, and as many as there are."""
    many = ["Yes."] * 10_001
    asked = {"LibreTranslate": ("/translate", {"q": many, "source": "en", "target": "en"}),
             "own": ("/v1/translate", {"text": many, "from": "en", "to": "en"}),
             "own stream": ("/v1/translate", {"text": many, "from": "en", "to": "en", "stream": True})}
    with Service(tool, project) as s:
        for name, (path, body) in asked.items():
            answer = s.post(path, json=body)
            same(answer.status, 400, f"{name}: {answer!r}")
            check("(10001) exceeds text limit (10000)" in answer.text, name, answer)
        check("Yes" not in s.log, "texts are in the log")
        answer = s.get("/nowhere", headers={"Accept": "text/html"})
        same((answer.status, answer.headers["Content-Type"]), (404, "text/html; charset=utf-8"), "with a page;")
    with Service(tool, project, "--max-texts", "-1") as s:
        for name, (path, body) in asked.items():
            same(s.post(path, json=body).status, 200, name)
        same(s.get("/v1/info").json()["limits"]["texts"], None)


with tempfile.TemporaryDirectory() as folder:
    kept = os.path.join(folder, "keys.sqlite")
    keys = [add_key(kept), add_key(kept, "--max-characters", "60"), add_key(kept, "--max-characters", "0"),
            add_key(kept, "--max-characters", "10")]
    administrator = add_key(kept, "--admin")
    with Service(tool, project, "--keys-file", kept, "--max-characters", "20", "--max-texts", "2", "--no-page",
                 "--offline", "--log", "json", "--log-texts") as service:
        counts(service, keys[2])
        limits_of_keys(service, *keys)
        numbers_of_texts(service, keys[2])
        turned_off(service, administrator)
defaults()
print("charging")
