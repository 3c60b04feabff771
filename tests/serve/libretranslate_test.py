# SPDX-License-Identifier: Apache-2.0
"""LibreTranslate's interface of `dragoman serve`: each client's requests as that client sends them, and each error.
libretranslate_test.py TOOL PROJECT"""
import http.client
import io
import json
import os
import sys
import urllib.parse
import zipfile

from service import Service, check, error_text, same

TOOL, PROJECT = sys.argv[1:3]
GERMAN = "Guten Morgen, mein Freund."
ENGLISH = "The weather is very good today."


def translated(answer):
    same(answer.status, 200, f"{answer!r};")
    return answer.json()["translatedText"]


def styles(s):
    """JSON, a form, multipart and a query say the same."""
    given = {"q": GERMAN, "source": "de", "target": "en"}
    wanted = translated(s.post("/translate", json=given))
    check(isinstance(wanted, str) and "morning" in wanted.lower(), wanted)
    for how in ({"form": given}, {"form": given, "files": []}, {"query": given}, {"query": given, "json": {}}):
        same(translated(s.post("/translate", **how)), wanted, str(how))
    same(s.post("/translate", json=given).json(), {"translatedText": wanted}, "only what was asked for")
    more = dict(given, unknown=[1], secret=None, api_key=None, format=None)
    same(translated(s.post("/translate", json=more)), wanted)
    named = {"Content-Type": "application/json; charset=utf-8"}
    same(translated(s.post("/translate", json=given, headers=named)), wanted)
    # Values of the body count, those of the query where the body has none.
    part = {"q": GERMAN, "target": "en"}
    same(translated(s.post("/translate", json=part, query={"source": "de", "target": "xx"})), wanted)


def lists(s):
    given = {"q": [GERMAN, "Das ist gut."], "source": "de", "target": "en"}
    both = translated(s.post("/translate", json=given))
    check(isinstance(both, list) and len(both) == 2, both)
    one = translated(s.post("/translate", json=dict(given, q=[GERMAN])))
    same(one, both[:1], "a list of one text")
    answer = s.post("/translate", json=dict(given, source="auto", alternatives=2)).json()
    same(len(answer["detectedLanguage"]), 2)
    same(answer["detectedLanguage"][0], answer["detectedLanguage"][1], "one detection for all")
    check(all(isinstance(each, list) for each in answer["alternatives"]), answer)
    same(len(answer["alternatives"]), 2)
    same(translated(s.post("/translate", json=dict(given, q=["", GERMAN]))), ["", both[0]], "an empty text in a list")


def codes(s):
    wanted = translated(s.post("/translate", json={"q": GERMAN, "source": "de", "target": "en"}))
    for source, target in (("DE", "EN"), ("deu_Latn", "eng_Latn"), ("german", "english"), ("de-DE", "en-US")):
        same(translated(s.post("/translate", json={"q": GERMAN, "source": source, "target": target})), wanted, source)


def detected(s):
    answer = s.post("/translate", json={"q": GERMAN, "source": "auto", "target": "en"}).json()
    language = answer["detectedLanguage"]
    same(language["language"], "de")
    check(type(language["confidence"]) is int and 0 < language["confidence"] <= 100, language)
    for nothing in ("🎉", "   ", "123"):
        answer = s.post("/translate", json={"q": nothing, "source": "auto", "target": "de"}).json()
        same(answer, {"detectedLanguage": {"confidence": 0, "language": "en"}, "translatedText": nothing})
    # The text is in the target language already, and so is a document.
    for source in ("auto", "de"):
        answer = s.post("/translate_file", form={"source": source, "target": "de"}, files=[
            ("file", "a.txt", (GERMAN + " Der Zug kommt um acht Uhr an.").encode())])
        url = urllib.parse.urlsplit(answer.json()["translatedFileUrl"])
        same(s.get(f"{url.path}?{url.query}").text, GERMAN + " Der Zug kommt um acht Uhr an.", source)
    same(translated(s.post("/translate", json={"q": GERMAN, "source": "auto", "target": "de"})), GERMAN)

    found = s.post("/detect", form={"q": GERMAN}).json()
    same(len(found), 1, "one language, as a client in Go needs it")
    same(found[0]["language"], "de")
    check(type(found[0]["confidence"]) is int, found)
    same(s.post("/detect", json={"q": [ENGLISH, ENGLISH]}).json()[0]["language"], "en")
    same(s.post("/detect", query={"q": ENGLISH}).json()[0]["language"], "en")
    same(s.post("/detect", json={"q": "🎉"}).json(), [{"confidence": 0, "language": "en"}])
    same(error_text(s.post("/detect", json={}), 400), "Invalid request: missing q parameter")
    same(s.get("/detect").status, 405)


