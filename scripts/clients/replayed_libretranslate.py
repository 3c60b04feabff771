# SPDX-License-Identifier: Apache-2.0
"""Requests in the shapes in which programs that cannot be installed here send them to LibreTranslate, and what each of
these programs needs of the answer."""
import json

from checks import BOAT, BOOT, HAT, HUT
from plain_http import send, send_form, send_json, send_multipart, send_query


def mastodon(checks, url):
    languages = checks.call("GET /languages", lambda: send(url, "GET", "/languages").json,
                            "codes, each with `targets`", lambda got: got and got[0]["code"] == "en" and
                            all(isinstance(each["targets"], list) and each["targets"] for each in got))
    checks.call("the pair is among its targets", lambda: [each["targets"] for each in languages if each["code"] == "en"],
                "de is a target of en", lambda targets: "de" in targets[0])
    body = {"q": [f"<p>{BOAT}</p>", HAT], "source": "en", "target": "de", "format": "html", "api_key": None}
    checks.call("a status and its poll", lambda: send_json(url, "/translate", body).json["translatedText"],
                [f"<p>{BOOT}</p>", HUT])
    body = {**body, "source": "auto"}
    checks.call("of unknown language", lambda: [each["language"] for each in
                                               send_json(url, "/translate", body).json["detectedLanguage"]], ["en", "en"])
    checks.call("empty parts", lambda: send_json(url, "/translate", {**body, "source": "en", "q": ["", HAT]}).json,
                "two texts, the first one empty", lambda answer: answer["translatedText"] == ["", HUT])


def discourse(checks, url):
    checks.call("detect", lambda: send_form(url, "/detect", {"q": BOAT}),
                "200, [0].language is en", lambda answer: answer.status == 200 and answer.json[0]["language"] == "en")
    fields = {"q": f"<p>{BOAT}</p>\n<p>{HAT}</p>", "source": "en", "target": "de", "format": "html"}
    checks.call("a post", lambda: send_form(url, "/translate", fields),
                "200 and both paragraphs", lambda answer: answer.status == 200 and
                answer.json["translatedText"] == f"<p>{BOOT}</p>\n<p>{HUT}</p>")


def subtitle_edit(checks, url):
    checks.call("a line", lambda: send_json(url, "/translate", {"q": HAT, "source": "en", "target": "de"}).json,
                {"translatedText": HUT})
    lacking = '{"q": ' + json.dumps(BOAT) + ', "source": "en", "target": "de" "api_key": "none"}'
    checks.call("with a key: no comma before it", lambda: send(url, "POST", "/translate", lacking.encode(),
                                                               {"Content-Type": "application/json"}),
                "200 and the translation", lambda answer: answer.status == 200 and answer.json["translatedText"] == BOOT)
    checks.call("two lines, a tag of italics", lambda: send_json(
        url, "/translate", {"q": f"<i>{BOAT}</i>\n{HAT}", "source": "en", "target": "de"}).json["translatedText"],
        "two lines, the tag is there", lambda text: text.count("\n") == 1 and "<i>" in text and "</i>" in text and
        text.endswith(HUT))
    for code in ("zt", "nb", "tl"):
        checks.call(f"the old code {code}, which no model here has", lambda: send_json(
            url, "/translate", {"q": HAT, "source": "en", "target": code}),
            "400 and {error}", lambda answer: answer.status == 400 and isinstance(answer.json["error"], str))


def omegat(checks, url):
    checks.call("a segment", lambda: send_form(url, "/translate", {"q": HAT, "source": "en", "target": "de"}).json,
                {"translatedText": HUT})
    checks.call("a segment with its inline tags, in text mode", lambda: send_form(
        url, "/translate", {"q": "<f0>The boat</f0> is full.", "source": "en", "target": "de"}).json["translatedText"],
        "both tags survive", lambda text: text.count("<f0>") == 1 and text.count("</f0>") == 1)


def nextcloud(checks, url):
    """By the PHP client jefs42/libretranslate."""
    checks.call("POST / as a sign of life", lambda: send(url, "POST", "/"), "any answer", lambda answer: answer.status > 0)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    checks.call("GET /frontend/settings with a body", lambda: send(url, "GET", "/frontend/settings", b"api_key=", form).json,
                "settings", lambda got: {"charLimit", "frontendTimeout", "apiKeys", "keyRequired", "suggestions",
                                         "filesTranslation", "supportedFilesFormat", "language"} <= set(got) and
                isinstance(got["keyRequired"], bool) and got["language"]["target"]["code"])
    checks.call("GET /languages with a body", lambda: send(url, "GET", "/languages", b"api_key=", form).json,
                "a list", lambda got: {"en", "de"} <= {each["code"] for each in got})
    checks.call("detect, in the query", lambda: send_query(url, "/detect", {"q": HUT}).json[0]["language"], "de")
    fields = [("q", HAT), ("source", "en"), ("target", "de"), ("format", "html")]
    checks.call("translate, multipart", lambda: send_multipart(url, "/translate", fields).json["translatedText"], HUT)
    answer = checks.call("a file", lambda: send_multipart(
        url, "/translate_file", [("source", "en"), ("target", "de")],
        [("file", "boat.txt", "text/plain", f"{BOAT}\n{HAT}\n".encode())]).json,
        "translatedFileUrl at this service", lambda got: got["translatedFileUrl"].startswith(url + "/"))
    checks.call("its download", lambda: send(url, "GET", answer["translatedFileUrl"]),
                "200, both lines, as an attachment", lambda file: file.status == 200 and
                file.text == f"{BOOT}\n{HUT}\n" and "attachment" in file.headers["Content-Disposition"] and
                "boat_de.txt" in file.headers["Content-Disposition"])
    checks.call("suggest", lambda: send_form(url, "/suggest", {"q": HAT, "s": HUT, "source": "en", "target": "de"}),
                "403 and {error} where it is off", lambda answer: answer.status == 403 and "error" in answer.json)


