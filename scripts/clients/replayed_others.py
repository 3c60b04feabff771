# SPDX-License-Identifier: Apache-2.0
"""Requests in the shapes of other translation services, as programs that cannot be installed here send them."""
from checks import BOAT, BOOT, HAT, HUT
from plain_http import send, send_form, send_json, send_query


def deepl_by_subtitle_edit(checks, url):
    key = {"Authorization": "DeepL-Auth-Key none"}
    fields = {"text": HAT, "target_lang": "de", "source_lang": "en", "formality": "default"}
    checks.call("a form, codes in small letters", lambda: send_form(url, "/v2/translate", fields, headers=key).json,
                "translations[0].text", lambda got: got["translations"][0]["text"] == HUT)


def deepl_by_mastodon(checks, url):
    key = {"Authorization": "DeepL-Auth-Key none"}
    fields = [("text", BOAT), ("text", HAT), ("source_lang", "EN"), ("target_lang", "de"), ("tag_handling", "html")]
    checks.call("a form with text twice", lambda: [each["text"] for each in send_form(
        url, "/v2/translate", fields, headers=key).json["translations"]], [BOOT, HUT])
    checks.call("it says the language", lambda: send_form(url, "/v2/translate", [("text", HAT), ("target_lang", "DE")],
                                                          headers=key).json["translations"][0]["detected_source_language"],
                "EN")
    for kind in ("source", "target"):
        checks.call(f"its {kind} languages", lambda: send(url, "GET", f"/v2/languages?type={kind}", headers=key).json,
                    "codes and names", lambda got: any(each["language"].upper().startswith("DE") and each["name"]
                                                       for each in got))


def deepl_by_lingua_cafe(checks, url):
    key = {"Authorization": "DeepL-Auth-Key none"}
    checks.call("usage", lambda: send(url, "GET", "/v2/usage", headers=key).json, "two numbers", lambda got:
                got["character_count"] >= 0 and got["character_limit"] >= 0)


def deeplx(checks, url):
    checks.call("text and languages", lambda: send_json(
        url, "/translate", {"text": HAT, "source_lang": "EN", "target_lang": "DE"}).json,
        "code 200 and data", lambda got: got["code"] == 200 and got["data"] == HUT and
        isinstance(got.get("alternatives", []), (list, type(None))))


def nemo_curator(checks, url):
    checks.call("32 texts", lambda: send_json(
        url, "/translate", {"texts": [HAT, BOAT] * 16, "src_lang": "en", "tgt_lang": "de"}).json["translations"],
        [HUT, BOOT] * 16)
    checks.call("a wrong language", lambda: send_json(
        url, "/translate", {"texts": [HAT], "src_lang": "en", "tgt_lang": "zz"}),
        "not 2xx, and {error}", lambda answer: answer.status >= 400 and "error" in answer.json)


def nllb_serve(checks, url):
    """Subtitle Edit and nllb-serve's own page."""
    body = {"source": [HAT, BOAT], "src_lang": "eng_Latn", "tgt_lang": "deu_Latn"}
    checks.call("a list, JSON", lambda: send_json(url, "/translate", body).json, "its answer with all fields",
                lambda got: got["translation"] == [HUT, BOOT] and got["src_lang"] == "eng_Latn" and
                got["tgt_lang"] == "deu_Latn" and got["source"] == body["source"] and got["time_taken"] >= 0 and
                got["time_units"])
    checks.call("a string, JSON", lambda: send_json(url, "/translate", {**body, "source": HAT}).json["translation"], [HUT])
    fields = [("source", HAT), ("source", BOAT), ("src_lang", "eng_Latn"), ("tgt_lang", "deu_Latn")]
    checks.call("a form", lambda: send_form(url, "/translate", fields).json["translation"], [HUT, BOOT])
    checks.call("GET", lambda: send_query(url, "/translate", fields, "GET").json["translation"], [HUT, BOOT])