def alternatives(s):
    given = {"q": GERMAN, "source": "de", "target": "en", "alternatives": 3}
    answer = s.post("/translate", json=given).json()
    others = answer["alternatives"]
    check(0 < len(others) <= 3 and all(isinstance(each, str) for each in others), answer)
    check(answer["translatedText"] not in others and len(set(others)) == len(others), answer)
    same(s.post("/translate", form=given).json(), answer, "a form's number is text")
    check("alternatives" not in s.post("/translate", json=dict(given, alternatives=0)).json())
    check("alternatives" not in s.post("/translate", json=dict(given, alternatives=-1)).json())
    check("alternatives" not in s.post("/translate", form=dict(given, alternatives="")).json())
    same(s.post("/translate", json=dict(given, format="html")).json()["alternatives"], [], "none of HTML")
    for how in ("json", "form"):
        same(error_text(s.post("/translate", **{how: dict(given, alternatives="many")}), 400),
             "Invalid request: alternatives parameter is not a number")
    check("must be <= " in error_text(s.post("/translate", json=dict(given, alternatives=10000)), 400))


def markup(s):
    given = {"q": "<p>Guten <b>Morgen</b>!</p>", "source": "de", "target": "en", "format": "html"}
    text = translated(s.post("/translate", json=given))
    check(text.startswith("<p>") and text.endswith("</p>") and "<b>" in text and "</b>" in text, text)
    answer = s.post("/translate", json=dict(given, q=[given["q"]], source="auto")).json()
    same(answer["translatedText"], [text])
    same(answer["detectedLanguage"][0]["language"], "de")
    # OmegaT's inline tags come as text.
    text = translated(s.post("/translate", form={"q": "Das ist <b0>gut</b0>.", "source": "de", "target": "en"}))
    check("<b0>" in text and "</b0>" in text, text)


def lines(s):
    """Line ends of forms are LF, whatever they were."""
    given = {"q": "Guten Morgen.\r\nGute Nacht.\u2028Das ist gut.", "source": "de", "target": "en"}
    text = translated(s.post("/translate", form=given))
    check("\r" not in text and "\u2028" not in text and text.count("\n") == 2, repr(text))


def errors(s):
    whole = {"q": GERMAN, "source": "de", "target": "en"}

    def problem(status=400, how="json", **changes):
        given = {name: value for name, value in dict(whole, **changes).items() if value != "gone"}
        return error_text(s.post("/translate", **{how: given}), status)

    for how in ("json", "form", "query"):
        for name in whole:
            same(problem(how=how, **{name: "gone"}), f"Invalid request: missing {name} parameter", how)
            same(problem(how=how, **{name: ""}), f"Invalid request: missing {name} parameter", how)
    same(problem(q=None), "Invalid request: missing q parameter")
    same(problem(q=[]), "Invalid request: missing q parameter")
    same(problem(source="xx"), "xx is not supported")
    same(problem(target="fr"), "fr is not supported")
    same(problem(target="auto"), "auto is not supported")
    same(problem(format="pdf"), "pdf format is not supported")
    # Which of two faults is told.
    same(problem(source="xx", q="gone"), "Invalid request: missing q parameter")
    same(problem(source="xx", target="gone"), "Invalid request: missing target parameter")
    same(problem(source="xx", target="yy", format="zz"), "xx is not supported")
    same(problem(source="xx", alternatives="many"), "Invalid request: alternatives parameter is not a number")
    same(problem(q=5), "Invalid request: q is number, a string or a list of strings is expected")
    same(problem(source=["de"]), "Invalid request: source is array, a string is expected")
    same(problem(q=["a", 1]), "Invalid request: q[1] is number, a string is expected")
    for body in (b"", b"{", b"[]", b'{"q": "\xff"}', b"null", b'"q"'):
        answer = s.post("/translate", body=body, headers={"Content-Type": "application/json"})
        same(answer.status, 400, f"{body!r} {answer!r}")
        check(isinstance(answer.json()["error"], str), answer)
    answer = s.post("/translate", body=b"q=%FF%FE&source=de&target=en",
                    headers={"Content-Type": "application/x-www-form-urlencoded"})
    same(answer.status, 400, repr(answer))
    for method, path, status in (("PUT", "/translate", 405), ("GET", "/suggest", 405), ("GET", "/nothing", 404)):
        answer = s.request(method, path)
        same(answer.status, status, path)
        check(isinstance(answer.json()["error"], str), answer)