def translate_you(checks, url):
    fields = {"q": HAT, "source": "en", "target": "de", "alternatives": 3}
    checks.call("all in the query", lambda: send_query(url, "/translate", fields).json, "a text and strings beside it",
                lambda got: got["translatedText"] == HUT and isinstance(got["alternatives"], list) and
                all(isinstance(each, str) for each in got["alternatives"]) and len(got["alternatives"]) <= 3)
    checks.call("of unknown language", lambda: send_query(url, "/translate", {**fields, "source": "auto"}).json,
                "whole numbers as confidence", lambda got: got["detectedLanguage"]["language"] == "en" and
                isinstance(got["detectedLanguage"]["confidence"], int))


def searxng(checks, url):
    body = {"q": HAT, "source": "en", "target": "de", "alternatives": 3, "api_key": ""}
    checks.call("a query", lambda: send_json(url, "/translate", body).json, "a text and others",
                lambda got: got["translatedText"] == HUT and isinstance(got["alternatives"], list))


def lingua_cafe(checks, url):
    checks.call("a word", lambda: send_json(url, "/translate", {"q": HAT, "source": "en", "target": "de"}).json,
                {"translatedText": HUT})
    checks.call("names as codes", lambda: send_json(url, "/translate", {"q": HUT, "source": "german", "target": "english"}),
                "200 and a text", lambda answer: answer.status == 200 and "hat" in answer.json["translatedText"].lower())


def go_and_swift(checks, url):
    """SnakeSel/libretranslate (Go) and wacumov/libretranslate (Swift)."""
    checks.call("detect gives exactly one", lambda: send_form(url, "/detect", {"q": BOAT}).json, "one element",
                lambda got: len(got) == 1)
    checks.call("its confidence is a whole number", lambda: send(url, "POST", "/detect", json.dumps({"q": BOAT}).encode(), {
        "Content-Type": "application/json"}).text, "no point in it", lambda text: "." not in text and
        0 <= json.loads(text)[0]["confidence"] <= 100)


def typescript(checks, url):
    """libretranslate-ts."""
    body = {"q": HAT, "source": "en", "target": "de", "format": "text", "alternatives": 2, "api_key": None}
    checks.call("a null key", lambda: send_json(url, "/translate", body).json["translatedText"], HUT)


def own_health_check(checks, url):
    checks.call("GET /health with a body of JSON", lambda: send_json(url, "/health", {}, "GET").json, {"status": "ok"})


def firefox_add_on(checks, url):
    page = "<html><body>" + f"<p>{HAT}</p>\n" * 200 + "</body></html>"
    checks.call("a whole page", lambda: send_json(
        url, "/translate", {"q": page, "source": "en", "target": "de", "format": "html"}).json["translatedText"],
        "all its paragraphs", lambda text: text.count(f"<p>{HUT}</p>") == 200)


def errors(checks, url):
    """What LibreTranslate answers where something is wrong, as clients show it."""
    def refused(what, fields, text):
        checks.call(what, lambda: send_json(url, "/translate", fields), f"400 and {{error: {text}}}",
                    lambda answer: answer.status == 400 and answer.json["error"] == text)
    whole = {"q": HAT, "source": "en", "target": "de"}
    for name in ("q", "source", "target"):
        refused(f"without {name}", {key: value for key, value in whole.items() if key != name},
                f"Invalid request: missing {name} parameter")
    refused("an unknown target", {**whole, "target": "zz"}, "zz is not supported")
    refused("an unknown source", {**whole, "source": "zz"}, "zz is not supported")
    refused("an unknown format", {**whole, "format": "pdf"}, "pdf format is not supported")
    checks.call("not JSON", lambda: send(url, "POST", "/translate", b"{", {"Content-Type": "application/json"}),
                "400 and {error}", lambda answer: answer.status == 400 and isinstance(answer.json["error"], str))
    checks.call("GET /detect", lambda: send(url, "GET", "/detect").status, 405)
    checks.call("one text in a list", lambda: send_json(url, "/translate", {**whole, "q": [HAT]}).json["translatedText"],
                [HUT])
    checks.call("nothing but a picture", lambda: send_json(url, "/translate", {**whole, "source": "auto", "q": "😀 "}).json,
                {"translatedText": "😀 ", "detectedLanguage": {"confidence": 0, "language": "en"}})


ALL = {"Mastodon": mastodon, "Discourse": discourse, "Subtitle Edit": subtitle_edit, "OmegaT": omegat,
       "Nextcloud (PHP client)": nextcloud, "Translate You": translate_you, "SearXNG": searxng,
       "LinguaCafe": lingua_cafe, "Go and Swift clients": go_and_swift, "libretranslate-ts": typescript,
       "LibreTranslate's health check": own_health_check, "Firefox add-on": firefox_add_on,
       "LibreTranslate's errors": errors}
