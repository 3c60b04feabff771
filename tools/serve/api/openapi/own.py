# SPDX-License-Identifier: Apache-2.0
"""/v1, the service's own interface."""
import functools

from own_schemas import ENTRIES, LANGUAGE, MODEL, OFFSETS
from schema import (ADMIN, BINARY, EVENTS, FORMS, OPEN, add, answer, any_of, array, body, boolean, choice, content,
                    integer, number, one_of, query, record, ref, string, texts)

own = functools.partial(add, "Dragoman", "Error")
open_ = functools.partial(own, access=OPEN, limited=False)
admin = functools.partial(own, access=ADMIN)
ONE_MODEL = {"model": string("A name of /v1/models; none: chosen by `from` and `to` where both are given, "
                             "otherwise the first one"),
             "from": LANGUAGE, "to": LANGUAGE}
VECTOR = array(number())
NO_BODY = body({"type": "object"}, required=False)


def listed(name, schema):
    return record({name: array(ref(schema))}, name)


def add_translations():
    own("POST", "/v1/translate", "translate", "Translate texts",
        {200: {"description": "The translations. As events: `partial` and `sentence`, each a SentenceEvent, then "
                              "`result` with all of this, or `error`.",
               "content": {**content(ref("Answer")), **content(EVENTS, "text/event-stream")}}},
        request=body(ref("Ask"), *FORMS), errors=(404, 503))
    own("POST", "/v1/detect", "detect", "Find the language of texts",
        {200: answer("Guesses for each text, the best first; none where nothing tells it", record({
            "detections": array(array(ref("Guess")))}, "detections"))},
        request=body(record({"text": texts("")}, "text")))
    open_("GET", "/v1/languages", "languages", "Languages, and where each can be translated to",
          {200: answer("English first, the rest by name", record({"languages": array(record({
              "tag": string("BCP 47"), "name": string("In English"), "targets": array(string(), "Itself included")},
              "tag name targets"))}, "languages"))})


def add_vectors():
    own("POST", "/v1/embed", "embed", "Vectors of texts",
        {200: answer("Rows; with pooling \"tokens\" a list of rows for each text", record({
            "model": string(), "dimensions": integer(), "vectors": array(any_of(VECTOR, array(VECTOR)))},
            "model dimensions vectors"))},
        request=body(record({"text": texts(""), **ONE_MODEL, "pooling": choice(
            "model", "mean", "cls", "pooler", "tokens", default="model"),
            "normalize": boolean("To a length of 1; none: as the model says"),
            "max_tokens": integer("Of a text; 0: as many as the model takes", minimum=0, maximum=1 << 20, default=0),
            "truncate": boolean("A longer text is cut; otherwise it is refused", default=False)}, "text")),
        errors=(404, 501, 503))
    own("POST", "/v1/score", "score", "How likely given translations are",
        {200: answer("A score for each pair", record({"model": string(), "scores": array(record({
            "score": number("Sum of log-probabilities"), "mean": number("Of a token"), "tokens": array(string()),
            "ranges": array(ref("Range"), "Of the tokens, in the target"), "log_probs": array(number())},
            "score mean tokens ranges log_probs"))}, "model scores"))},
        request=body(record({"source": texts(""), "target": texts("One for each source"), **ONE_MODEL,
                             "offsets": OFFSETS}, "source target")), errors=(404, 501, 503))
    own("POST", "/v1/tokenize", "tokenize", "Tokens of texts",
        {200: answer("For each text", record({"model": string(), "tokens": array(array(string())),
                                              "ranges": array(array(ref("Range")))}, "model tokens ranges"))},
        request=body(record({"text": texts(""), **ONE_MODEL, "side": choice("source", "target", default="source"),
                             "offsets": OFFSETS}, "text")), errors=(404, 501, 503))
    own("POST", "/v1/detokenize", "detokenize", "Texts of tokens",
        {200: answer("For each list", record({"model": string(), "texts": array(string())}, "model texts"))},
        request=body(record({"tokens": any_of(array(string()), array(array(string()))), **ONE_MODEL,
                             "side": choice("source", "target", default="target")}, "tokens")),
        errors=(404, 501, 503))


