#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DeepL's interface of the service: deepl_test.py TOOL PROJECT"""
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse

from service import Service, check, same

tool, project = sys.argv[1:3]
BOAT, BOOT = "The boat is full.", "Das Boot ist voll."
HAT, HUT = "She is wearing a hat.", "Sie trägt einen Hut."
TMX = ('<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="t" adminlang="en" '
       'srclang="en" datatype="plaintext"/><body><tu><tuv xml:lang="en"><seg>' + HAT + '</seg></tuv><tuv xml:lang="de"><seg>'
       'Ein Hut ziert sie.</seg></tuv></tu></body></tmx>')


def refused(answer, status, word):
    """DeepL's form of an error, with words that name what is wrong."""
    check(len(word) > 1, "words that every answer has:", repr(word))
    same(answer.status, status, f"status of {answer!r};")
    said = answer.json()
    check(isinstance(said["message"], str) and word in said["message"] + said.get("detail", ""), word, "is not in", said)


def texts(answer):
    same(answer.status, 200, f"status of {answer!r};")
    return [each["text"] for each in answer.json()["translations"]]


def translate(s, source, **fields):
    return s.post("/v2/translate", json={"text": source, "target_lang": "DE", **fields})


def shapes(s):
    both = [("text", BOAT), ("text", HAT), ("source_lang", "EN"), ("target_lang", "de"), ("tag_handling", "html")]
    same(texts(s.post("/v2/translate", form=both)), [BOOT, HUT], "a form, as Mastodon sends it;")
    body = urllib.parse.urlencode({"text": BOAT, "target_lang": "DE"}) + "&source_lang"
    same(texts(s.post("/v2/translate", body=body.encode(), headers={"Content-Type": "application/x-www-form-urlencoded"})),
         [BOOT], "a field without a value is none;")
    for path in ("/v1/translate", "/v2/translate"):
        same(texts(s.get(path, query={"auth_key": "one", "text": BOAT, "source_lang": "EN", "target_lang": "DE"})), [BOOT],
             f"a query of {path}, as OmegaT sends it;")
    same(texts(translate(s, [BOAT, HAT, ""], source_lang="en")), [BOOT, HUT, ""], "JSON;")
    same(texts(translate(s, BOAT)), [BOOT], "one text;")
    found = translate(s, [BOAT], show_billed_characters=True, model_type="prefer_quality_optimized").json()["translations"]
    same(found, [{"detected_source_language": "EN", "text": BOOT, "billed_characters": 17,
                  "model_type_used": "quality_optimized"}], "all that can be asked for;")
    same(list(translate(s, [BOAT]).json()["translations"][0]), ["detected_source_language", "text"], "nothing more;")
    answer = translate(s, ["Where is the old railway station, please?", "Der alte Bahnhof ist heute leider zu."],
                       target_lang="EN")
    texts(answer)
    languages = answer.json()["translations"]
    same([each["detected_source_language"] for each in languages], ["EN", "DE"], "each text has its language;")
    same(languages[0]["text"], "Where is the old railway station, please?", "what is English stays;")
    for number in range(20):
        same(len(texts(translate(s, [f"This is the number {number} of the old houses.", f"Das ist die Nummer {number} des Dorfes."],
                                 target_lang="EN"))), 2, "texts one language after the other;")
    same(translate(s, [BOAT], source_lang="en").json()["translations"][0]["detected_source_language"], "EN")


