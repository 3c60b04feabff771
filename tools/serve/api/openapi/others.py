# SPDX-License-Identifier: Apache-2.0
"""DeepL's, Google's, nllb-api's, Lingva's, Hugging Face's and OpenAI's routes, and the page."""
import functools

from schema import BINARY, EVENTS, add, answer, any_of, array, body, boolean, content, integer, number, query, record, ref, string, texts

deepl = functools.partial(add, "DeepL", "DeepLError")
google = functools.partial(add, "Google", "GoogleError")
nllb = functools.partial(add, "nllb-api", "AnyError")
lingva = functools.partial(add, "Lingva", "TextError")
hugging = functools.partial(add, "Hugging Face", "TextError")
openai = functools.partial(add, "OpenAI", "OpenAIError")
page = functools.partial(add, "Page", "TextError")
FORMS = ("application/json", "application/x-www-form-urlencoded")
ID_ERRORS = (400, 403, 404, 429, 503)

SCHEMAS = {
    "DeepLError": record({"message": string(), "detail": string()}, "message"),
    "DeepLAsk": record({
        "text": texts("A list; in forms a field that repeats"), "target_lang": string(), "source_lang": string(),
        "context": string(), "split_sentences": string("0, 1 or nonewlines"), "preserve_formatting": {},
        "formality": string("Only default; prefer_ is ignored"), "tag_handling": string("xml or html"),
        "outline_detection": {}, "non_splitting_tags": {}, "splitting_tags": {}, "ignore_tags": {},
        "glossary_id": string(), "glossary_ids": array(string()), "translation_memory_id": string(),
        "translation_memory_threshold": integer(), "show_billed_characters": {}, "model_type": string()},
        "text target_lang"),
    "DeepLAnswer": record({"translations": array(record({
        "detected_source_language": string(), "text": string(), "billed_characters": integer(),
        "model_type_used": string()}, "detected_source_language text"))}, "translations"),
    "DeepLDocument": record({
        "document_id": string(), "document_key": string(), "status": string("queued, translating, done or error"),
        "seconds_remaining": integer(), "billed_characters": integer(), "error_message": string()}, "document_id"),
    "DeepLGlossary": record({
        "glossary_id": string(), "name": string(), "ready": boolean(), "source_lang": string(), "target_lang": string(),
        "creation_time": string(), "entry_count": integer()}, "glossary_id name"),
    "DeepLDictionary": record({"source_lang": string(), "target_lang": string(), "entries": string(),
                               "entries_format": string("tsv or csv"), "entry_count": integer()},
                              "source_lang target_lang"),
    "DeepLGlossaryV3": record({"glossary_id": string(), "name": string(), "creation_time": string(),
                               "dictionaries": array(ref("DeepLDictionary"))}, "glossary_id name dictionaries"),
    "GoogleError": record({"error": record({"code": integer(), "message": string(), "status": string(),
                                            "errors": array({"type": "object"})}, "code message")}, "error"),
    "AnyError": {"type": "object"},
    "OpenAIError": record({"error": record({"message": string(), "type": string(), "code": {}, "param": {}},
                                           "message")}, "error"),
}


