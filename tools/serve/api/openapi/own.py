# SPDX-License-Identifier: Apache-2.0
"""/v1, the service's own interface."""
import functools

from schema import (BINARY, EVENTS, add, answer, any_of, array, body, boolean, choice, content, integer, mapping, number,
                    one_of, query, record, ref, string, texts)

TAG = "Dragoman"
own = functools.partial(add, TAG, "Error")
RANGE = array(integer(minimum=0), "[begin, end) in the unit of `offsets`", minItems=2, maxItems=2)
OFFSETS = choice("bytes", "codepoints", "utf16", default="bytes",
                 description="What places in texts are counted in: bytes of UTF-8, code points, or the units of UTF-16 that "
                             "JavaScript and Java have")
LANGUAGE = string("BCP 47, a model's code or a name: \"de\", \"pt-BR\", \"deu_Latn\", \"german\"")
MODEL = string("A name of /v1/models; none: chosen by the languages")
PAIRS = array(array(string(), minItems=2, maxItems=2))
TERMS = any_of(mapping(string()), PAIRS)

SCHEMAS = {
    "Error": record({"error": record({
        "code": choice("bad_request", "missing_field", "unsupported_language", "unsupported_pair", "unauthorized",
                       "forbidden", "not_found", "method_not_allowed", "conflict", "too_large", "unsupported_type",
                       "too_many_requests", "quota_exceeded", "failed", "unsupported", "busy", "cancelled"),
        "message": string(), "field": string("What it is about")}, "code message")}, "error"),
    "Range": RANGE,
    "Alignment": record({
        "source_words": array(ref("Range")), "target_words": array(ref("Range")),
        "weights": array(array(number()), "A row for each target word, a column for each source word")},
        "source_words target_words weights"),
    "Coverage": record({
        "share": number("Of the source's words that the translation reaches"), "uncovered_words": integer(),
        "uncovered": ref("Range")}, "share uncovered_words"),
    "Sentence": record({
        "source": ref("Range"), "target": ref("Range"),
        "language": string("With `from` \"auto\" in `options`"), "probability": number(),
        "marks": array(choice("copied", "in_target_language", "in_other_language", "carried", "repeated", "numbers",
                              "mojibake", "from_memory", "unsure", "uncovered")),
        "score": number(), "quality": number("0 to 1", minimum=0, maximum=1),
        "words": array(record({"target": ref("Range"), "quality": number()}, "target quality")),
        "coverage": ref("Coverage"), "alignment": ref("Alignment"),
        "source_tokens": array(integer()), "target_tokens": array(integer()),
        "matches": array(record({"similarity": number(), "source": string(), "target": string()}),
                         "Segments of the memory that are like it")}, "source target"),
    "Translation": record({
        "text": string(), "score": number(), "quality": number(),
        "copied": boolean("It was in the target's language already, or said nothing"),
        "alternatives": array(record({"text": string(), "score": number(), "quality": number()}, "text")),
        "plain_source": string("With markup: the source without tags, which ranges count in"),
        "plain_text": string("With markup: the translation without tags"),
        "sentences": array(ref("Sentence")),
        "terms": array(record({"source": ref("Range"), "sentence": integer(), "met": boolean()},
                              "source sentence met"), "Terms of the glossary that the text has"),
        "pharaoh": string("The alignment in Pharaoh's format"),
        "tokens": record({"source": array(string()), "source_ranges": array(ref("Range")),
                          "target": array(string()), "target_ranges": array(ref("Range"))})}, "text"),
    "Answer": record({
        "from": string("BCP 47"), "to": string("BCP 47"),
        "detected": record({"language": string(), "confidence": number()}, "language confidence"),
        "models": array(string()), "characters": integer(), "translations": array(ref("Translation"))},
        "from to models characters translations"),
    "Ask": record({
        "text": texts("What is translated"), "from": LANGUAGE | {"default": "auto"}, "to": LANGUAGE, "model": MODEL,
        "markup": choice("none", "html", "xml", default="none"),
        "alternatives": integer("Other translations of each text", minimum=0, default=0),
        "scores": boolean(default=False), "quality": boolean(default=False), "coverage": boolean(default=False),
        "alignment": boolean(default=False), "tokens": boolean(default=False),
        "sentences": boolean("Come with any of these, too", default=False),
        "offsets": OFFSETS,
        "options": {"type": "object", "description": "Decoding options by the names of docs/options.md"},
        "glossary": any_of(string("An id of /v1/glossaries"), array(string(), "Several ids"), TERMS,
                           description="Terms that the translation must have"),
        "memory": string("An id of /v1/memories"),
        "context": string("What stands before the text; a hint"),
        "stream": boolean("Server-sent events; so does Accept: text/event-stream", default=False),
        "partial": boolean("With stream: tell of sentences at work, too", default=True),
        "priority": integer("Higher goes first", minimum=-100, maximum=100, default=0)}, "text to"),
    "Model": record({
        "name": string(), "state": choice("known", "loading", "loaded", "failed"), "error": string(),
        "from": array(ref("Language")), "to": array(ref("Language")), "family": string(), "license": string(),
        "bytes": integer(), "requests": integer("That it served"), "path": string("For administrators")},
        "name state from to bytes requests"),
    "Language": record({"tag": string("BCP 47"), "name": string("In English")}, "tag name"),
    "Job": record({
        "id": string(), "kind": choice("document", "model"),
        "state": choice("queued", "translating", "running", "done", "error", "cancelled"), "error": string(),
        "name": string(), "output_name": string(), "format": string(), "from": string(), "to": string(),
        "done": integer("Sentences of a document"), "total": integer(), "characters": integer(),
        "seconds_remaining": integer(), "model": string(), "done_bytes": integer(), "total_bytes": integer(),
        "created": any_of(string(format="date-time"), {"type": "null"}),
        "ended": any_of(string(format="date-time"), {"type": "null"})}, "id kind state created"),
    "Dictionary": record({
        "from": string(), "to": string(),
        "entries": any_of(TERMS, string("Lines of `format`")), "format": choice("tsv", "csv", default="tsv")},
        "from to entries"),
    "Glossary": record({
        "id": string(), "name": string(), "created": string(format="date-time"),
        "dictionaries": array(record({"from": string(), "to": string(), "count": integer(), "entries": PAIRS},
                                     "from to count"))}, "id name dictionaries"),
    "Memory": record({
        "id": string(), "name": string(), "created": string(format="date-time"), "from": string(),
        "to": array(string()), "segments": integer()}, "id name from to segments"),
    "Published": record({
        "name": string(), "title": string(), "from": string(), "to": string(), "installed": boolean(),
        "served": boolean(), "bytes": integer(), "publisher": string(), "license": string(), "version": string(),
        "architecture": string(), "notice": string(), "gate": string("Where its licence has to be accepted first"),
        "quality": record({"metric": string(), "value": number()})}, "name from to installed bytes"),
}