def sentences(s):
    lines = f"{BOAT}\n{HAT}"
    same(texts(translate(s, lines, source_lang="EN")), [f"{BOOT}\n{HUT}"], "lines stay;")
    broken = "The boat\nis full."
    same(texts(translate(s, broken, source_lang="EN", split_sentences="nonewlines")), [BOOT], "a sentence over two lines;")
    check("\n" in texts(translate(s, broken, source_lang="EN"))[0], "lines are sentences unless something else is said")
    check("\n" not in texts(translate(s, lines, source_lang="EN", split_sentences="0"))[0], "one sentence has no lines")
    refused(translate(s, lines, split_sentences="2"), 400, "split_sentences")
    for value in ("default", "prefer_more", "prefer_less"):
        same(texts(translate(s, BOAT, formality=value)), [BOOT], value)
    for value in ("more", "less", "kind"):
        refused(translate(s, BOAT, formality=value), 400, "formality")
    for name, value in (("style_id", "a"), ("custom_instructions", ["Be kind."])):
        refused(translate(s, BOAT, **{name: value}), 400, name)
    same(texts(translate(s, BOAT, custom_instructions=[], style_id="")), [BOOT], "empty ones are none;")
    same(texts(translate(s, BOAT, context="Of boats.", preserve_formatting=True, enable_beta_languages=True)), [BOOT])


def tags(s):
    def tagged(source, **fields):
        answer = translate(s, source, tag_handling="xml", source_lang="EN", **fields)
        same(answer.json()["translations"][0].get("tag_handling_version"), "v2", answer)
        return texts(answer)[0]
    same(tagged(f"<d k='&lt;'><!-- c --><t>{BOAT}</t>\n<t>{HAT}</t></d>"),
         f"<d k='&lt;'><!-- c --><t>{BOOT}</t>\n<t>{HUT}</t></d>", "a document;")
    same(tagged(f"{BOAT}\n{HAT}"), f"{BOOT}\n{HUT}", "lines of a fragment;")
    weblate = tagged('The file <x id="7"></x> could not be opened.', ignore_tags=["x"])
    check('<x id="7"></x>' in weblate and "geöffnet" in weblate, "a placeholder as Weblate has it:", weblate)
    kept = tagged("Open <keep>The <b>File</b></keep> &amp; wait.", ignore_tags="x,keep")
    check("<keep>The <b>File</b></keep>" in kept and "&amp;" in kept, kept)
    same(tagged("<par>The boat </par><par>is full.</par>", non_splitting_tags=["par"]).replace("<par>", "")
         .replace("</par>", ""), BOOT, "a sentence in two elements;")
    same(tagged(f"<d>{BOAT}<cut/>{HAT}</d>", outline_detection=False, splitting_tags="cut"), f"<d>{BOOT}<cut/>{HUT}</d>")
    refused(translate(s, "<a>b</c>", tag_handling="xml"), 400, "</c>")
    refused(translate(s, BOAT, ignore_tags=["x"]), 400, "ignore_tags")
    refused(translate(s, BOAT, tag_handling="html", outline_detection=False), 400, "outline_detection")
    refused(translate(s, BOAT, tag_handling="rtf"), 400, "tag_handling")
    html = translate(s, f'<p>{HAT} <span translate="no">{BOAT}</span></p>', tag_handling="html", source_lang="EN")
    same(texts(html), [f'<p>{HUT} <span translate="no">{BOAT}</span></p>'], "what is marked stays;")
    html = translate(s, f'<p>{HAT} <Keep k="1">{BOAT}</Keep></p>', tag_handling="html", source_lang="EN", ignore_tags="keep")
    same(texts(html), [f'<p>{HUT} <Keep k="1">{BOAT}</Keep></p>'], "ignored elements stay;")