def add_deepl():
    told = {200: answer("One for each text", ref("DeepLAnswer"))}
    deepl("POST", "/v2/translate", "deeplTranslate", "Translate", told, request=body(ref("DeepLAsk"), *FORMS),
          errors=(400, 403, 413, 429, 456, 503))
    asked = [query("text", string()), query("target_lang", string()), query("source_lang", string()),
             query("auth_key", string())]
    for version in ("v2", "v1"):
        deepl("GET", f"/{version}/translate", f"deeplAsk{version.upper()}", "Translate, as OmegaT asks", told,
              parameters=asked, errors=(400, 403, 413, 429, 456, 503))
    deepl("GET", "/v2/usage", "deeplUsage", "Characters that were used", {200: answer("", record({
        "character_count": integer(), "character_limit": integer()}, "character_count character_limit"))})
    for method, name in (("GET", ""), ("POST", "Posted")):
        deepl(method, "/v2/languages", f"deeplLanguages{name}", "Languages", {200: answer("", array(record({
            "language": string(), "name": string(), "supports_formality": boolean()}, "language name")))},
            parameters=[query("type", string("source or target"))])
        deepl(method, "/v2/glossary-language-pairs", f"deeplGlossaryPairs{name}", "Languages that glossaries can have",
              {200: answer("", record({"supported_languages": array(record({
                  "source_lang": string(), "target_lang": string()}))}))})
        deepl(method, "/v3/languages", f"deeplLanguagesV3{name}", "Languages with what is there for them",
              {200: answer("", array({"type": "object"}))},
              parameters=[query("resource", string("translate_text, translate_document, glossary"))])
        deepl(method, "/v3/languages/resources", f"deeplResources{name}", "What /v3/languages can be asked for",
              {200: answer("", array({"type": "object"}))})
    add_deepl_documents()
    add_deepl_glossaries()
    add_deepl_memories()


def add_deepl_documents():
    deepl("POST", "/v2/document", "deeplUpload", "Translate a document", {200: answer("", ref("DeepLDocument"))},
          request=body(record({"file": BINARY, "filename": string(), "target_lang": string(), "source_lang": string(),
                               "output_format": string(), "glossary_id": string()}, "file target_lang"),
                       "multipart/form-data"), errors=(400, 403, 413, 429, 456, 503))
    key = body(record({"document_key": string()}, "document_key"), *FORMS)
    deepl("POST", "/v2/document/{id}", "deeplDocument", "How far it is", {200: answer("", ref("DeepLDocument"))},
          request=key, errors=ID_ERRORS)
    deepl("POST", "/v2/document/{id}/result", "deeplResult", "The translated document; once",
          {200: answer("The file", BINARY, "application/octet-stream")}, request=key, errors=ID_ERRORS)


def add_deepl_glossaries():
    one = {200: answer("", ref("DeepLGlossary"))}
    deepl("POST", "/v2/glossaries", "deeplAddGlossary", "Keep a glossary", {201: answer("", ref("DeepLGlossary"))},
          request=body(record({"name": string(), "source_lang": string(), "target_lang": string(), "entries": string(),
                               "entries_format": string("tsv or csv")}, "name source_lang target_lang entries"), *FORMS))
    deepl("GET", "/v2/glossaries", "deeplGlossaries", "Glossaries", {200: answer("", record({
        "glossaries": array(ref("DeepLGlossary"))}, "glossaries"))})
    deepl("GET", "/v2/glossaries/{id}", "deeplGlossary", "One glossary", one, errors=ID_ERRORS)
    deepl("GET", "/v2/glossaries/{id}/entries", "deeplEntries", "Its entries",
          {200: answer("", string(), "text/tab-separated-values")}, errors=ID_ERRORS)
    deepl("DELETE", "/v2/glossaries/{id}", "deeplRemoveGlossary", "Forget it", {204: answer("Done")}, errors=ID_ERRORS)
    three = {200: answer("", ref("DeepLGlossaryV3"))}
    made = body(record({"name": string(), "dictionaries": array(ref("DeepLDictionary"))}))
    pair = [query("source_lang", string(), True), query("target_lang", string(), True)]
    deepl("POST", "/v3/glossaries", "deeplAddGlossaryV3", "Keep a glossary of several languages",
          {201: answer("", ref("DeepLGlossaryV3"))}, request=made)
    deepl("GET", "/v3/glossaries", "deeplGlossariesV3", "Glossaries", {200: answer("", record({
        "glossaries": array(ref("DeepLGlossaryV3"))}, "glossaries"))})
    deepl("GET", "/v3/glossaries/{id}", "deeplGlossaryV3", "One glossary", three, errors=ID_ERRORS)
    deepl("PATCH", "/v3/glossaries/{id}", "deeplChangeGlossaryV3", "Change a glossary", three, request=made, errors=ID_ERRORS)
    deepl("DELETE", "/v3/glossaries/{id}", "deeplRemoveGlossaryV3", "Forget it", {204: answer("Done")}, errors=ID_ERRORS)
    deepl("GET", "/v3/glossaries/{id}/entries", "deeplEntriesV3", "Entries for two languages", {200: answer("", record({
        "dictionaries": array(ref("DeepLDictionary"))}, "dictionaries"))}, parameters=pair, errors=ID_ERRORS)
    deepl("PUT", "/v3/glossaries/{id}/dictionaries", "deeplReplaceDictionary", "Replace one dictionary",
          {200: answer("", ref("DeepLDictionary"))}, request=body(ref("DeepLDictionary")), errors=ID_ERRORS)
    deepl("DELETE", "/v3/glossaries/{id}/dictionaries", "deeplRemoveDictionary", "Forget one dictionary",
          {204: answer("Done")}, parameters=pair, errors=ID_ERRORS)


