# SPDX-License-Identifier: Apache-2.0
"""DeepL's routes."""
import functools

from schema import (BINARY, FORMS, OPEN, add, answer, array, body, boolean, choice, integer, queries, query, record,
                    ref, string, texts)

deepl = functools.partial(add, "DeepL", "DeepLError", unauthorized=403, schemes=("deepl", "deeplField"))
COUNT = {"entry_count": integer()}
PAIR = {"source_lang": string(), "target_lang": string()}
ENTRIES = {**PAIR, "entries": string("Lines"), "entries_format": choice("tsv", "csv", default="tsv")}
# What decides on a translation of texts and of documents.
COMMON = {
    "target_lang": string(), "source_lang": string("None: found"),
    "formality": choice("default", "prefer_more", "prefer_less", description="All are the same here; more and less are "
                                                                             "refused"),
    "glossary_id": string("Needs source_lang"), "glossary_ids": texts("At most 5; needs source_lang"),
    "translation_memory_id": string("Segments that are equal to a sentence are its translation"),
    "translation_memory_threshold": integer("Checked, and not heeded", minimum=0, maximum=100),
    "style_id": string("Refused, unless empty"),
    "custom_instructions": array(string(), "Refused, unless empty", maxItems=0),
}

SCHEMAS = {
    "DeepLError": record({"message": string(), "detail": string("What it is about")}, "message"),
    "DeepLAsk": record({
        "text": texts("A list; in forms a field that repeats"), **COMMON,
        "context": string("A hint, which no model here reads yet"),
        "split_sentences": choice("0", "1", "nonewlines", description="1 is refused with tag_handling html"),
        "preserve_formatting": boolean("Both are the same: nothing is corrected"),
        "tag_handling": choice("xml", "html"), "tag_handling_version": choice("v1", "v2", default="v2"),
        "outline_detection": boolean("With xml", default=True),
        "non_splitting_tags": texts("With xml; also with commas"),
        "splitting_tags": texts("With xml; also with commas"),
        "ignore_tags": texts("With tag_handling; also with commas"),
        "show_billed_characters": boolean(default=False),
        "model_type": choice("latency_optimized", "quality_optimized", "prefer_quality_optimized",
                             description="quality: a beam of 4; otherwise the model's own search")},
        "text target_lang"),
    "DeepLAnswer": record({"translations": array(record({
        "detected_source_language": string("As it was given, or as it was found"), "text": string(),
        "billed_characters": integer("With show_billed_characters"), "model_type_used": string("With model_type"),
        "tag_handling_version": string("With tag_handling")}, "detected_source_language text"))}, "translations"),
    "DeepLHandle": record({"document_id": string(), "document_key": string()}, "document_id document_key"),
    "DeepLDocument": record({
        "document_id": string(), "status": choice("queued", "translating", "done", "error"),
        "seconds_remaining": integer("Where it can be told"), "billed_characters": integer("When it is done"),
        "error_message": string("Of an error")}, "document_id status"),
    "DeepLGlossary": record({
        "glossary_id": string(), "name": string(), "ready": boolean(), **PAIR, "creation_time": string(), **COUNT},
        "glossary_id name ready source_lang target_lang creation_time entry_count"),
    "DeepLEntries": record(ENTRIES, "source_lang target_lang entries"),
    "DeepLDictionary": record({**PAIR, **COUNT}, "source_lang target_lang entry_count"),
    "DeepLGlossaryV3": record({"glossary_id": string(), "name": string(), "creation_time": string(),
                               "dictionaries": array(ref("DeepLDictionary"))},
                              "glossary_id name creation_time dictionaries"),
    "DeepLMemory": record({
        "translation_memory_id": string(), "name": string(), "source_language": string(),
        "target_languages": array(string()), "segment_count": integer(), "creation_time": string(),
        "updated_time": string()},
        "translation_memory_id name source_language target_languages segment_count creation_time updated_time"),
    "DeepLSegment": record({
        "source_segment_id": string(), "source_text": string(), "targets": array(record({
            "target_segment_id": string(), "target_language": string(), "target_text": string()},
            "target_segment_id target_language target_text"))}, "source_segment_id source_text targets"),
    "DeepLJob": record({
        "job_id": string(), "operation": choice("import", "export"), "product": string(), "creation_time": string(),
        "updated_time": string(),
        "source_file": record({"file_name": string(), "content_type": string(), "content_length": integer()},
                              "file_name content_type content_length", "Of an import"),
        "parameters": record({"display_name": string("Of an import"), "translation_memory_id": string("Of an export")}),
        "results": array(record({
            "status": choice("awaiting_input", "processing", "completed", "failed"),
            "status_metadata": record({"required_action": string()}, "required_action"),
            "translation_memory_id": string("Of an import"), "download_url": string("Of an export"),
            "expires_at": string("Of an export"), "error": record({"message": string()}, "message")}, "status"))},
        "job_id operation product creation_time updated_time parameters results"),
}