def add_models():
    own("GET", "/v1/models", "listModels", "Models of the service",
        {200: answer("`data` is for OpenAI's clients, which find a name for each two languages, too", record({
            "models": array(ref("Model")), "object": string(), "data": array(ref("OpenAIModel"))},
            "models object data"))})
    own("GET", "/v1/models/{name}", "getModel", "One model; its name may have slashes",
        {200: answer("A name of two languages in `data`, dragoman-de-en, has what is for OpenAI's clients alone",
                     any_of(ref("NamedModel"), ref("OpenAIModel")))}, errors=(404,))
    admin("POST", "/v1/models", "addModel", "Add a model of a registry, for administrators",
          {202: answer("It is brought as a job", ref("ModelJob")),
           200: answer("With stream, or Accept: text/event-stream: `progress` events with the job, then `end`", EVENTS,
                       "text/event-stream")},
          request=body(record({"name": string("\"firefox:de-en\""), "stream": boolean(default=False)}, "name")),
          errors=(503,))
    admin("POST", "/v1/models/{name}", "actOnModel", "Load or unload a model, for administrators",
          {200: answer("As it is then", ref("Model"))}, errors=(404, 503), request=NO_BODY,
          description="`name` is the model's name, then `/load` or `/unload`. Requests at work keep what they use.")
    admin("DELETE", "/v1/models/{name}", "removeModel",
          "Take a model out of the service, not off the disk; for administrators", {204: answer("Done")},
          errors=(404, 409))
    admin("POST", "/v1/reload", "reload", "Read all models anew without dropping a request, for administrators",
          {200: answer("Done", record({"reloaded": boolean()}, "reloaded"))}, request=NO_BODY, errors=(503,))
    admin("GET", "/v1/registry", "searchRegistries", "Models that publishers offer, for administrators",
          {200: answer("The best first", record({"models": array(ref("Published")),
                                                 "problems": string("Lists that could not be read")}, "models"))},
          parameters=[query("from", string("Language; none: any")), query("to", string("Language; none: any")),
                      query("offline", boolean("Only lists that are here", default=False))], errors=(501, 503))


def add_jobs():
    fields = {"from": LANGUAGE | {"default": "auto"}, "to": LANGUAGE, "model": MODEL,
              "name": string("Of the file; needed where the body is the file itself"),
              "format": string("\"docx\" ...; none: found"),
              "output_name": string("None: `name` with the language before its ending"),
              "options": string("JSON, as in /v1/translate"), "glossary": texts("Ids"), "memory": string("Id"),
              "durable": boolean("Goes on after a restart of the service", default=True)}
    own("POST", "/v1/documents", "addDocument", "Translate a document",
        {202: answer("The job; Location has its address", ref("DocumentJob"))},
        description="A form with the file, or the file itself as the body with the other fields in the query.",
        parameters=[query(name, schema) for name, schema in fields.items()],
        request={"required": True, "content": {
            **content(record({"file": BINARY, **fields}, "file to"), "multipart/form-data"),
            **content(BINARY, "application/octet-stream")}},
        errors=(404, 415, 503))
    own("GET", "/v1/jobs", "listJobs", "Jobs of this key; for administrators, models that are added, too",
        {200: answer("Without keys, only administrators see jobs here", listed("jobs", "Job"))})
    own("GET", "/v1/jobs/{id}", "getJob", "How far a job is", {200: answer("", ref("Job"))}, errors=(404,))
    own("GET", "/v1/jobs/{id}/events", "followJob", "Follow a job",
        {200: answer("`progress` events with the job, then `end`", EVENTS, "text/event-stream")}, errors=(404,))
    own("GET", "/v1/jobs/{id}/result", "getResult", "The translated document",
        {200: answer("The file", BINARY, "application/octet-stream")}, errors=(404, 409))
    own("DELETE", "/v1/jobs/{id}", "endJob", "Cancel a job, or forget one that has ended", {204: answer("Done")},
        errors=(404,))