def add_deepl_memories():
    some = {200: answer("", {"type": "object"})}
    root = "/v3/translation_memories"
    paged = [query("page", integer()), query("page_size", integer())]
    deepl("GET", root, "deeplMemories", "Translation memories", some, parameters=paged)
    deepl("GET", root + "/{id}", "deeplMemory", "One memory", some, errors=ID_ERRORS)
    deepl("DELETE", root + "/{id}", "deeplRemoveMemory", "Forget it", {204: answer("Done")}, errors=ID_ERRORS)
    deepl("GET", root + "/{id}/segments", "deeplSegments", "Its segments", some, errors=ID_ERRORS, parameters=[
        query("page_size", integer()), query("page_cursor", string()), query("filter_text", string()),
        query("filter_case_sensitive", boolean())])
    deepl("POST", root + "/import", "deeplImport", "Begin to bring a TMX file", some, request=body({"type": "object"}))
    deepl("POST", root + "/{id}/export", "deeplExport", "Begin to fetch a TMX file",
          {200: answer("A job that there is already", {"type": "object"}), 202: answer("A job", {"type": "object"})},
          request=body({"type": "object"}, required=False), errors=ID_ERRORS)
    deepl("GET", root + "/jobs/{job}", "deeplMemoryJob", "How far that is", some, errors=ID_ERRORS)
    deepl("PUT", root + "/jobs/{job}/file", "deeplPutTmx", "The file of an import", {200: answer("Taken")},
          parameters=[query("token", string(), True)],
          request=body(BINARY, "application/octet-stream"), key=False, errors=(400, 404, 413))
    deepl("GET", root + "/jobs/{job}/file", "deeplGetTmx", "The file of an export",
          answers={200: answer("TMX", string(), "application/xml")}, parameters=[query("token", string(), True)], key=False, errors=(404,))


def add_google():
    def data(name, items):
        return {200: answer("", record({"data": record({name: items}, name)}, "data"))}

    root = "/language/translate/v2"
    told = data("translations", array(record({"translatedText": string(), "detectedSourceLanguage": string(),
                                              "model": string()}, "translatedText")))
    found = data("detections", array(array(record({"language": string(), "isReliable": boolean(),
                                                   "confidence": number()}))))
    asked = record({"q": texts(""), "target": string(), "source": string(), "format": string("html (default) or text"),
                    "model": string()}, "q target")
    listed = data("languages", array(record({"language": string(), "name": string()}, "language")))
    for method, name in (("POST", ""), ("GET", "Asked")):
        def given(schema):
            if method == "POST":
                return {"request": body(schema, *FORMS)}
            return {"parameters": [query(each, what) for each, what in schema["properties"].items()]}
        google(method, root, f"googleTranslate{name}", "Translate", told, **given(asked))
        google(method, root + "/detect", f"googleDetect{name}", "Detect languages", found,
               **given(record({"q": texts("")}, "q")))
        google(method, root + "/languages", f"googleLanguages{name}", "Languages", listed,
               parameters=[query("target", string("The language of names"))])


