#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MTranServer's interface, and those that it has for add-ons of browsers: mtranserver_test.py TOOL PROJECT"""
import sys

from service import GERMAN, Service, check, error_text, ok, plain, same

TOOL, PROJECT = sys.argv[1:3]
ENGLISH = "The weather is very good today."
PAIR = {"from": "de", "to": "en"}


def own(s):
    for root in ("", "/mtranserver"):
        same(ok(s.post(root + "/translate", json={"text": GERMAN, **PAIR, "html": False})), {"result": plain(s)})
        same(ok(s.post(root + "/translate", json={"text": GERMAN, "from": "auto", "to": "en"})), {"result": plain(s)})
        html = ok(s.post(root + "/translate", json={"text": "<p>Guten <b>Morgen</b></p>", **PAIR, "html": True}))["result"]
        check(html.startswith("<p>") and "<b>" in html, html)
        mixed = {"texts": [GERMAN, ENGLISH, GERMAN], "from": "auto", "to": "en"}
        same(ok(s.post(root + "/translate/batch", json=mixed)),
             {"results": [plain(s), ENGLISH, plain(s)]})
        same(ok(s.post(root + "/translate/batch", json={"texts": [], **PAIR})), {"results": []})
        same(ok(s.post(root + "/detect", json={"text": GERMAN})), {"language": "de"})
        sure = ok(s.post(root + "/detect", json={"text": GERMAN, "minConfidence": 0.1}))
        check(sure["language"] == "de" and 0.1 < sure["confidence"] <= 1, sure)
        same(ok(s.post(root + "/detect", json={"text": GERMAN, "minConfidence": 1.1}))["language"], "")
        check(ok(s.get(root + "/version"))["version"])
        same(ok(s.get(root + "/health")), {"status": "ok"})
        for path in ("/__heartbeat__", "/__lbheartbeat__"):
            same((s.get(root + path).status, s.get(root + path).text), (200, "Ready"))
        same(error_text(s.post(root + "/translate", json={"text": GERMAN, "from": "de", "to": "xx"}), 400),
             "xx is not supported")
    listed = ok(s.get("/mtranserver/languages"))
    same(listed, {"languages": ["en", "de"], "pairs": [{"from": "en", "to": "de"}, {"from": "de", "to": "en"}]})
    check(isinstance(ok(s.get("/languages")), list), "LibreTranslate's")
    same(ok(s.post("/detect", json={"q": GERMAN}))[0]["language"], "de", "LibreTranslate's")
    same(ok(s.post("/translate", json={"text": GERMAN, "target_lang": "EN"}))["code"], 200, "DeepLX's")


def plugins(s):
    given = {"source_lang": "auto", "target_lang": "en", "text_list": [GERMAN]}
    same(ok(s.post("/imme", json=given)), {"translations": [{"detected_source_lang": "de", "text": plain(s)}]})
    same(ok(s.post("/kiss", json={"text": GERMAN, **PAIR})), {"text": plain(s), "src": "de"})
    both = ok(s.post("/kiss", json={"texts": [GERMAN, ENGLISH], "from": "auto", "to": "en"}))
    same(both, {"translations": [{"text": plain(s), "src": "de"}, {"text": ENGLISH, "src": "en"}]})
    given = {"text": [GERMAN], "source_lang": "DE", "target_lang": "EN"}
    same(ok(s.post("/deepl", json=given)), {"translations": [{"detected_source_language": "DE", "text": plain(s)}]})
    same(ok(s.post("/deeplx", json={**given, "text": GERMAN}))["data"], plain(s))
    given = {"q": [GERMAN], "source": "de", "target": "en", "format": "text"}
    same(ok(s.post("/google/language/translate/v2", json=given)), {"data": {"translations": [{"translatedText": plain(s)}]}})
    single = ok(s.get("/google/translate_a/single", query={"client": "gtx", "sl": "auto", "tl": "en", "dt": "t", "q": GERMAN}))
    same(("".join(each[0] for each in single[0]), single[0][0][1], single[2]), (plain(s), GERMAN, "de"))


def hcfy(s):
    lines = "Guten Morgen.\nDas ist gut."
    answer = ok(s.post("/hcfy", json={"name": "mtran", "text": lines, "destination": ["英语", "德语"], "source": "德语"}))
    same(answer, {"text": lines, "from": "德语", "to": "英语", "result": plain(s, lines).split("\n")})
    same(len(answer["result"]), 2)
    second = ok(s.post("/hcfy", json={"text": ENGLISH, "destination": ["英语", "德语"]}))
    same((second["from"], second["to"], second["result"]), ("英语", "德语", [plain(s, ENGLISH, "en", "de")]))
    same(s.post("/hcfy", json={"text": ENGLISH, "destination": []}).status, 400)
    same(error_text(s.post("/hcfy", json={"text": ENGLISH, "destination": ["法语"]}), 400), "fr is not supported")


def keys():
    given = {"text": GERMAN, **PAIR}
    asks = [("/translate", given), ("/translate/batch", {"texts": [GERMAN], **PAIR}), ("/detect", {"text": GERMAN}),
            ("/mtranserver/translate", given), ("/kiss", given),
            ("/imme", {"text_list": [GERMAN], "target_lang": "en"}), ("/deeplx", {"text": GERMAN, "target_lang": "EN"})]
    with Service(TOOL, PROJECT, environment={"DRAGOMAN_SERVE_KEYS": "right"}) as s:
        for path, ask in asks:
            for how in ({"headers": {"Authorization": "Bearer right"}}, {"headers": {"Authorization": "right"}},
                        {"headers": {"X-API-Token": "right"}}, {"query": {"token": "right"}},
                        {"query": {"api_token": "right"}}):
                same(s.post(path, json=ask, **how).status, 200, f"{path} {how}")
            # What a proxy in front has asked for is no token.
            without = s.post(path, json=ask, headers={"Authorization": "Basic dXNlcjpwYXNz"})
            same(without.status, s.post(path, json=ask).status, path)
            check(without.status in (400, 401), path, without)
            check(s.post(path, json=ask, query={"token": "wrong"}).status in (401, 403), path)
        same(s.post("/mtranserver/translate", json=given, query={"token": "wrong"}).status, 401)
        same(s.post("/deepl", json={"text": GERMAN, "target_lang": "EN"},
                    headers={"Authorization": "DeepL-Auth-Key right"}).status, 200)
        check("right" not in s.log and "wrong" not in s.log, s.log)


def main():
    with Service(TOOL, PROJECT) as s:
        for part in (own, plugins, hcfy):
            print(part.__name__, flush=True)
            part(s)
    keys()


if __name__ == "__main__":
    main()