def languages(s):
    sources = {each["language"]: each["name"] for each in s.get("/v2/languages").json()}
    same(sources, {"EN": "English", "DE": "German"})
    targets = s.get("/v2/languages", form={"type": "target"}).json()  # as the package deepl asks
    check({"DE", "EN", "EN-GB", "EN-US"} == {each["language"] for each in targets}, targets)
    check(all(each["supports_formality"] is False for each in targets), targets)
    refused(s.get("/v2/languages", query={"type": "both"}), 400, "both")
    pairs = s.get("/v2/glossary-language-pairs").json()["supported_languages"]
    check({"source_lang": "en", "target_lang": "de"} in pairs and len(pairs) == 2, pairs)
    of_texts = s.get("/v3/languages", query={"resource": "translate_text"}).json()
    german = [each for each in of_texts if each["lang"] == "de"]
    same(len(german), 1, of_texts)
    check(german[0]["usable_as_source"] and german[0]["usable_as_target"] and "glossary" in german[0]["features"], german)
    same(s.get("/v3/languages", query={"product": "voice"}).json(), [], "no language for what is not there;")
    refused(s.get("/v3/languages"), 400, "resource")
    resources = {each["name"] for each in s.get("/v3/languages/resources").json()}
    check({"translate_text", "translate_document", "glossary"} <= resources and "write" not in resources, resources)
    same(texts(s.post("/v2/translate", json={"text": [BOOT], "source_lang": "DE", "target_lang": "en-us"})),
         texts(s.post("/v2/translate", json={"text": [BOOT], "source_lang": "de", "target_lang": "EN"})), "a region;")
    refused(translate(s, BOAT, target_lang="ZZ"), 400, "ZZ")
    refused(translate(s, BOAT, source_lang="QQ"), 400, "QQ")
    refused(s.post("/v2/translate", json={"text": [BOAT]}), 400, "target_lang")
    refused(s.post("/v2/translate", json={"target_lang": "DE"}), 400, "text")
    refused(s.post("/v2/translate", json={"text": [BOAT, 5], "target_lang": "DE"}), 400, "text")


def glossaries(s):
    made = s.post("/v2/glossaries", json={"name": "one", "source_lang": "EN", "target_lang": "de", "entries": "boat\tKahn",
                                          "entries_format": "tsv"})
    same(made.status, 201, made)
    id = made.json()["glossary_id"]
    same({name: made.json()[name] for name in ("name", "ready", "source_lang", "target_lang", "entry_count")},
         {"name": "one", "ready": True, "source_lang": "en", "target_lang": "de", "entry_count": 1})
    check("Kahn" in texts(translate(s, BOAT, source_lang="EN", glossary_id=id))[0], "the term is used")
    same(texts(translate(s, BOAT, source_lang="EN")), [BOOT], "and only where it is asked for;")
    same(s.get(f"/v2/glossaries/{id}").json(), made.json())
    check(made.json() in s.get("/v2/glossaries").json()["glossaries"], "it is listed")
    entries = s.get(f"/v2/glossaries/{id}/entries", headers={"Accept": "text/tab-separated-values"})
    check(entries.headers["Content-Type"].startswith("text/tab-separated-values"), entries.headers)
    same(entries.text.strip(), "boat\tKahn")
    refused(translate(s, BOAT, glossary_id=id), 400, "source_lang")
    refused(translate(s, BOAT, source_lang="EN", glossary_id=id, glossary_ids=[id]), 400, "glossary_ids")
    refused(translate(s, BOAT, source_lang="EN", glossary_ids=["a"] * 6), 400, "glossary_ids")
    refused(translate(s, BOOT, source_lang="DE", target_lang="EN", glossary_id=id), 400, "no dictionary from de to en")
    refused(s.post("/v2/glossaries", json={"name": "two", "source_lang": "en", "target_lang": "de", "entries": "a\tb\na\tc"}),
            400, 'line 2: the term "a" comes twice')
    refused(s.post("/v2/glossaries", json={"source_lang": "en", "target_lang": "de", "entries": "a\tb"}), 400, "name")
    refused(s.post("/v2/glossaries", json={"name": "a", "source_lang": "en", "target_lang": "de", "entries": "a\tb",
                                           "entries_format": "xls"}), 400, "entries_format")
    same(s.delete(f"/v2/glossaries/{id}").status, 204)
    refused(s.get(f"/v2/glossaries/{id}"), 404, "glossary")
    refused(translate(s, BOAT, source_lang="EN", glossary_id=id), 404, "glossary")