def add_small_ones():
    text = query("text", string(), True)
    pair = [query("source", string("FLORES-200 code"), True), query("target", string("FLORES-200 code"), True)]
    for version in ("v4", "v3", "v2"):
        root, name = f"/api/{version}", version.upper()
        nllb("GET", f"{root}/translator", f"nllbTranslate{name}", "Translate",
             {200: answer("", record({"result": string()}, "result"))}, parameters=[text, *pair])
        nllb("POST", f"{root}/translator", f"nllbPost{name}", "Translate",
             {200: answer("", record({"result": string()}, "result"))},
             request=body(record({"text": string(), "source": string(), "target": string()}, "text source target")))
        nllb("GET", f"{root}/translator/stream", f"nllbStream{name}", "Translate, piece by piece",
             {200: answer("", EVENTS, "text/event-stream")},
             parameters=[text, *pair, query("event_type", string("Name of the events"))])
        nllb("GET", f"{root}/translator/tokens", f"nllbTokens{name}", "Number of tokens of a text",
             {200: answer("", record({"length": integer()}, "length"))}, parameters=[text])
        nllb("GET", f"{root}/language", f"nllbLanguage{name}", "Detect a language", {200: answer("", record({
            "language": string(), "confidence": number()}, "language"))}, parameters=[text])
    lingva("GET", "/api/v1/{source}/{target}/{text}", "lingvaTranslate", "Translate",
           {200: answer("", record({"translation": string(), "info": {"type": "object"}}, "translation"))})
    for side in ("", "/source", "/target"):
        lingva("GET", "/api/v1/languages" + side, "lingvaLanguages" + side[1:].title(), "Languages",
               {200: answer("", record({"languages": array(record({"code": string(), "name": string()}))}))}, key=False)
    for path, name in (("/", "Root"), ("/models/{name}", "Model"), ("/pipeline/translation/{name}", "Pipeline"),
                       ("/hf-inference/models/{name}", "Inference")):
        hugging("POST", path, f"huggingFace{name}", "Translate", {200: answer("", ref("HuggingFaceAnswer"))},
                request=body(ref("HuggingFaceAsk")))


def add_openai():
    message = record({"role": string(), "content": any_of(string(), array({"type": "object"}))}, "role content")
    for root, name in (("", ""), ("/v1", "V1")):
        told = {**content({"type": "object"}), **content(EVENTS, "text/event-stream")}
        openai("POST", root + "/chat/completions", f"openaiChat{name}", "Translate the last message",
               {200: {"description": "A completion", "content": told}},
               request=body(record({"model": string(), "messages": array(message), "stream": boolean(),
                                    "max_tokens": integer(), "temperature": number()}, "messages")))
        openai("POST", root + "/completions", f"openaiCompletion{name}", "Translate a prompt",
               {200: {"description": "A completion", "content": told}},
               request=body(record({"model": string(), "prompt": texts(""), "stream": boolean()}, "prompt")))
    openai("GET", "/models", "openaiModels", "Models", {200: answer("", record({
        "object": string(), "data": array({"type": "object"})}, "data"))})


def add_page():
    files = {"/": "text/html", "/index.html": "text/html", "/app.js": "text/javascript", "/app.css": "text/css",
             "/worker.js": "text/javascript", "/icon.svg": "image/svg+xml",
             "/manifest.webmanifest": "application/manifest+json"}
    for path, kind in files.items():
        name = "page" + path.strip("/").title().replace(".", "")
        page("GET", path, name if path != "/" else "page", "The page, where the operator has not turned it off",
             {200: answer("", string(), kind)}, key=False, errors=(404,))


def add_all():
    add_deepl()
    add_google()
    add_small_ones()
    add_openai()
    add_page()
