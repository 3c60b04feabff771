#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Azure Translator's interface, at paths that others have, too: azure_test.py TOOL PROJECT"""
import sys

from service import GERMAN, Service, check, error_text, ok, plain, same

TOOL, PROJECT = sys.argv[1:3]
ENGLISH = "The weather is very good today."
TWO = "Der Hund schläft.  Die Katze trinkt 🥛 Milch."


def ask(s, texts, *query, path="/translate", version="3.0", **how):
    return s.post(path, json=texts if isinstance(texts, dict) else [{"Text": each} for each in texts],
                  query=[("api-version", version), *query], **how)


def failed(answer, status, number, *words):
    same(answer.status, status, repr(answer))
    error = answer.json()["error"]
    same(sorted(error), ["code", "message"])
    same(error["code"], status * 1000 + number, error)
    check(all(word in error["message"] for word in words), error)


def of_version_3(s):
    answer = ask(s, [GERMAN, "Das ist gut."], ("to", "en"), ("from", "de"))
    same(ok(answer), [{"translations": [{"text": plain(s, each), "to": "en"}]} for each in (GERMAN, "Das ist gut.")])
    same(answer.headers["X-Metered-Usage"], str(len(GERMAN) + len("Das ist gut.")))
    small = s.post("/translate?api-version=3.0&to=en&from=de", json=[{"text": GERMAN}])
    same(ok(small)[0]["translations"][0]["text"], plain(s), "text in small letters")
    found = ok(ask(s, [GERMAN, ENGLISH], ("to", "EN")))
    same([each["detectedLanguage"]["language"] for each in found], ["de", "en"])
    check(all(0.5 < each["detectedLanguage"]["score"] <= 1 for each in found), found)
    same([each["translations"] for each in found],
         [[{"text": plain(s), "to": "EN"}], [{"text": ENGLISH, "to": "EN"}]], "the code as it was given")
    for to in ([("to", "en"), ("to", "de")], [("to", "en,de")]):
        both = ok(ask(s, [GERMAN], ("from", "de"), *to))[0]["translations"]
        same(both, [{"text": plain(s), "to": "en"}, {"text": GERMAN, "to": "de"}])
    html = ok(ask(s, ["<p>Guten <b>Morgen</b> &amp; Tag</p>"], ("to", "en"), ("from", "de"), ("textType", "html")))
    text = html[0]["translations"][0]["text"]
    check(text.startswith("<p>") and "<b>" in text and "&amp;" in text, text)
    same(ok(ask(s, [], ("to", "en"))), [])
    same(ok(ask(s, [""], ("to", "en"), ("from", "de"))), [{"translations": [{"text": "", "to": "en"}]}])
    nothing = ok(ask(s, ["🎉"], ("to", "en"), ("suggestedFrom", "de")))[0]
    same(nothing["detectedLanguage"], {"language": "de", "score": 0})
    same(ok(ask(s, [GERMAN], ("to", "en"), ("from", "de"), ("category", "mine")))[0]["translations"][0]["text"],
         plain(s), "another system is allowed to do it")


def units(text):
    return text.encode("utf-16-le")


def cut(text, first, last):
    return units(text)[2 * first:2 * last + 2].decode("utf-16-le")