ONE_MODEL = {"model": string("A name of /v1/models; none: the first one"), "from": LANGUAGE, "to": LANGUAGE}
VECTOR = array(number())


def listed(name, schema):
    return record({name: array(ref(schema))}, name)


def add_translations():
    own("POST", "/v1/translate", "translate", "Translate texts",
        {200: {"description": "The translations. As events: `partial` and `sentence` for sentences of texts, then `result` "
                              "with all of this, or `error`.",
               "content": {**content(ref("Answer")), **content(EVENTS, "text/event-stream")}}},
        request=body(ref("Ask"), "application/json", "application/x-www-form-urlencoded"))
    own("POST", "/v1/detect", "detect", "Find the language of texts",
        {200: answer("Guesses for each text, the best first", record({"detections": array(array(record({
            "language": string(), "confidence": number()}, "language confidence")))}, "detections"))},
        request=body(record({"text": texts("")}, "text")))
    own("GET", "/v1/languages", "languages", "Languages, and where each can be translated to",
        {200: answer("English first, the rest by name", record({"languages": array(record({
            "tag": string(), "name": string(), "targets": array(string())}, "tag name targets"))}, "languages"))},
        key=False)
    own("POST", "/v1/embed", "embed", "Vectors of texts",
        {200: answer("Rows; with pooling \"tokens\" a list of rows for each text", record({
            "model": string(), "dimensions": integer(), "vectors": array(any_of(VECTOR, array(VECTOR)))},
            "model dimensions vectors"))},
        request=body(record({"text": texts(""), **ONE_MODEL, "pooling": choice(
            "model", "mean", "cls", "pooler", "tokens", default="model"),
            "normalize": boolean("To a length of 1; none: as the model says"), "max_tokens": integer(default=0),
            "truncate": boolean("A longer text is cut; otherwise it is refused", default=False)}, "text")))
    own("POST", "/v1/score", "score", "How likely given translations are",
        {200: answer("A score for each pair", record({"model": string(), "scores": array(record({
            "score": number("Sum of log-probabilities"), "mean": number(), "tokens": array(string()),
            "ranges": array(ref("Range")), "log_probs": array(number())}, "score mean tokens ranges log_probs"))},
            "model scores"))},
        request=body(record({"source": texts(""), "target": texts("One for each source"), **ONE_MODEL,
                             "offsets": OFFSETS}, "source target")))
    own("POST", "/v1/tokenize", "tokenize", "Tokens of texts",
        {200: answer("For each text", record({"model": string(), "tokens": array(array(string())),
                                              "ranges": array(array(ref("Range")))}, "model tokens ranges"))},
        request=body(record({"text": texts(""), **ONE_MODEL, "side": choice("source", "target", default="source"),
                             "offsets": OFFSETS}, "text")))
    own("POST", "/v1/detokenize", "detokenize", "Texts of tokens",
        {200: answer("For each list", record({"model": string(), "texts": array(string())}, "model texts"))},
        request=body(record({"tokens": any_of(array(string()), array(array(string()))), **ONE_MODEL,
                             "side": choice("source", "target", default="target")}, "tokens")))