def glossaries_of_several_pairs(s):
    def dictionary(source, target, entries):
        return {"source_lang": source, "target_lang": target, "entries": entries, "entries_format": "tsv"}
    made = s.post("/v3/glossaries", json={"name": "many", "dictionaries": [dictionary("en", "de", "boat\tKahn"),
                                                                           dictionary("de", "en", "Kahn\tbarge")]})
    same(made.status, 201, made)
    id = made.json()["glossary_id"]
    same(made.json()["dictionaries"], [{"source_lang": "en", "target_lang": "de", "entry_count": 1},
                                       {"source_lang": "de", "target_lang": "en", "entry_count": 1}])
    check("Kahn" in texts(translate(s, BOAT, source_lang="EN", glossary_ids=[id]))[0], "the term is used")
    refused(s.get(f"/v2/glossaries/{id}"), 404, "/v3/glossaries")
    check(id not in s.get("/v2/glossaries").text and id in s.get("/v3/glossaries").text, "v3 lists it, v2 does not")
    changed = s.patch(f"/v3/glossaries/{id}", json={"name": "more", "dictionaries": [dictionary("EN", "DE", "hat\tMütze")]})
    same((changed.json()["name"], changed.json()["dictionaries"][0]["entry_count"]), ("more", 2), "entries are added;")
    replaced = s.put(f"/v3/glossaries/{id}/dictionaries", json=dictionary("en", "de", "hat\tKappe"))
    same(replaced.json(), {"source_lang": "en", "target_lang": "de", "entry_count": 1})
    entries = s.get(f"/v3/glossaries/{id}/entries", query={"source_lang": "EN", "target_lang": "DE"}).json()["dictionaries"]
    same([each["entries"].strip() for each in entries], ["hat\tKappe"])
    same(s.delete(f"/v3/glossaries/{id}/dictionaries?source_lang=DE&target_lang=EN").status, 204)
    same(len(s.get(f"/v3/glossaries/{id}").json()["dictionaries"]), 1)
    refused(s.get(f"/v3/glossaries/{id}/entries?source_lang=DE&target_lang=EN"), 404, id)
    same(s.delete(f"/v3/glossaries/{id}").status, 204)
    refused(s.get(f"/v3/glossaries/{id}"), 404, "glossary")
    # As deepl-node sends them: a form with the numbers of dictionaries in its names, in no order.
    form = [("name", "form")] + [(f"dictionaries[{i}].{name}", value) for i, one in (
        (10, dictionary("de", "en", "Kahn\tbarge")), (2, dictionary("en", "de", "boat\tKahn"))) for name, value in one.items()]
    made = s.post("/v3/glossaries", form=form)
    same(made.status, 201, made)
    same([(each["source_lang"], each["entry_count"]) for each in made.json()["dictionaries"]], [("en", 1), ("de", 1)])
    id = made.json()["glossary_id"]
    more = [(f"dictionaries[0].{name}", value) for name, value in dictionary("en", "de", "hat\tMütze").items()]
    same(s.patch(f"/v3/glossaries/{id}", form=more).json()["dictionaries"][0]["entry_count"], 2)
    same(s.delete(f"/v3/glossaries/{id}").status, 204)
    for name in ("dictionaries[", "dictionaries[].entries", "dictionaries[x].entries", "dictionaries[0]entries",
                 "dictionaries[0].", "dictionaries[-1].entries", "dictionaries[99999999999].entries"):
        refused(s.post("/v3/glossaries", form=[("name", "form"), (name, "a")]), 400, "dictionaries")


def upload(s, name="one.txt", content=(HAT + "\n").encode(), headers=None, **fields):
    return s.post("/v2/document", form={"target_lang": "DE", **fields}, files=[("file", name, content)], headers=headers)


def ended(s, handle, headers=None):
    for _ in range(600):
        status = s.post("/v2/document/" + handle["document_id"], json={"document_key": handle["document_key"]},
                        headers=headers).json()
        if status["status"] in ("done", "error"):
            return status
        check(status["status"] in ("queued", "translating"), status)
        time.sleep(0.1)
    raise AssertionError(f"a document does not end: {status}")


