# SPDX-License-Identifier: Apache-2.0
"""LibreTranslate's routes, and /translate with the shapes of all services that have that path."""
import functools

from schema import (BINARY, FORMS, add, answer, any_of, array, body, boolean, choice, integer, number, query, record, ref,
                    string, texts)

TAG = "LibreTranslate"
libre = functools.partial(add, TAG, "TextError")
KEY = string("Where the service has keys")
LANGUAGE = {"code": string(), "name": string()}
FORMS_ONLY = ("application/json", "multipart/form-data")

SCHEMAS = {
    "TextError": record({"error": string()}, "error"),
    "LibreTranslateAsk": record({
        "q": texts("A text, or in JSON a list of texts"), "source": string("A code, or \"auto\""), "target": string(),
        "format": choice("text", "html", default="text"), "alternatives": integer(default=0), "api_key": KEY},
        "q source target"),
    "LibreTranslateAnswer": record({
        "translatedText": texts("A list where q was one"),
        "detectedLanguage": any_of(ref("LibreTranslateDetected"), array(ref("LibreTranslateDetected"))),
        "alternatives": array(any_of(string(), array(string())))}, "translatedText"),
    "LibreTranslateDetected": record({"confidence": number("0 to 100"), "language": string()}, "confidence language"),
}
# Who asks POST /translate otherwise: told apart by its fields.
SHAPES = {
    "NeMoCurator": (record({"texts": array(string()), "src_lang": string(), "tgt_lang": string()},
                           "texts src_lang tgt_lang"),
                    record({"translations": array(string())}, "translations")),
    "ImmersiveTranslate": (record({"text_list": array(string()), "source_lang": string(), "target_lang": string()},
                                  "text_list target_lang"),
                           record({"translations": array(record({"detected_source_lang": string(), "text": string()}))},
                                  "translations")),
    "DeepLX": (record({"text": string(), "source_lang": string(), "target_lang": string(), "tag_handling": string()},
                      "text target_lang"),
               record({"code": integer(), "data": string(), "alternatives": array(string())}, "code data")),
    "NllbServe": (record({"source": texts(""), "src_lang": string(), "tgt_lang": string()}, "source src_lang tgt_lang"),
                  record({"source": array(string()), "translation": array(string()), "src_lang": string(),
                          "tgt_lang": string(), "time_taken": number(), "time_units": string()}, "translation")),
    "HuggingFace": (record({"inputs": texts(""), "parameters": record({"src_lang": string(), "tgt_lang": string()})},
                           "inputs"),
                    array(record({"translation_text": string()}, "translation_text"))),
    "NMTWizard": (record({"src": array(record({"text": string()}))}, "src"),
                  record({"tgt": array(array(record({"text": string()})))}, "tgt")),
    "MTUOC": (record({"id": any_of(string(), integer()), "src": string()}, "src"),
              record({"id": any_of(string(), integer()), "src": string(), "tgt": string(), "alignment": {},
                      "alternate_translations": array({})}, "tgt")),
    "OpenNMT": (array(record({"src": string(), "id": integer()}, "src")),
                array(array(record({"src": string(), "tgt": string(), "n_best": integer(), "pred_score": number()})))),
}


def shape_schemas():
    made = {}
    for name, (asked, given) in SHAPES.items():
        made[name + "Ask"], made[name + "Answer"] = asked, given
    return made


def add_translate():
    asks = [ref(f"{name}Ask") for name in ("LibreTranslate", *SHAPES)]
    answers = [ref(f"{name}Answer") for name in ("LibreTranslate", *SHAPES)]
    told = "Fields may stand in a JSON body, a form or the query. Other services have this path, too: whose request it is " \
           "is told by its fields (q, texts, text_list, text, source with src_lang, inputs, src, or a list)."
    libre("POST", "/translate", "libreTranslate", "Translate", {200: answer("As that service answers", any_of(*answers))},
          description=told, request=body(any_of(*asks), *FORMS))
    libre("POST", "/translator/translate", "openNmtTranslate", "Translate, at the path of OpenNMT-py's server",
          {200: answer("As that service answers", any_of(*answers))}, request=body(any_of(*asks), *FORMS))
    libre("GET", "/translate", "askTranslate", "Translate, as ModernMT (q) and nllb-serve (source) are asked",
          {200: answer("As that service answers", {"type": "object"})},
          parameters=[query("q", string()), query("source", string()), query("src_lang", string()),
                      query("tgt_lang", string())])


def add_all():
    add_translate()
    libre("POST", "/detect", "libreDetect", "Detect the language of a text",
          {200: answer("The best first", array(ref("LibreTranslateDetected")))},
          request=body(record({"q": texts(""), "api_key": KEY}, "q"), *FORMS))
    for method in ("GET", "POST"):
        libre(method, "/languages", f"libreLanguages{method.title()}", "Languages",
              {200: answer("English first", array(record({**LANGUAGE, "targets": array(string())}, "code name targets")))},
              key=False)
    libre("POST", "/translate_file", "libreTranslateFile", "Translate a document",
          {200: answer("Where it is when it is done", record({"translatedFileUrl": string()}, "translatedFileUrl"))},
          request=body(record({"file": BINARY, "source": string(), "target": string(), "api_key": KEY},
                              "file source target"), "multipart/form-data"), errors=(400, 403, 413, 429, 503))
    libre("GET", "/download_file/{name}", "libreDownload", "A translated document",
          {200: answer("The file", BINARY, "application/octet-stream")}, key=False, errors=(400, 404))
    libre("POST", "/suggest", "libreSuggest", "Suggest a better translation",
          {200: answer("Kept", record({"success": boolean()}, "success"))}, key=False,
          request=body(record({"q": string(), "s": string("The better one"), "source": string(), "target": string()},
                              "q s source target"), *FORMS))
    side = record(LANGUAGE, "code name")
    libre("GET", "/frontend/settings", "libreSettings", "What a page needs to know", {200: answer("", record({
        "apiKeys": boolean(), "charLimit": integer(), "filesTranslation": boolean(), "frontendTimeout": integer(),
        "keyRequired": boolean(), "language": record({"source": side, "target": side}), "suggestions": boolean(),
        "supportedFilesFormat": array(string())}))}, key=False, errors=())
    libre("GET", "/health", "health", "Whether the service is ready", {200: answer("It is", record({
        "status": string()}, "status"))}, key=False, errors=(503,))
    libre("GET", "/spec", "spec", "These routes as Swagger 2.0", {200: answer("", {"type": "object"})}, key=False, errors=())
    libre("GET", "/docs", "docs", "This document as a page", {200: answer("", string(), "text/html")}, key=False, errors=())
    libre("GET", "/docs.css", "docsStyle", "Style of that page", {200: answer("", string(), "text/css")}, key=False,
          errors=())
    libre("GET", "/metrics", "metrics", "Prometheus' text format; only where the operator has turned it on",
          {200: answer("", string(), "text/plain")}, key=False, errors=(401,))