def add_texts():
    told = {200: answer("One for each text", ref("DeepLAnswer"))}
    deepl("POST", "/v2/translate", "deeplTranslate", "Translate", told, request=body(ref("DeepLAsk"), *FORMS),
          errors=(404, 456, 503))
    for version in ("v2", "v1"):
        deepl("GET", f"/{version}/translate", f"deeplAsk{version.upper()}", "Translate, as OmegaT asks", told,
              parameters=queries(SCHEMAS["DeepLAsk"]), errors=(404, 413, 456, 503))
    deepl("GET", "/v2/usage", "deeplUsage", "Characters that were used in this month", {200: answer(
        "A limit of 10^12: there is none", record({"character_count": integer(), "character_limit": integer()},
                                                  "character_count character_limit"))})
    feature = record({"name": string(), "needs_source_support": boolean(), "needs_target_support": boolean()}, "name")
    for method, name in (("GET", ""), ("POST", "Posted")):
        deepl(method, "/v2/languages", f"deeplLanguages{name}", "Languages", {200: answer("", array(record({
            "language": string(), "name": string(), "supports_formality": boolean("Of targets")}, "language name")))},
            parameters=[query("type", choice("source", "target", default="source"))])
        deepl(method, "/v2/glossary-language-pairs", f"deeplGlossaryPairs{name}", "Languages that glossaries can have",
              {200: answer("", record({"supported_languages": array(record(PAIR, "source_lang target_lang"))},
                                      "supported_languages"))})
        deepl(method, "/v3/languages", f"deeplLanguagesV3{name}", "Languages with what is there for them",
              {200: answer("None for what is not served", array(record({
                  "lang": string(), "name": string(), "usable_as_source": boolean(), "usable_as_target": boolean(),
                  "status": string(), "features": {"type": "object", "additionalProperties": record(
                      {"status": string()}, "status")}},
                  "lang name usable_as_source usable_as_target status features")))},
              parameters=[query("resource", string("A name of /v3/languages/resources; or `product`"))])
        deepl(method, "/v3/languages/resources", f"deeplResources{name}", "What /v3/languages can be asked for",
              {200: answer("", array(record({"name": string(), "features": array(feature)}, "name features")))})


def add_documents():
    deepl("POST", "/v2/document", "deeplUpload", "Translate a document", {200: answer("", ref("DeepLHandle"))},
          request=body(record({"file": BINARY, "filename": string("None: the name of the file"), **COMMON,
                               "output_format": string("The document's own; others are refused")}, "file target_lang"),
                       "multipart/form-data"), errors=(404, 456, 503))
    key = body(record({"document_key": string()}, "document_key"), *FORMS)
    deepl("POST", "/v2/document/{id}", "deeplDocument", "How far it is", {200: answer("", ref("DeepLDocument"))},
          request=key, errors=(404,))
    deepl("POST", "/v2/document/{id}/result", "deeplResult", "The translated document; once",
          {200: answer("The file", BINARY, "application/octet-stream")}, request=key, errors=(404, 503))


def add_glossaries():
    one = {200: answer("", ref("DeepLGlossary"))}
    deepl("POST", "/v2/glossaries", "deeplAddGlossary", "Keep a glossary", {201: answer("", ref("DeepLGlossary"))},
          request=body(record({"name": string(), **ENTRIES}, "name source_lang target_lang entries"), *FORMS),
          errors=(456,))
    deepl("GET", "/v2/glossaries", "deeplGlossaries", "Glossaries of one dictionary", {200: answer("", record({
        "glossaries": array(ref("DeepLGlossary"))}, "glossaries"))})
    deepl("GET", "/v2/glossaries/{id}", "deeplGlossary", "One glossary", one, errors=(404,))
    deepl("GET", "/v2/glossaries/{id}/entries", "deeplEntries", "Its entries",
          {200: answer("", string(), "text/tab-separated-values")}, errors=(404,))
    deepl("DELETE", "/v2/glossaries/{id}", "deeplRemoveGlossary", "Forget it", {204: answer("Done")}, errors=(404,))