def documents(s):
    handle = upload(s, source_lang="EN").json()
    key = {"document_key": handle["document_key"]}
    path = "/v2/document/" + handle["document_id"]
    status = ended(s, handle)
    check(status["status"] == "done" and status["billed_characters"] >= len(HAT), status)
    refused(s.post(path, json={"document_key": "0" * len(key["document_key"])}), 404, "Document not found")
    refused(s.post(path, json={"document_key": "short"}), 404, "Document not found")
    refused(s.post(path), 400, "document_key")
    result = s.post(path + "/result", form=key)
    same((result.status, result.text), (200, HUT + "\n"))
    refused(s.post(path + "/result", json=key), 404, "Document not found")
    refused(s.post(path, json=key), 404, "Document not found")
    long = upload(s, content=(f"{HAT} {BOAT}\n" * 400).encode(), source_lang="EN").json()
    early = s.post("/v2/document/" + long["document_id"] + "/result", json={"document_key": long["document_key"]})
    refused(early, 503, "not ready")
    check(int(early.headers["Retry-After"]) >= 1, early.headers)
    same(ended(s, long)["status"], "done")
    refused(upload(s, output_format="pdf"), 400, "output_format")
    refused(upload(s, target_lang="ZZ"), 400, "ZZ")
    refused(upload(s, formality="more"), 400, "formality")
    refused(s.post("/v2/document", form={"target_lang": "DE"}, files=[]), 400, "file")
    refused(upload(s, name="one.docx", content=b"no archive", source_lang="EN"), 400, "format of one.docx")
    broken = ended(s, upload(s, name="one.docx", content=b"PK\3\4 no archive", source_lang="EN").json())
    same(broken["status"], "error")
    check("zip archive" in broken["error_message"], "a broken document says why:", broken)


def path_of(url):
    parts = urllib.parse.urlsplit(url)
    return parts.path + "?" + parts.query


def memories(s):
    job = s.post("/v3/translation_memories/import", json={
        "source_file": {"file_name": "m.tmx", "content_length": len(TMX.encode())}, "parameters": {"display_name": "mine"}})
    upload_path = path_of(job.json()["upload_url"])
    same(s.put(upload_path, body=TMX.encode()[:-1]).status, 400, "a file of another length;")
    wrong = upload_path[:-1] + ("0" if upload_path[-1] != "0" else "1")
    refused(s.put(wrong, body=TMX.encode()), 404, "Job not found")
    same(s.put(upload_path, body=TMX.encode(), headers={"Content-Type": "application/xml"}).status, 200)
    same(s.put(upload_path, body=TMX.encode()).status, 409, "a second file;")
    told = s.get("/v3/translation_memories/jobs/" + job.json()["job_id"]).json()
    same(told["results"][0]["status"], "completed", told)
    id = told["results"][0]["translation_memory_id"]
    info = s.get(f"/v3/translation_memories/{id}").json()
    same([info[name] for name in ("name", "source_language", "target_languages", "segment_count")], ["mine", "en", ["de"], 1])
    same(s.get("/v3/translation_memories?page_size=25").json()["total_count"], 1)
    refused(s.get("/v3/translation_memories?page_size=26"), 400, "page_size")
    found = s.get(f"/v3/translation_memories/{id}/segments?filter_text=ziert").json()["segments"]
    same([(each["source_text"], each["targets"][0]["target_text"]) for each in found], [(HAT, "Ein Hut ziert sie.")])
    refused(s.get(f"/v3/translation_memories/{id}/segments?filter_text=z"), 400, "filter_text")
    same(texts(translate(s, [HAT], source_lang="EN", translation_memory_id=id)), ["Ein Hut ziert sie."])
    refused(translate(s, [HAT], translation_memory_id=id, translation_memory_threshold=101), 400, "threshold")
    export = s.post(f"/v3/translation_memories/{id}/export")
    same(export.status, 202, export)
    again = s.post(f"/v3/translation_memories/{id}/export")
    same((again.status, again.json()["job_id"]), (200, export.json()["job_id"]), "the export that is there;")
    link = s.get("/v3/translation_memories/jobs/" + export.json()["job_id"]).json()["results"][0]["download_url"]
    check("Ein Hut ziert sie." in s.get(path_of(link)).text, "the segments are in the file")
    same(s.delete(f"/v3/translation_memories/{id}").status, 204)
    refused(s.get(f"/v3/translation_memories/{id}"), 404, "memory")