def languages(s):
    for method, how in (("GET", {}), ("POST", {}), ("GET", {"form": {"api_key": "x"}}),
                        ("POST", {"form": {"api_key": ""}}), ("GET", {"json": {}}), ("POST", {"json": {}}),
                        ("GET", {"form": {"a": "b"}, "files": []})):
        answer = s.request(method, "/languages", **how)
        same(answer.status, 200, f"{method} {how} {answer!r}")
        same([each["code"] for each in answer.json()], ["en", "de"], "English first")
        for each in answer.json():
            same(sorted(each), ["code", "name", "targets"])
            same(sorted(each["targets"]), ["de", "en"], "itself included")
        same(answer.json()[1]["name"], "German")


def settings(s):
    answer = s.get("/frontend/settings", json={}).json()
    same(sorted(answer), ["apiKeys", "charLimit", "filesTranslation", "frontendTimeout", "keyRequired", "language",
                          "suggestions", "supportedFilesFormat"])
    same((answer["apiKeys"], answer["keyRequired"], answer["suggestions"], answer["charLimit"]),
         (False, False, False, -1))
    check(".txt" in answer["supportedFilesFormat"] and ".docx" in answer["supportedFilesFormat"], answer)
    same(answer["language"]["source"], {"code": "auto", "name": "Auto Detect"})
    german = s.get("/frontend/settings", headers={"Accept-Language": "fr;q=1, de-AT;q=0.8, en"}).json()
    same(german["language"]["target"], {"code": "de", "name": "German"})
    same(s.get("/health", json={}).json(), {"status": "ok"}, "its own health check sends a body")


def clients(s):
    """Requests as clients write them, byte by byte where that matters."""
    wanted = translated(s.post("/translate", json={"q": GERMAN, "source": "de", "target": "en"}))
    # Subtitle Edit, with a key: there is no comma before it.
    body = '{"q":"Guten Morgen, mein Freund.","source":"de","target":"en" "api_key":"xyz"}'
    same(translated(s.post("/translate", body=body.encode(), headers={"Content-Type": "application/json"})), wanted)
    body = body.replace(' "api_key"', '"api_key"')
    same(translated(s.post("/translate", body=body.encode(), headers={"Content-Type": "application/json"})), wanted)
    # Mastodon: a list of HTML, and a key that is null.
    sent = {"q": ["<p>Guten Morgen</p>"], "source": "auto", "target": "en", "format": "html", "api_key": None}
    answer = s.post("/translate", json=sent).json()
    check(answer["translatedText"][0].startswith("<p>") and answer["detectedLanguage"][0]["language"] == "de", answer)
    # deep-translator and Translate You: all of it in the query of a POST.
    sent = {"q": GERMAN, "source": "de", "target": "en", "format": "text", "alternatives": 3}
    answer = s.post("/translate", query=sent)
    same(translated(answer), wanted)
    check(isinstance(answer.json()["alternatives"][0], str), answer)
    # libretranslatepy: urlencoded, and a body with GET.
    same(translated(s.post("/translate", form={"q": GERMAN, "source": "de", "target": "en", "api_key": "k"})), wanted)
    same(s.get("/languages", form={"api_key": "k"}).status, 200)
    # LibreTranslate's PHP client: multipart with format=html, detection in the query, and POST / before all else.
    check(s.post("/", form={}, files=[]).status < 500)
    sent = {"q": GERMAN, "source": "de", "target": "en", "format": "html"}
    same(translated(s.post("/translate", files=[], form=sent)), wanted)
    same(s.post("/detect", query={"q": GERMAN}).json()[0]["language"], "de")
    # Scripts that forget to say what they send (curl -d).
    same(translated(s.post("/translate", body=json.dumps({"q": GERMAN, "source": "de", "target": "en"}).encode(),
                           headers={"Content-Type": "application/x-www-form-urlencoded"})), wanted)
    # LinguaCafe: names of languages in small letters.
    same(translated(s.post("/translate", json={"q": GERMAN, "source": "german", "target": "english"})), wanted)