def add_models():
    own("GET", "/v1/models", "listModels", "Models of the service",
        {200: answer("`data` is the same as OpenAI's clients read it", record({
            "models": array(ref("Model")), "object": string(), "data": array(record({
                "id": string(), "object": string(), "created": integer(), "owned_by": string()}))}, "models"))})
    own("GET", "/v1/models/{name}", "getModel", "One model; its name may have slashes", {200: answer("", ref("Model"))},
        errors=(403, 404, 429, 503))
    own("POST", "/v1/models", "addModel", "Add a model of a registry, for administrators",
        {202: answer("It is brought as a job", ref("Job")),
         200: answer("With stream, or Accept: text/event-stream: `progress` events with the job, then `end`", EVENTS,
                     "text/event-stream")},
        request=body(record({"name": string("\"firefox:de-en\""), "stream": boolean(default=False)}, "name")))
    own("POST", "/v1/models/{name}", "actOnModel", "Load or unload a model, for administrators",
        {200: answer("As it is then", ref("Model"))}, errors=(403, 404, 429, 503),
        description="`name` is the model's name, then `/load` or `/unload`. Requests at work keep what they use.",
        request=body({"type": "object"}, required=False))
    own("DELETE", "/v1/models/{name}", "removeModel", "Take a model out of the service, not off the disk; for administrators",
        {204: answer("Done")}, errors=(403, 404, 503))
    own("POST", "/v1/reload", "reload", "Read all models anew without dropping a request, for administrators",
        {200: answer("Done", record({"reloaded": boolean()}, "reloaded"))}, request=body({"type": "object"}, required=False))
    own("GET", "/v1/registry", "searchRegistries", "Models that publishers offer, for administrators",
        {200: answer("The best first", record({"models": array(ref("Published")), "problems": string()}, "models"))},
        parameters=[query("from", string("Language; none: any")), query("to", string("Language; none: any")),
                    query("offline", boolean("Only lists that are here", default=False))],
        errors=(400, 403, 429, 501, 503))


def add_jobs():
    fields = {"from": LANGUAGE | {"default": "auto"}, "to": LANGUAGE, "model": MODEL, "name": string("Of the file"),
              "format": string("\"docx\" ...; none: found"), "output_name": string(),
              "options": string("JSON, as in /v1/translate"), "glossary": texts("Ids"), "memory": string("Id"),
              "durable": boolean("Goes on after a restart of the service", default=True)}
    own("POST", "/v1/documents", "addDocument", "Translate a document",
        {202: answer("The job; Location has its address", ref("Job"))},
        description="A form with the file, or the file itself as the body with the other fields in the query.",
        parameters=[query(name, schema) for name, schema in fields.items()],
        request={"required": True, "content": {
            **content(record({"file": BINARY, **fields}, "file to"), "multipart/form-data"),
            **content(BINARY, "application/octet-stream")}},
        errors=(400, 403, 413, 415, 429, 503))
    own("GET", "/v1/jobs", "listJobs", "Jobs of this key", {200: answer("", listed("jobs", "Job"))})
    own("GET", "/v1/jobs/{id}", "getJob", "How far a job is", {200: answer("", ref("Job"))}, errors=(403, 404, 429, 503))
    own("GET", "/v1/jobs/{id}/events", "followJob", "Follow a job",
        {200: answer("`progress` events with the job, then `end`", EVENTS, "text/event-stream")},
        errors=(403, 404, 429, 503))
    own("GET", "/v1/jobs/{id}/result", "getResult", "The translated document",
        {200: answer("The file", BINARY, "application/octet-stream")}, errors=(403, 404, 409, 429, 503))
    own("DELETE", "/v1/jobs/{id}", "endJob", "Cancel a job, or forget one that has ended", {204: answer("Done")},
        errors=(403, 404, 429, 503))