def what_the_search_knew(s):
    one, = ok(ask(s, [TWO], ("to", "en"), ("from", "de"), ("includeAlignment", "true"),
                  ("includeSentenceLength", "true")))[0]["translations"]
    lengths = one["sentLen"]
    same((len(lengths["srcSentLen"]), sum(lengths["srcSentLen"])), (2, len(units(TWO)) // 2))
    same((len(lengths["transSentLen"]), sum(lengths["transSentLen"])), (2, len(units(one["text"])) // 2))
    pairs = {}
    for link in one["alignment"]["proj"].split():
        source, target = (tuple(map(int, side.split(":"))) for side in link.split("-"))
        pairs[cut(one["text"], *target)] = cut(TWO, *source)
    same((pairs.get("dog"), pairs.get("cat"), pairs.get("milk")), ("Hund", "Katze", "Milch"), pairs)
    html, = ok(ask(s, ["<b>Hund</b>"], ("to", "en"), ("from", "de"), ("textType", "html"),
                   ("includeAlignment", "True")))[0]["translations"]
    same(html["alignment"], {"proj": ""})


def dated(s):
    """As the client library 2.0 asks."""
    given = {"inputs": [{"Text": GERMAN, "language": "de", "targets": [{"language": "en"}, {"language": "de"}]},
                        {"text": "<p>Die Katze</p>", "textType": "Html", "language": "de", "targets": [{"language": "en"}]},
                        {"text": ENGLISH, "targets": [{"language": "de", "deploymentName": "general"}]}]}
    first, second, third = ok(ask(s, given, version="2026-06-06"))["value"]
    same(first, {"translations": [{"language": "en", "text": plain(s), "sourceCharacters": len(GERMAN)},
                                  {"language": "de", "text": GERMAN, "sourceCharacters": len(GERMAN)}]})
    check(second["translations"][0]["text"].startswith("<p>"), second)
    same((third["detectedLanguage"]["language"], third["translations"][0]["text"]),
         ("en", plain(s, ENGLISH, "en", "de")))
    failed(ask(s, {"inputs": [{"text": "a"}]}, version="2026-06-06"), 400, 36, "inputs[0].targets")
    failed(ask(s, {"inputs": [{"text": "a", "targets": [{"language": "en", "tone": "formal"}]}]}, version="2026-06-06"),
           501, 0, "tone")


def faults(s):
    failed(ask(s, [GERMAN], version="2.0", path="/translate"), 400, 21, "2.0")
    failed(ask(s, [GERMAN]), 400, 36, "to")
    failed(ask(s, [GERMAN], ("to", "xx")), 400, 36, "xx")
    failed(ask(s, [GERMAN], ("to", "en"), ("from", "yy")), 400, 35, "yy")
    failed(ask(s, [GERMAN], ("to", "en"), ("textType", "pdf")), 400, 71, "pdf")
    failed(ask(s, [GERMAN], ("to", "en"), ("category", "mine"), ("allowFallback", "false")), 400, 2, "mine")
    for name, value in (("toScript", "Latn"), ("fromScript", "Latn"), ("profanityAction", "Marked")):
        failed(ask(s, [GERMAN], ("to", "en"), (name, value)), 501, 0, name)
    failed(ask(s, ['Ein <mstrans:dictionary translation="x">Wort</mstrans:dictionary>'], ("to", "en")), 501, 0)
    for body, number in (({"q": "a"}, 74), ([{"q": "a"}], 5), ([{"Text": 3}], 5), (["a"], 5)):
        failed(s.post("/translate?api-version=3.0&to=en", json=body), 400, number)
    failed(s.post("/translate?api-version=3.0&to=en", body=b"{", headers={"Content-Type": "application/json"}), 400, 0)
    failed(s.request("PUT", "/translate?api-version=3.0", json=[]), 405, 0, "PUT")
    same(error_text(s.request("PUT", "/translate", json=[]), 405), "/translate takes POST, GET, not PUT")
    for path in ("/breaksentence", "/transliterate", "/dictionary/lookup"):
        failed(ask(s, ["a"], path=path), 501, 0, path[1:])


def other_paths(s):
    found = ok(ask(s, [GERMAN, ENGLISH, "🎉"], path="/detect"))
    same([each["language"] for each in found], ["de", "en", "und"])
    same([each["isTranslationSupported"] for each in found], [True, True, False])
    check(all(0 < each["score"] <= 1 for each in found[:2]) and found[2]["score"] == 0, found)
    listed = ok(s.get("/languages?api-version=3.0"))
    same(sorted(listed), ["dictionary", "translation", "transliteration"])
    same(listed["translation"], {"en": {"name": "English", "nativeName": "English", "dir": "ltr"},
                                 "de": {"name": "German", "nativeName": "German", "dir": "ltr"}})
    same(list(ok(s.get("/languages?api-version=3.0&scope=translation"))), ["translation"])
    same(ok(s.get("/languages?api-version=2026-06-06"))["translation"]["de"]["models"], ["general"])
    failed(s.get("/languages?api-version=3.0&scope=all"), 400, 1, "all")
    # Without a version they are LibreTranslate's.
    check(isinstance(ok(s.get("/languages")), list))
    same(ok(s.post("/detect", json={"q": GERMAN}))[0]["language"], "de")


def keys():
    with Service(TOOL, PROJECT, environment={"DRAGOMAN_SERVE_KEYS": "right"}) as s:
        key = {"Ocp-Apim-Subscription-Key": "right", "Ocp-Apim-Subscription-Region": "westeurope"}
        same(ask(s, [GERMAN], ("to", "en"), headers=key).status, 200)
        same(ask(s, [GERMAN], ("to", "en"), ("Subscription-Key", "right")).status, 200, "in the query")
        same(ask(s, [GERMAN], ("to", "en"), headers={"Authorization": "Bearer right"}).status, 200)
        failed(ask(s, [GERMAN], ("to", "en")), 401, 0)
        failed(ask(s, [GERMAN], ("to", "en"), headers={"Ocp-Apim-Subscription-Key": "wrong"}), 401, 0)
        failed(ask(s, [GERMAN], path="/detect"), 401, 0)
        same(s.get("/languages?api-version=3.0").status, 200)
        check("right" not in s.log, s.log)
    with Service(TOOL, PROJECT, "--requests-per-minute", "1", "--max-texts", "2", "--max-characters", "9", wait=False) as s:
        failed(ask(s, ["a", "b", "c"], ("to", "en")), 400, 5, "3", "2")
        failed(ask(s, ["a"], ("to", "en")), 429, 1, "Slowdown")


def main():
    with Service(TOOL, PROJECT) as s:
        for part in (of_version_3, what_the_search_knew, dated, faults, other_paths):
            print(part.__name__, flush=True)
            part(s)
    keys()


if __name__ == "__main__":
    main()