def files(s):
    text = "Guten Morgen.\nDas ist ein Test.\n".encode()
    answer = s.post("/translate_file", form={"source": "de", "target": "en"}, files=[("file", "Mein Text.txt", text)])
    same(answer.status, 200, repr(answer))
    url = answer.json()["translatedFileUrl"]
    name, token = url.rsplit("/", 1)[1].split("?token=")
    check(url.startswith(s.url + "/download_file/") and name.endswith(".txt") and " " not in url, url)
    got = s.get(url[len(s.url):], headers={"Host": "localhost"})
    same(got.status, 200, repr(got))
    check("morning" in got.text.lower() and got.text.count("\n") == 2, got)
    check(got.headers["Content-Disposition"].startswith("attachment; filename="), got.headers)
    same(s.post("/translate_file", form={"source": "auto", "target": "en"}, files=[("file", "a.srt",
         b"1\n00:00:01,000 --> 00:00:02,000\nGuten Morgen.\n")]).status, 200)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "no document")

    def problem(name="a.txt", data=text, status=400, field="file", **changes):
        given = {key: value for key, value in dict({"source": "de", "target": "en"}, **changes).items() if value}
        return error_text(s.post("/translate_file", form=given, files=[(field, name, data)] if field else []), status)

    same(problem(field=None), "Invalid request: missing file parameter")
    same(problem(field="other"), "Invalid request: missing file parameter")
    same(problem(source=None), "Invalid request: missing source parameter")
    same(problem(target=None), "Invalid request: missing target parameter")
    same(problem(name="a.exe"), "Invalid request: file format not supported")
    same(problem(source="xx"), "xx is not supported")
    same(problem(target="xx"), "xx is not supported")
    for data in (packed.getvalue(), b"PK\x03\x04 no archive", b"no archive at all"):
        answer = s.post("/translate_file", form={"source": "de", "target": "en"}, files=[("file", "a.docx", data)])
        check(answer.status in (400, 415, 500), answer)
        check(s.folder.name not in answer.json()["error"], "a path of the service", answer)
    # No path comes out of a name.
    check(token not in s.log, "the token of a file in the log")
    for wrong in ("nothing", "..", "%2e%2e%2fready", "a.b.c", name, name + "?token=", name + "?token=" + token[:-1],
                  name + "?token=x" + token[1:], "x" + name + "?token=" + token, "../ready", "..%2fready"):
        answer = s.get("/download_file/" + wrong)
        check(answer.status in (400, 404), wrong, answer)
    answer = s.post("/translate_file", form={"source": "de", "target": "en"},
                    files=[("file", "../../etc/pass wd.txt", text)])
    url = answer.json()["translatedFileUrl"]
    check("/etc/" not in url, url)


def disconnects(s):
    """A client that goes cancels its work, and nobody else notices."""
    for _ in range(3):
        connection = http.client.HTTPConnection(s.host, s.port)
        body = json.dumps({"q": [f"Das ist Satz Nummer {i}." for i in range(500)], "source": "de", "target": "en"})
        connection.request("POST", "/translate", body=body, headers={"Content-Type": "application/json"})
        connection.close()
    same(s.post("/translate", json={"q": GERMAN, "source": "de", "target": "en"}).status, 200)