def add_glossaries():
    made = any_of(record({"name": string(), "dictionaries": array(ref("Dictionary"))}),
                  record({"name": string(), "from": string(), "to": string(), "entries": any_of(TERMS, string())}))
    own("POST", "/v1/glossaries", "addGlossary", "Keep a glossary", {201: answer("", ref("Glossary"))},
        request=body(made))
    own("GET", "/v1/glossaries", "listGlossaries", "Glossaries of this key",
        {200: answer("", listed("glossaries", "Glossary"))})
    own("GET", "/v1/glossaries/{id}", "getGlossary", "A glossary with its entries", {200: answer("", ref("Glossary"))},
        errors=(403, 404, 429, 503))
    own("PUT", "/v1/glossaries/{id}", "replaceGlossary", "Replace a glossary's dictionaries",
        {200: answer("", ref("Glossary"))}, request=body(made), errors=(400, 403, 404, 429, 503))
    own("PATCH", "/v1/glossaries/{id}", "changeGlossary", "Change a name, or the dictionaries of some languages",
        {200: answer("", ref("Glossary"))}, errors=(400, 403, 404, 429, 503),
        request=body(record({"name": string(), "dictionaries": array(ref("Dictionary")),
                             "merge": boolean("Entries are added to those that are there", default=False)})))
    own("DELETE", "/v1/glossaries/{id}", "removeGlossary", "Forget a glossary", {204: answer("Done")},
        errors=(403, 404, 429, 503))


def add_memories():
    own("POST", "/v1/memories", "addMemory", "Keep a translation memory, a TMX file", {201: answer("", ref("Memory"))},
        parameters=[query("name", string())], errors=(400, 403, 413, 429, 503),
        request={"required": True, "content": {
            **content(record({"file": BINARY, "name": string()}, "file"), "multipart/form-data"),
            **content(BINARY, "application/octet-stream", "application/xml")}})
    own("GET", "/v1/memories", "listMemories", "Memories of this key", {200: answer("", listed("memories", "Memory"))})
    own("GET", "/v1/memories/{id}", "getMemory", "One memory", {200: answer("", ref("Memory"))},
        errors=(403, 404, 429, 503))
    own("GET", "/v1/memories/{id}/segments", "listSegments", "Segments of a memory",
        {200: answer("", record({"segments": array(record({"from": string(), "to": string(), "source": string(),
                                                           "target": string()}))}, "segments"))},
        parameters=[query("filter", string("What a source or target has in it")),
                    query("case_sensitive", boolean(default=False)), query("first", integer(minimum=0, default=0)),
                    query("most", integer(minimum=0, maximum=1000, default=100))],
        errors=(400, 403, 404, 429, 503))
    own("GET", "/v1/memories/{id}/tmx", "getTmx", "The memory as TMX", {200: answer("", string(), "application/xml")},
        errors=(403, 404, 429, 503))
    own("DELETE", "/v1/memories/{id}", "removeMemory", "Forget a memory", {204: answer("Done")},
        errors=(403, 404, 429, 503))


def add_facts():
    limit = one_of(integer(), {"type": "null"})
    own("GET", "/v1/info", "info", "The service and its limits", {200: answer("null: no limit", record({
        "name": string(), "version": string(), "ready": boolean("The first model is loaded"),
        "device": record({"name": string(), "driver": string(), "held_bytes": integer(), "limit_bytes": limit}),
        "limits": record({"characters": limit, "texts": integer(), "alternatives": integer(), "body_bytes": integer(),
                          "file_bytes": integer(), "waiting": integer()}),
        "documents": boolean(), "key_required": boolean(), "admin": boolean("You may change the service")}))}, key=False)
    own("GET", "/v1/formats", "formats", "Formats of documents and texts", {200: answer("", record({
        "documents": array(string(), "Endings of names"), "markup": array(string())}))}, key=False)
    for path in ("/v1/openapi.json", "/openapi.json"):
        own("GET", path, "openapi" + ("V1" if "v1" in path else ""), "This document", {200: answer("OpenAPI 3.1", {
            "type": "object"})}, key=False, errors=())


def add_all():
    add_translations()
    add_models()
    add_jobs()
    add_glossaries()
    add_memories()
    add_facts()