def nllb_api(checks, url):
    fields = {"text": HAT, "source": "eng_Latn", "target": "deu_Latn"}
    checks.call("GET", lambda: send_query(url, "/api/v4/translator", fields, "GET").json, {"result": HUT})
    checks.call("POST, as Subtitle Edit", lambda: send_json(url, "/api/v4/translator", fields).json, {"result": HUT})
    checks.call("tokens", lambda: send_query(url, "/api/v4/translator/tokens", {"text": HAT}, "GET").json["length"],
                "a number above 4", lambda length: length > 4)
    checks.call("language", lambda: send_query(url, "/api/v4/language", {"text": HAT}, "GET").text,
                "eng_Latn in it", lambda text: "eng_Latn" in text)
    checks.call("a stream", lambda: send_query(url, "/api/v4/translator/stream", {**fields, "event_type": "message"}, "GET"),
                "server-sent events with the words of the translation", lambda answer:
                answer.headers["Content-Type"].startswith("text/event-stream") and "data:" in answer.text and
                "Hut" in answer.text)


def mtuoc(checks, url):
    checks.call("id and src", lambda: send_json(url, "/translate", {"id": 7, "src": HAT}).json, "the id and tgt",
                lambda got: got["id"] == 7 and got["src"] == HAT and isinstance(got["tgt"], str) and got["tgt"])


def nmt_wizard(checks, url):
    checks.call("src is a list of texts", lambda: send_json(url, "/translate", {"src": [{"text": HAT}, {"text": BOAT}]}).json,
                "tgt is a list of lists", lambda got: len(got["tgt"]) == 2 and got["tgt"][0][0]["text"])


def opennmt(checks, url):
    checks.call("a list of src", lambda: send_json(url, "/translate", [{"src": HAT, "id": 100}, {"src": BOAT}]).json,
                "a list of a list with tgt", lambda got: len(got[0]) == 2 and got[0][0]["tgt"] and got[0][0]["src"] == HAT)


def modern_mt(checks, url):
    checks.call("GET with q", lambda: send_query(url, "/translate", {"q": HAT, "source": "en", "target": "de"}, "GET").json[
        "data"]["translation"], HUT)


def mtranserver(checks, url):
    """As add-ons of pot and Bob ask, with the token as it is, and KISS Translator at its own path."""
    body, token = {"from": "en", "to": "de", "text": HAT}, {"Authorization": "none"}
    checks.call("a text", lambda: send_json(url, "/translate", body, headers=token).json, {"result": HUT})
    checks.call("a list", lambda: send_json(url, "/translate/batch", {"from": "en", "to": "de", "texts": [HAT, BOAT]},
                                            headers=token).json, {"results": [HUT, BOOT]})
    checks.call("languages", lambda: send(url, "GET", "/mtranserver/languages", headers=token).json["languages"],
                ["en", "de"])
    checks.call("KISS Translator", lambda: send_json(url, "/kiss", body).json, {"text": HUT, "src": "en"})
    checks.call("Immersive Translate", lambda: send_json(url, "/imme?token=none", {
        "source_lang": "en", "target_lang": "de", "text_list": [HAT]}).json["translations"],
        [{"detected_source_lang": "en", "text": HUT}])


def azure(checks, url):
    """As programs without a library ask."""
    key = {"Ocp-Apim-Subscription-Key": "none", "Ocp-Apim-Subscription-Region": "westeurope"}
    path = "/translate?api-version=3.0&from=en&to=de"
    checks.call("a list of texts", lambda: send_json(url, path, [{"Text": HAT}, {"Text": BOAT}], headers=key).json,
                [{"translations": [{"text": each, "to": "de"}]} for each in (HUT, BOOT)])
    checks.call("languages", lambda: send(url, "GET", "/languages?api-version=3.0&scope=translation").json["translation"],
                "codes with names", lambda got: got["de"]["name"] == "German" and got["en"]["nativeName"])
    checks.call("a wrong language", lambda: send_json(url, path + "x", [{"Text": HAT}], headers=key),
                "400 and error.code", lambda answer: answer.status == 400 and answer.json["error"]["code"] == 400036)