def limited():
    """What operators limit and turn off, and keys."""
    with Service(TOOL, PROJECT, environment={"LT_CHAR_LIMIT": "20", "LT_BATCH_LIMIT": "2", "LT_ALTERNATIVES_LIMIT": "1",
                                             "LT_DISABLE_FILES_TRANSLATION": "true", "LT_SUGGESTIONS": "true"}) as s:
        given = {"q": "Guten Morgen.", "source": "de", "target": "en"}
        same(s.post("/translate", json=given).status, 200)
        same(error_text(s.post("/translate", json=dict(given, q="x" * 21)), 400),
             "Invalid request: request (21) exceeds text limit (20)")
        same(s.post("/translate", json=dict(given, q="ü" * 20)).status, 200, "code points, not bytes")
        same(error_text(s.post("/translate", json=dict(given, q=["a", "b", "c"])), 400),
             "Invalid request: request (3) exceeds text limit (2)")
        same(error_text(s.post("/translate", json=dict(given, q=["a", "b" * 30])), 400),
             "Invalid request: request (30) exceeds text limit (20)")
        same(error_text(s.post("/translate", json=dict(given, alternatives=2)), 400),
             "Invalid request: alternatives parameter must be <= 1")
        # In LibreTranslate's order: the number of alternatives, of texts, their length, languages.
        same(error_text(s.post("/translate", json=dict(given, q=["a"] * 3, alternatives=2, source="xx")), 400),
             "Invalid request: alternatives parameter must be <= 1")
        same(error_text(s.post("/translate", json=dict(given, q="x" * 21, source="xx")), 400),
             "Invalid request: request (21) exceeds text limit (20)")
        answer = s.post("/translate_file", form={"source": "de", "target": "en"}, files=[("file", "a.txt", b"a")])
        same(error_text(answer, 403), "Files translation are disabled on this server.")
        same(error_text(s.get("/download_file/a.b.txt"), 400), "Files translation are disabled on this server.")
        settings = s.get("/frontend/settings").json()
        same((settings["charLimit"], settings["filesTranslation"], settings["suggestions"],
              settings["supportedFilesFormat"]), (20, False, True, []))
        better = {"q": "Guten Morgen.", "s": "Good morning!\nüäö", "source": "de", "target": "en"}
        same(s.post("/suggest", form=better).json(), {"success": True})
        same(s.post("/suggest", json=better).json(), {"success": True})
        for name in better:
            same(error_text(s.post("/suggest", json={key: better[key] for key in better if key != name}), 400),
                 f"Invalid request: missing {name} parameter")
        kept = []
        for folder, _, names in os.walk(s.folder.name):
            if "suggestions.jsonl" in names:
                with open(os.path.join(folder, "suggestions.jsonl"), encoding="utf-8") as file:
                    kept += [json.loads(line) for line in file]
        same(kept, [better, better], "suggestions")


def keyed():
    with Service(TOOL, PROJECT, environment={"DRAGOMAN_SERVE_KEYS": "right"}) as s:
        given = {"q": "Guten Morgen.", "source": "de", "target": "en"}
        for how in ("json", "form", "query"):
            same(s.post("/translate", **{how: dict(given, api_key="right")}).status, 200, how)
            same(error_text(s.post("/translate", **{how: dict(given, api_key="wrong")}), 403), "Invalid API key")
            check("API key" in error_text(s.post("/translate", **{how: given}), 400))
            check("API key" in error_text(s.post("/detect", **{how: {"q": "Guten Morgen."}}), 400))
        same(s.post("/translate", json=given, headers={"Authorization": "Bearer right"}).status, 200)
        for path in ("/languages", "/frontend/settings", "/health"):
            same(s.get(path).status, 200, "open: " + path)
        settings = s.get("/frontend/settings").json()
        same((settings["apiKeys"], settings["keyRequired"]), (True, True))
        check("right" not in s.log and "wrong" not in s.log, "keys in the log:", s.log)


def main():
    with Service(TOOL, PROJECT) as s:
        same(error_text(s.post("/suggest", json={"q": "a", "s": "b", "source": "de", "target": "en"}), 403),
             "Suggestions are disabled on this server.")
        for each in (styles, lists, codes, detected, alternatives, markup, lines, errors, languages, settings, clients,
                     files, disconnects):
            each(s)
            print(each.__name__)
        check(GERMAN not in s.log, "texts in the log")
    limited()
    keyed()


main()
