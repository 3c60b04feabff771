# SPDX-License-Identifier: Apache-2.0
"""Google's, nllb-api's, Lingva's and Hugging Face's routes, and the page."""
import functools

from schema import (EVENTS, FORMS, OPEN, add, answer, array, body, boolean, choice, integer, number, queries, query,
                    record, ref, string, texts)

google = functools.partial(add, "Google", "GoogleError", schemes=("google", "googleField"))
nllb = functools.partial(add, "nllb-api", "NllbApiError")
lingva = functools.partial(add, "Lingva", "TextError")
hugging = functools.partial(add, "Hugging Face", "TextError")
page = functools.partial(add, "Page", "TextError", access=OPEN)

SCHEMAS = {
    "GoogleError": record({"error": record({
        "code": integer(), "message": string(), "status": string(), "errors": array(record({
            "message": string(), "domain": string(), "reason": string()}, "message domain reason"))},
        "code message status errors")}, "error"),
    "GoogleAsk": record({"q": texts("Repeats in forms and queries"), "target": string(), "source": string("None: found"),
                         "format": choice("html", "text", default="html"),
                         "model": string("Comes back, and is not heeded")}, "q target"),
    "GoogleAnswer": record({"data": record({"translations": array(record(
        {"translatedText": string(), "detectedSourceLanguage": string("Where source is not given"),
         "model": string("As it was given")}, "translatedText"))}, "translations")}, "data"),
    "NllbApiError": record({"status_code": integer(), "detail": string()}, "status_code detail"),
}


def add_google():
    def data(name, items):
        return {200: answer("", record({"data": record({name: items}, name)}, "data"))}

    root = "/language/translate/v2"
    told = {200: answer("", ref("GoogleAnswer"))}
    found = data("detections", array(array(record({"language": string("und: nothing tells it"), "isReliable": boolean(),
                                                   "confidence": number("0 to 1")}, "language isReliable confidence"))))
    asked = SCHEMAS["GoogleAsk"]
    listed = data("languages", array(record({"language": string(), "name": string("With target")}, "language")))
    for method, name in (("POST", ""), ("GET", "Asked")):
        def given(schema, in_body=method == "POST"):
            return {"request": body(ref("GoogleAsk") if schema is asked else schema, *FORMS)} if in_body else {"parameters": queries(schema)}
        google(method, root, f"googleTranslate{name}", "Translate", told, **given(asked), errors=(503,))
        google(method, root + "/detect", f"googleDetect{name}", "Detect the language of each text", found,
               **given(record({"q": texts("")}, "q")))
        google(method, root + "/languages", f"googleLanguages{name}", "Languages", listed,
               parameters=[query("target", string("The language of names, which are English whatever it is"))])


def add_nllb_api():
    told = {200: answer("", record({"result": string()}, "result"))}
    asked = record({"text": string(), "source": string("FLORES-200 code, or \"auto\""),
                    "target": string("FLORES-200 code")}, "text source target")
    text = record({"text": string()}, "text")
    for version in ("v4", "v3", "v2"):
        root, name = f"/api/{version}", version.upper()
        nllb("GET", f"{root}/translator", f"nllbTranslate{name}", "Translate", told, errors=(503,),
             parameters=queries(asked))
        nllb("POST", f"{root}/translator", f"nllbPost{name}", "Translate", told, errors=(503,),
             request=body(asked, *FORMS))
        nllb("GET", f"{root}/translator/stream", f"nllbStream{name}", "Translate, sentence by sentence",
             {200: answer("An event for each piece", EVENTS, "text/event-stream")}, errors=(503,),
             parameters=[*queries(asked), query("event_type", string("Name of the events; none: they have none"))])
        nllb("GET", f"{root}/translator/tokens", f"nllbTokens{name}", "Number of tokens of a text, for the first model",
             {200: answer("", record({"length": integer()}, "length"))}, parameters=queries(text),
             errors=(404, 501, 503))
        nllb("GET", f"{root}/language", f"nllbLanguage{name}", "Detect a language; 400 where nothing tells it",
             {200: answer("", record({"language": string("FLORES-200 code"), "confidence": number("0 to 1")},
                                     "language confidence"))}, parameters=queries(text))


def add_lingva():
    found = record({"detectedSource": string()}, "detectedSource", "Where source is auto")
    lingva("GET", "/api/v1/{source}/{target}/{text}", "lingvaTranslate",
           "Translate; the text may have slashes, escaped or not", {200: answer("", record({"translation": string(), "info": found}, "translation"))}, errors=(400, 503))
    for side in ("", "/source", "/target"):
        lingva("GET", "/api/v1/languages" + side, "lingvaLanguages" + side[1:].title(), "Languages",
               {200: answer("", record({"languages": array(record({"code": string(), "name": string()}, "code name"))},
                                       "languages"))}, access=OPEN)


def add_hugging_face():
    told = "Languages are in parameters, or in the model's name: opus-mt-de-en"
    for path, name in (("/", "Root"), ("/models/{name}", "Model"), ("/pipeline/translation/{name}", "Pipeline"),
                       ("/hf-inference/models/{name}", "Inference")):
        hugging("POST", path, f"huggingFace{name}", "Translate", {200: answer("", ref("HuggingFaceAnswer"))},
                request=body(ref("HuggingFaceAsk")), errors=(404, 503) if "{" in path else (503,),
                description=told if "{" in path else "Languages are in parameters")


def add_page():
    files = {"/": "text/html", "/index.html": "text/html", "/app.js": "text/javascript", "/app.css": "text/css",
             "/worker.js": "text/javascript", "/icon.svg": "image/svg+xml",
             "/manifest.webmanifest": "application/manifest+json"}
    for path, kind in files.items():
        name = "page" + path.strip("/").title().replace(".", "")
        root = path == "/"
        told = {200: answer("", string(), kind), 304: answer("The browser has it: its ETag is in If-None-Match")}
        if root:
            told[308] = answer("To the page's folder, /lt/ for /lt, where the service has an --api-prefix")
        page("GET", path, "page" if root else name, "The page, where the operator has not turned it off", told,
             errors=(405 if root else 404,))


def add_all():
    add_google()
    add_nllb_api()
    add_lingva()
    add_hugging_face()
    add_page()