def add_glossaries_v3():
    three = {200: answer("", ref("DeepLGlossaryV3"))}
    made = {"name": string(), "dictionaries": array(ref("DeepLEntries"))}
    pair = queries(record(PAIR, "source_lang target_lang"))
    deepl("POST", "/v3/glossaries", "deeplAddGlossaryV3", "Keep a glossary of several languages",
          {201: answer("", ref("DeepLGlossaryV3"))}, request=body(record(made, "name dictionaries"), *FORMS), errors=(456,),
          description="In a form: dictionaries[0].source_lang, dictionaries[0].entries ...")
    deepl("GET", "/v3/glossaries", "deeplGlossariesV3", "Glossaries", {200: answer("", record({
        "glossaries": array(ref("DeepLGlossaryV3"))}, "glossaries"))})
    deepl("GET", "/v3/glossaries/{id}", "deeplGlossaryV3", "One glossary", three, errors=(404,))
    deepl("PATCH", "/v3/glossaries/{id}", "deeplChangeGlossaryV3", "Change a name, add entries", three,
          request=body(record(made)), errors=(404,))
    deepl("DELETE", "/v3/glossaries/{id}", "deeplRemoveGlossaryV3", "Forget it", {204: answer("Done")}, errors=(404,))
    deepl("GET", "/v3/glossaries/{id}/entries", "deeplEntriesV3", "Entries for two languages", {200: answer("", record({
        "dictionaries": array(ref("DeepLEntries"))}, "dictionaries"))}, parameters=pair, errors=(404,))
    deepl("PUT", "/v3/glossaries/{id}/dictionaries", "deeplReplaceDictionary", "Replace one dictionary",
          {200: answer("", ref("DeepLDictionary"))}, request=body(ref("DeepLEntries")), errors=(404,))
    deepl("DELETE", "/v3/glossaries/{id}/dictionaries", "deeplRemoveDictionary", "Forget one dictionary",
          {204: answer("Done")}, parameters=pair, errors=(404,))


def add_memories():
    root = "/v3/translation_memories"
    one, job = {200: answer("", ref("DeepLMemory"))}, {200: answer("", ref("DeepLJob"))}
    deepl("GET", root, "deeplMemories", "Translation memories", {200: answer("", record({
        "translation_memories": array(ref("DeepLMemory")), "total_count": integer()},
        "translation_memories total_count"))},
        parameters=[query("page", integer(minimum=0, default=0)),
                    query("page_size", integer(minimum=1, maximum=25, default=10))])
    deepl("GET", root + "/{id}", "deeplMemory", "One memory", one, errors=(404,))
    deepl("DELETE", root + "/{id}", "deeplRemoveMemory", "Forget it", {204: answer("Done")}, errors=(404,))
    deepl("GET", root + "/{id}/segments", "deeplSegments", "Its segments", {200: answer("", record({
        "segments": array(ref("DeepLSegment")), "segment_count": integer("Of the memory"),
        "next_page_cursor": string("Where there are more")}, "segments segment_count"))}, errors=(404,), parameters=[
        query("page_size", integer(minimum=1, maximum=100, default=50)), query("page_cursor", string()),
        query("filter_text", string(minLength=2)), query("filter_case_sensitive", boolean(default=False))])
    file = record({"file_name": string(), "content_length": integer("Bytes", minimum=1), "content_type": string()},
                  "file_name content_length")
    deepl("POST", root + "/import", "deeplImport", "Begin to bring a TMX file", {201: answer(
        "Where the file is to be sent", record({"job_id": string(), "upload_url": string(), "expires_at": string()},
                                               "job_id upload_url expires_at"))},
        request=body(record({"source_file": file, "parameters": record({"display_name": string("None: file_name")})},
                            "source_file")), errors=(503,))
    deepl("POST", root + "/{id}/export", "deeplExport", "Begin to fetch a TMX file",
          {200: answer("A job that there is already", ref("DeepLJob")), 202: answer("A job", ref("DeepLJob"))},
          request=body({"type": "object"}, required=False), errors=(404, 503))
    deepl("GET", root + "/jobs/{job}", "deeplMemoryJob", "How far that is", job, errors=(404,))
    add_memory_files(root + "/jobs/{job}/file")


def add_memory_files(path):
    """Whoever has the address may ask: the token in it is the key."""
    open_ = functools.partial(deepl, access=OPEN, limited=True, parameters=[query("token", string(), True)])
    open_("PUT", path, "deeplPutTmx", "The file of an import",
          {200: answer("Taken: the job tells what is wrong with it")},
          request=body(BINARY, "application/octet-stream", "application/xml"), errors=(404, 405, 409))
    open_("GET", path, "deeplGetTmx", "The file of an export", {200: answer("TMX", string(), "application/xml")},
          errors=(404, 405))


def add_all():
    add_texts()
    add_documents()
    add_glossaries()
    add_glossaries_v3()
    add_memories()