def add_glossaries():
    name = string("1 to 1024 bytes")
    several = {"name": name, "dictionaries": array(ref("Dictionary"))}
    single = {"name": name, **ENTRIES}
    own("POST", "/v1/glossaries", "addGlossary", "Keep a glossary",
        {201: answer("Without its entries", ref("Glossary"))},
        request=body(any_of(record(several, "name dictionaries"), record(single, "name from to entries"))))
    own("GET", "/v1/glossaries", "listGlossaries", "Glossaries of this key",
        {200: answer("Without their entries", listed("glossaries", "Glossary"))})
    own("GET", "/v1/glossaries/{id}", "getGlossary", "A glossary with its entries", {200: answer("", ref("Glossary"))},
        errors=(404,))
    own("PUT", "/v1/glossaries/{id}", "replaceGlossary", "Replace a glossary's dictionaries",
        {200: answer("Without its entries", ref("Glossary"))}, errors=(404,),
        request=body(any_of(record(several, "dictionaries"), record(single, "from to entries"))))
    merge = {"merge": boolean("Entries are added to those that are there", default=False)}
    own("PATCH", "/v1/glossaries/{id}", "changeGlossary", "Change a name, or the dictionaries of some languages",
        {200: answer("Without its entries", ref("Glossary"))}, errors=(404,),
        request=body(any_of(record({**several, **merge}), record({**single, **merge}, "from to entries"))))
    own("DELETE", "/v1/glossaries/{id}", "removeGlossary", "Forget a glossary", {204: answer("Done")}, errors=(404,))


def add_memories():
    own("POST", "/v1/memories", "addMemory", "Keep a translation memory, a TMX file", {201: answer("", ref("Memory"))},
        parameters=[query("name", string("None: the name of the file in a form"))], errors=(415, 503),
        request={"required": True, "content": {
            **content(record({"file": BINARY, "name": string()}, "file"), "multipart/form-data"),
            **content(BINARY, "application/octet-stream", "application/xml")}})
    own("GET", "/v1/memories", "listMemories", "Memories of this key", {200: answer("", listed("memories", "Memory"))})
    own("GET", "/v1/memories/{id}", "getMemory", "One memory", {200: answer("", ref("Memory"))}, errors=(404,))
    own("GET", "/v1/memories/{id}/segments", "listSegments", "Segments of a memory",
        {200: answer("", listed("segments", "Segment"))}, errors=(404,),
        parameters=[query("filter", string("What a source or target has in it")),
                    query("case_sensitive", boolean(default=False)), query("first", integer(minimum=0, default=0)),
                    query("most", integer(minimum=0, maximum=1000, default=100))])
    own("GET", "/v1/memories/{id}/tmx", "getTmx", "The memory as TMX", {200: answer("", string(), "application/xml")},
        errors=(404,))
    own("DELETE", "/v1/memories/{id}", "removeMemory", "Forget a memory", {204: answer("Done")}, errors=(404,))


def add_facts():
    limit = one_of(integer(), {"type": "null"})
    open_("GET", "/v1/info", "info", "The service and its limits", {200: answer("null: no limit", record({
        "name": string(), "version": string(), "ready": boolean("The first model is loaded"),
        "device": record({"name": string(), "driver": string(), "held_bytes": integer("By models and their work"),
                          "limit_bytes": limit}, "name driver held_bytes limit_bytes"),
        "limits": record({"characters": limit, "texts": limit, "alternatives": integer(), "body_bytes": integer(),
                          "file_bytes": integer(), "waiting": integer()},
                         "characters texts alternatives body_bytes file_bytes waiting"),
        "documents": boolean("They are translated"), "key_required": boolean(),
        "admin": boolean("You may change the service")},
        "name version ready device limits documents key_required admin"))})
    open_("GET", "/v1/formats", "formats", "Formats of documents and texts", {200: answer("", record({
        "documents": array(string(), "Endings of names"), "markup": array(string())}, "documents markup"))})
    for path, name in (("/v1/openapi.json", "openapiV1"), ("/openapi.json", "openapi")):
        open_("GET", path, name, "This document", {200: answer("OpenAPI 3.1", {"type": "object"})})


def add_all():
    add_translations()
    add_vectors()
    add_models()
    add_jobs()
    add_glossaries()
    add_memories()
    add_facts()
