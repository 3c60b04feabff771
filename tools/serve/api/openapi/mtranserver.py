# SPDX-License-Identifier: Apache-2.0
"""MTranServer's routes, and those that it has for add-ons of browsers."""
import functools

from schema import FORMS, OPEN, add, answer, any_of, array, body, boolean, choice, query, record, ref, string, texts

mtran = functools.partial(add, "MTranServer", "TextError", schemes=("mTranServer", "mTranServerField"))
open_ = functools.partial(add, "MTranServer", "TextError", access=OPEN)

PAIR = {"from": string("A code, or \"auto\""), "to": string()}
HTML = boolean("Tags stay", default=False)
# Of POST /translate.
SHAPES = {"MTranServer": (record({"text": string(), **PAIR, "html": HTML}, "text to"),
                          record({"result": string()}, "result"))}
DETECT = record({"text": string(), "minConfidence": {"type": "number", "description": "0 to 1"}}, "text")
DETECTED = record({"language": string("Empty: nothing tells it"),
                   "confidence": {"type": "number", "description": "With minConfidence"}}, "language")
KISS = record({"text": string(), "src": string("The language of the text")}, "text src")
# As programs that know Google's page ask.
SINGLE = array({}, "[[[translation, text, null, null, 1]], null, language, ...]")


def add_interface():
    state = record({"status": choice("ok")}, "status")
    for root in ("", "/mtranserver"):
        name = "Own" if root else ""
        mtran("POST", root + "/translate/batch", f"mtranBatch{name}", "Translate texts",
              {200: answer("", record({"results": array(string())}, "results"))}, errors=(503,),
              request=body(record({"texts": array(string()), **PAIR, "html": HTML}, "texts to"), *FORMS))
        open_("GET", root + "/version", f"mtranVersion{name}", "The service's version",
              {200: answer("", record({"version": string()}, "version"))})
        for path in ("__heartbeat__", "__lbheartbeat__"):
            open_("GET", f"{root}/{path}", f"mtran{path.strip('_').title()}{name}", "Whether the service listens",
                  {200: answer("", string(), "text/plain")})
    mtran("POST", "/mtranserver/translate", "mtranTranslate", "Translate a text",
          {200: answer("", ref("MTranServerAnswer"))}, errors=(503,), request=body(ref("MTranServerAsk"), *FORMS))
    mtran("POST", "/mtranserver/detect", "mtranDetect", "Detect the language of a text",
          {200: answer("", DETECTED)}, request=body(DETECT, *FORMS))
    open_("GET", "/mtranserver/languages", "mtranLanguages", "Languages, and which are translated to which",
          {200: answer("", record({"languages": array(string()),
                                   "pairs": array(record({"from": string(), "to": string()}, "from to"))},
                                  "languages pairs"))},
          description="Here alone: /languages is LibreTranslate's.")
    open_("GET", "/mtranserver/health", "mtranHealth", "Whether the service listens", {200: answer("", state)})


def add_plugins():
    def plugin(path, name, summary, asked, given, error="TextError", method="POST"):
        how = {"request": body(asked, *FORMS)} if method == "POST" else {"parameters": asked}
        add("MTranServer", error, method, path, name, summary, {200: answer("", given)}, errors=(503,),
            unauthorized=403 if error == "DeepLError" else 401, schemes=("mTranServer", "mTranServerField"), **how)
    plugin("/imme", "mtranImmersive", "As Immersive Translate asks", ref("ImmersiveTranslateAsk"),
           ref("ImmersiveTranslateAnswer"))
    plugin("/kiss", "mtranKiss", "As KISS Translator asks: one text, or a list",
           record({"text": string(), "texts": array(string()), **PAIR}, "to"),
           any_of(KISS, record({"translations": array(KISS)}, "translations")))
    plugin("/hcfy", "mtranHcfy", "As the add-on hcfy asks, with Chinese names of languages",
           record({"name": string(), "text": string(), "source": string(),
                   "destination": texts("The second where the text is in the first already")}, "text destination"),
           record({"text": string(), "from": string(), "to": string(), "result": array(string(), "Lines")},
                  "text from to result"))
    plugin("/deepl", "mtranDeepl", "As /v2/translate", ref("DeepLAsk"), ref("DeepLAnswer"), "DeepLError")
    plugin("/deeplx", "mtranDeeplx", "As DeepLX is asked", ref("DeepLXAsk"), ref("DeepLXAnswer"), "ShapeError")
    plugin("/google/language/translate/v2", "mtranGoogle", "As /language/translate/v2", ref("GoogleAsk"),
           ref("GoogleAnswer"), "GoogleError")
    plugin("/google/translate_a/single", "mtranSingle", "As Google's page is asked",
           [query("q", string(), True), query("sl", string("A code, or \"auto\"")), query("tl", string(), True),
            query("client", string("Not heeded")), query("dt", string("Not heeded"))], SINGLE, method="GET")


def add_all():
    add_interface()
    add_plugins()
