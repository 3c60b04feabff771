# SPDX-License-Identifier: Apache-2.0
"""LibreTranslate's routes, and /translate with the shapes of all services that have that path."""
import functools

import azure
import mtranserver
from schema import (BINARY, FORMS, OPEN, add, answer, any_of, array, body, boolean, choice, integer, query, record, ref,
                    string, texts)
from shapes import SHAPES

TAG = "LibreTranslate"
libre = functools.partial(add, TAG, "TextError", unauthorized=400, schemes=("libreTranslate",))
open_ = functools.partial(add, TAG, "TextError", access=OPEN)
KEY = string("Where the service has keys")
LANGUAGE = {"code": string(), "name": string()}

SCHEMAS = {
    "TextError": record({"error": string()}, "error"),
    "LibreTranslateAsk": record({
        "q": texts("A text, or in JSON a list of texts"), "source": string("A code, or \"auto\""), "target": string(),
        "format": choice("text", "html", default="text"),
        "alternatives": integer("Other translations; none come of HTML", default=0), "api_key": KEY},
        "q source target"),
    "LibreTranslateAnswer": record({
        "translatedText": texts("A list where q was one"),
        "detectedLanguage": any_of(ref("LibreTranslateDetected"), array(ref("LibreTranslateDetected")),
                                   description="Where source is auto"),
        "alternatives": array(any_of(string(), array(string())), "Where they were asked for")}, "translatedText"),
    "LibreTranslateDetected": record({"confidence": integer("0 to 100"), "language": string()}, "confidence language"),
}


def add_translate():
    asks = [ref(f"{name}Ask") for name in ("LibreTranslate", *SHAPES)]
    answers = [ref(f"{name}Answer") for name in ("LibreTranslate", *SHAPES)]
    told = {200: answer("As that service answers", any_of(*answers))}
    same = functools.partial(add, TAG, "ShapeError", unauthorized=400, schemes=("libreTranslate", "mTranServer", "azure"),
                             errors=(401, 501, 503))
    same("POST", "/translate", "libreTranslate", "Translate", told, request=body(any_of(*asks), *FORMS),
         parameters=azure.TRANSLATE,
         description="Fields may stand in a JSON body, a form or the query. Other services have this path, too: whose "
                     "request it is is told by its fields (q, texts, text_list, text, source with src_lang or "
                     "tgt_lang, inputs, src, text with to, or a list), or by the api-version of the query, and errors "
                     "come in the form of that service.")
    same("POST", "/translator/translate", "openNmtTranslate", "Translate, at the path of OpenNMT-py's server", told,
         request=body(any_of(*asks), *FORMS))
    same("GET", "/translate", "askTranslate", "Translate, as ModernMT (q) and nllb-serve (source) are asked",
         {200: answer("As that service answers", any_of(ref("ModernMTAnswer"), ref("NllbServeAnswer")))},
         parameters=[query("q", texts("May repeat")), query("source", string("Of ModernMT: the language")),
                     query("target", string()), query("src_lang", string()), query("tgt_lang", string())])


def add_files():
    libre("POST", "/translate_file", "libreTranslateFile", "Translate a document",
          {200: answer("Where it is: the answer comes when it is done", record({"translatedFileUrl": string()},
                                                                               "translatedFileUrl"))},
          request=body(record({"file": BINARY, "source": string("A code, or \"auto\""), "target": string(),
                               "api_key": KEY}, "file source target"), "multipart/form-data"), errors=(415, 503))
    open_("GET", "/download_file/{name}", "libreDownload",
          "A translated document, at the address that /translate_file gave",
          {200: answer("The file", BINARY, "application/octet-stream")}, limited=True,
          parameters=[query("token", string("The secret of that address"), True)])


def add_all():
    add_translate()
    add(TAG, "ShapeError", "POST", "/detect", "libreDetect", "Detect the language of a text",
        {200: answer("One language; as Azure and MTranServer answer where they are asked", any_of(
            array(ref("LibreTranslateDetected"), minItems=1, maxItems=1), ref("AzureGuesses"), mtranserver.DETECTED))},
        request=body(any_of(record({"q": texts(""), "api_key": KEY}, "q"), azure.TEXTS, mtranserver.DETECT), *FORMS),
        parameters=[azure.VERSION], unauthorized=400, schemes=("libreTranslate", "mTranServer", "azure"), errors=(401,))
    listed = array(record({**LANGUAGE, "targets": array(string())}, "code name targets"))
    add(TAG, "ShapeError", "GET", "/languages", "libreLanguagesGet", "Languages",
        {200: answer("English first", azure.or_list(listed))}, access=OPEN, parameters=azure.LANGUAGES)
    open_("POST", "/languages", "libreLanguagesPost", "Languages", {200: answer("English first", listed)})
    add_files()
    open_("POST", "/suggest", "libreSuggest", "Suggest a better translation",
          {200: answer("Kept", record({"success": boolean()}, "success"))}, limited=True, errors=(403,),
          request=body(record({"q": string(), "s": string("The better one"), "source": string(), "target": string()},
                              "q s source target"), *FORMS))
    side = record(LANGUAGE, "code name")
    settings = {
        "apiKeys": boolean(), "charLimit": integer("-1: none"), "filesTranslation": boolean(),
        "frontendTimeout": integer("Milliseconds"), "keyRequired": boolean(),
        "language": record({"source": side, "target": side}, "source target"), "suggestions": boolean(),
        "supportedFilesFormat": array(string())}
    open_("GET", "/frontend/settings", "libreSettings", "What a page needs to know",
          {200: answer("", record(settings, " ".join(settings)))})
    state = record({"status": choice("ok", "loading")}, "status")
    open_("GET", "/health", "health", "Whether the service is ready",
          {200: answer("It is", state), 503: answer("Its first model is being loaded", state)})
    open_("GET", "/spec", "spec", "These routes as Swagger 2.0", {200: answer("", {"type": "object"})})
    open_("GET", "/docs", "docs", "This document as a page", {200: answer("", string(), "text/html")})
    open_("GET", "/docs.css", "docsStyle", "Style of that page", {200: answer("", string(), "text/css")})
    open_("GET", "/metrics", "metrics", "Prometheus' text format; only where the operator has turned it on",
          {200: answer("", string(), "text/plain")}, errors=(401, 404),
          description="Where the operator has set a token, it is Authorization: Bearer TOKEN.")