def what_is_not_there(s):
    for method, path, name in (("GET", "/v3/style_rules", "style rules"), ("PUT", "/v3/style_rules/a/configured_rules", "style"),
                               ("POST", "/v2/write/rephrase", "write"), ("POST", "/v2/write/correct", "write"),
                               ("POST", "/v3/voice/realtime", "voice")):
        refused(s.request(method, path), 404, name)
    usage = s.get("/v2/usage").json()
    check(usage["character_count"] > 0 and usage["character_limit"] > usage["character_count"], usage)


def keys():
    def bearer(key):
        return {"Authorization": "DeepL-Auth-Key " + key}
    with tempfile.TemporaryDirectory(prefix="dragoman-deepl-") as folder:
        file = os.path.join(folder, "keys.sqlite")

        def add(*limits):
            return subprocess.run([tool, "serve", "keys", "add", "--keys-file", file, *limits], check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.split()[0]
        one, other, poor = add(), add(), add("--characters-per-month", "30")
        with Service(tool, project, "--keys-file", file) as s:
            for headers, said in ((None, "contact the server operator"), (bearer("wrong"), "Invalid API key")):
                refused(s.post("/v2/translate", json={"text": [BOAT], "target_lang": "DE"}, headers=headers), 403, said)
            ask = {"text": [BOAT], "target_lang": "DE"}
            same(texts(s.post("/v2/translate", json=ask, headers=bearer(one))), [BOOT])
            same(texts(s.post("/v2/translate", json={**ask, "auth_key": one})), [BOOT], "the key as a field;")
            same(texts(s.post("/v2/translate", json=ask, headers=bearer(poor))), [BOOT])
            refused(s.post("/v2/translate", json=ask, headers=bearer(poor)), 456, "30")
            same(s.get("/v2/usage", headers=bearer(poor)).json(), {"character_count": 17, "character_limit": 30})
            made = s.post("/v2/glossaries", json={"name": "one", "source_lang": "en", "target_lang": "de", "entries": "a\tb"},
                          headers=bearer(one)).json()
            refused(s.get("/v2/glossaries/" + made["glossary_id"], headers=bearer(other)), 404, "glossary")
            file = {"source_file": {"file_name": "m.tmx", "content_length": 10}}
            made = [s.post("/v3/translation_memories/import", json=file, headers=bearer(one)) for _ in range(260)]
            same({each.status for each in made}, {201}, "imports without their files;")
            jobs = "/v3/translation_memories/jobs/"
            refused(s.get(jobs + made[0].json()["job_id"], headers=bearer(one)), 404, "Job not found")
            same(s.get(jobs + made[-1].json()["job_id"], headers=bearer(one)).status, 200, "the last of them;")
            same(s.post("/v3/translation_memories/import", json=file, headers=bearer(other)).status, 201, "another key's;")
            handle = upload(s, source_lang="EN", headers=bearer(one)).json()
            same(ended(s, handle, bearer(one))["status"], "done")
            refused(s.post("/v2/document/" + handle["document_id"], json={"document_key": handle["document_key"]},
                           headers=bearer(other)), 404, "Document not found")


with Service(tool, project) as service:
    for part in (shapes, sentences, tags, languages, glossaries, glossaries_of_several_pairs, documents, memories,
                 what_is_not_there):
        part(service)
keys()
