# SPDX-License-Identifier: Apache-2.0
"""Objects of /v1, the service's own interface."""
from schema import any_of, array, boolean, choice, integer, mapping, number, record, ref, string, texts

RANGE = array(integer(minimum=0), "[begin, end) in the unit of `offsets`", minItems=2, maxItems=2)
TOKENS = array(integer(minimum=0), "[begin, end) in the translation's `tokens`", minItems=2, maxItems=2)
OFFSETS = choice("bytes", "codepoints", "utf16", default="bytes",
                 description="What places in texts are counted in: bytes of UTF-8, code points, or the units of UTF-16 "
                             "that JavaScript and Java have")
LANGUAGE = string("BCP 47, a model's code or a name: \"de\", \"pt-BR\", \"deu_Latn\", \"german\"")
MODEL = string("A name of /v1/models; none: chosen by the languages")
TIME = string(format="date-time")
PAIRS = array(array(string(), minItems=2, maxItems=2))
TERMS = any_of(mapping(string()), PAIRS)
ENTRIES = {"from": string(), "to": string(), "entries": any_of(TERMS, string("Lines of `format`")),
           "format": choice("tsv", "csv", default="tsv")}
MODEL_FIELDS = {
    "name": string(), "state": choice("known", "loading", "loaded", "failed"), "error": string(),
    "from": array(ref("Language")), "to": array(ref("Language")), "family": string(), "license": string(),
    "bytes": integer(), "requests": integer("That it served"), "path": string("For administrators")}
MODEL_NEEDED = "name state from to bytes requests"

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
        "marks": array(choice("copied", "carried", "repeated", "numbers", "mojibake", "from_memory", "unsure",
                              "uncovered")),
        "score": number(), "quality": number("0 to 1", minimum=0, maximum=1),
        "words": array(record({"target": ref("Range"), "quality": number()}, "target quality")),
        "coverage": ref("Coverage"), "alignment": ref("Alignment"),
        "source_tokens": TOKENS, "target_tokens": TOKENS,
        "matches": array(record({"similarity": number(), "source": string(), "target": string()},
                                "similarity source target"),
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
                          "target": array(string()), "target_ranges": array(ref("Range"))},
                         "source source_ranges target target_ranges")}, "text"),
    "Guess": record({"language": string(), "confidence": number("0 to 1")}, "language confidence"),
    "SentenceEvent": record({
        "input": integer("Which text, from 0"), "sentence": integer("Which sentence of it, from 0"),
        "source": ref("Range") | {"description": "With `markup` in the text without tags, and only where `offsets` is "
                                                 "\"bytes\""},
        "text": string("Its translation, so far"), "score": number("With `scores`"),
        "done": integer("Sentences of all texts that are done; `sentence` alone has it"),
        "total": integer("And in all")},
        "input sentence text"),
    "Answer": record({
        "from": string("BCP 47"), "to": string("BCP 47"),
        "detected": ref("Guess"),
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
        "context": string("What stands before the text: a hint, which no model here reads yet"),
        "stream": boolean("Server-sent events; so does Accept: text/event-stream", default=False),
        "partial": boolean("With stream: tell of sentences at work, too", default=True),
        "priority": integer("Higher goes first", minimum=-100, maximum=100, default=0)}, "text to"),
    "Model": record(MODEL_FIELDS, MODEL_NEEDED),
    "NamedModel": record({**MODEL_FIELDS, "id": string("This and what follows is for OpenAI's clients"),
                          "object": choice("model"), "created": integer(), "owned_by": string()},
                         MODEL_NEEDED + " id object created owned_by"),
    "Language": record({"tag": string("BCP 47"), "name": string("In English")}, "tag name"),
    "Job": any_of(ref("DocumentJob"), ref("ModelJob")),
    "DocumentJob": record({
        "id": string(), "kind": choice("document"),
        "state": choice("queued", "translating", "done", "error", "cancelled"), "error": string(), "name": string(),
        "output_name": string(), "format": string(), "from": string(), "to": string(),
        "done": integer("Sentences"), "total": integer("Grows while they are found"),
        "characters": integer("Of the source, when it is done"), "seconds_remaining": integer("Where it can be told"),
        "created": TIME, "ended": TIME}, "id kind state name output_name format from to done total created"),
    "ModelJob": record({
        "id": string(), "kind": choice("model"), "state": choice("queued", "running", "done", "error", "cancelled"),
        "error": string(), "model": string(), "done_bytes": integer(), "total_bytes": integer("0: not known"),
        "created": TIME, "ended": TIME}, "id kind state model done_bytes total_bytes created"),
    "Dictionary": record(ENTRIES, "from to entries"),
    "Glossary": record({
        "id": string(), "name": string(), "created": TIME,
        "dictionaries": array(record({"from": string(), "to": string(), "count": integer("Of entries"),
                                      "entries": PAIRS}, "from to count"))}, "id name created dictionaries"),
    "Memory": record({
        "id": string(), "name": string(), "created": TIME, "from": string(),
        "to": array(string()), "segments": integer()}, "id name created from to segments"),
    "Segment": record({"from": string(), "to": string(), "source": string(), "target": string()},
                      "from to source target"),
    "Published": record({
        "name": string(), "title": string(), "from": string(), "to": string(), "installed": boolean(),
        "served": boolean(), "bytes": integer(), "publisher": string(), "license": string(), "version": string(),
        "architecture": string(), "notice": string(), "gate": string("Where its licence has to be accepted first"),
        "quality": record({"metric": string(), "value": number()}, "metric value")},
        "name title from to installed served bytes"),
}