def google_v2(checks, url):
    path = "/language/translate/v2"
    checks.call("a list", lambda: [each["translatedText"] for each in send_json(
        url, path, {"q": [HAT, BOAT], "source": "en", "target": "de", "format": "text"}).json["data"]["translations"]],
        [HUT, BOOT])
    checks.call("no source", lambda: send_json(url, path, {"q": HAT, "target": "de"}).json["data"]["translations"][0][
        "detectedSourceLanguage"], "en")
    checks.call("HTML is the default", lambda: send_json(url, path, {
        "q": f"<b>{HAT}</b>", "source": "en", "target": "de"}).json["data"]["translations"][0]["translatedText"],
        f"<b>{HUT}</b>")
    checks.call("detect", lambda: send_json(url, path + "/detect", {"q": [HAT, HUT]}).json["data"]["detections"],
                "a list for each text", lambda got: [each[0]["language"] for each in got] == ["en", "de"])
    checks.call("languages", lambda: send(url, "GET", path + "/languages?target=en").json["data"]["languages"],
                "codes and names", lambda got: {"language": "de", "name": "German"} in got)
    checks.call("a wrong language", lambda: send_json(url, path, {"q": HAT, "target": "zz"}),
                "400 and error.message", lambda answer: answer.status == 400 and answer.json["error"]["code"] == 400 and
                answer.json["error"]["message"])


def hugging_face(checks, url):
    body = {"inputs": HAT, "parameters": {"src_lang": "en", "tgt_lang": "de"}}
    checks.call("inputs to the address itself", lambda: send_json(url, "/", body).json, [{"translation_text": HUT}])


def weblate_openai(checks, url):
    mark = "\n==WEBLATE_PART==\n"
    model = checks.call("models", lambda: send(url, "GET", "/models").json["data"][0]["id"], "an id", bool)
    prompt = ("You are a highly skilled translation assistant, adept at translating text\nfrom language 'English'\n"
              "to language 'German'\nwith precision and nuance.\nYou always reply with translated string only.\n"
              "You do not include transliteration.\n")
    body = {"model": model, "messages": [{"role": "system", "content": prompt},
                                         {"role": "user", "content": f"{HAT}{mark}{BOAT}"}], "temperature": 0}
    for path in ("/chat/completions", "/v1/chat/completions"):
        checks.call(f"two strings to {path}", lambda: send_json(url, path, body).json["choices"][0]["message"]["content"],
                    f"{HUT}{mark}{BOOT}")


def immersive_translate(checks, url):
    body = {"source_lang": "en", "target_lang": "de", "text_list": [HAT, "Open <b0></b0> and {1}."]}
    checks.call("a list of texts", lambda: send_json(url, "/translate", body).json["translations"],
                "two texts with their language, placeholders are there", lambda got: len(got) == 2 and
                got[0] == {"detected_source_lang": "en", "text": HUT} and "<b0></b0>" in got[1]["text"] and
                "{1}" in got[1]["text"])


def lingva(checks, url):
    checks.call("a path", lambda: send(url, "GET", "/api/v1/en/de/She%20is%20wearing%20a%20hat.").json["translation"], HUT)


ALL = {"DeepL by Subtitle Edit": deepl_by_subtitle_edit, "DeepL by Mastodon": deepl_by_mastodon,
       "DeepL by LinguaCafe": deepl_by_lingua_cafe, "DeepLX": deeplx, "NeMo Curator": nemo_curator,
       "nllb-serve": nllb_serve, "nllb-api": nllb_api, "MTUOC": mtuoc, "NMTWizard": nmt_wizard, "OpenNMT-py": opennmt,
       "ModernMT": modern_mt, "MTranServer": mtranserver, "Azure Translator": azure,
       "Google v2": google_v2, "Hugging Face": hugging_face, "OpenAI as Weblate": weblate_openai,
       "Immersive Translate": immersive_translate, "Lingva": lingva}
