#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every operation of the OpenAPI document is asked, and answers as the document says: answers_test.py TOOL PROJECT
Skipped where Python's jsonschema is missing."""
import json
import os
import sys
import tempfile
import time
import urllib.parse

try:
    from described import Described
except ImportError as missing:
    print(f"skipped: {missing}; Debian has python3-jsonschema")
    sys.exit(77)
from service import Service, check, events, same

TEXT, DOCUMENT = "Guten Morgen. Ich habe einen Hund.", ("file", "Brief.txt", "Der Hund schläft.\n".encode())
XML = {"Content-Type": "application/xml"}
TMX = ('<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="t" '
       'adminlang="en" srclang="de" datatype="plaintext"/><body><tu><tuv xml:lang="de">'
       '<seg>Der Hund schläft im Garten.</seg></tuv><tuv xml:lang="en">'
       '<seg>The hound rests outside.</seg></tuv></tu></body></tmx>').encode()

BROKEN = ("file", "a.docx", b"PK\x03\x04 no archive")
# Fields that nothing here has: of a model that breaks meanwhile, of a source that is left out, of publishers' lists.
RARE = {("Model", "error"), ("NamedModel", "error"), ("Coverage", "uncovered")}
SOMETIMES = {("DocumentJob", "seconds_remaining"), ("DeepLDocument", "seconds_remaining")}


def own_texts(d):
    ask = {"text": TEXT, "from": "de", "to": "en", "model": "en-de", "markup": "none", "scores": True, "quality": True,
           "coverage": True, "alignment": True, "tokens": True, "sentences": True, "alternatives": 2,
           "offsets": "utf16",
           "glossary": {"Hund": "hound"}, "options": {"beam_size": 4}, "context": "Of dogs.", "priority": 1}
    d.post("/v1/translate", json=ask)
    d.post("/v1/translate", json={"text": ["<p>Der <b>Hund</b> schläft.</p>"], "to": "en", "markup": "html",
                                  "quality": True})
    d.post("/v1/translate", json={"text": "This is English already, and stays.", "to": "en", "alternatives": 1})
    d.post("/v1/translate", form={"text": "Hund", "from": "de", "to": "en"})
    streamed = d.post("/v1/translate", json={"text": TEXT, "to": "en", "scores": True, "stream": True, "partial": True})
    for name, data in events(streamed.body):
        kind = "Answer" if name == "result" else "SentenceEvent"
        d.fits(json.loads(data), {"$ref": f"#/components/schemas/{kind}"}, f"the event {name}")
    d.post("/v1/detect", json={"text": ["Guten Morgen, mein lieber Freund.", "7"]})
    d.post("/v1/embed", json={"text": "Hund", "from": "de", "to": "en", "normalize": True, "truncate": True,
                              "max_tokens": 9})
    d.post("/v1/embed", json={"text": ["Hund"], "model": "en-de", "pooling": "tokens"})
    d.post("/v1/score", json={"source": "Hund", "target": "dog", "from": "de", "to": "en", "offsets": "bytes"})
    cut = d.post("/v1/tokenize", json={"text": "Hund", "from": "de", "side": "source", "offsets": "bytes"}).json()
    d.post("/v1/detokenize", json={"tokens": cut["tokens"], "from": "de", "side": "source"})
    for path in ("/v1/languages", "/v1/info", "/v1/formats", "/v1/openapi.json", "/openapi.json"):
        d.get(path)


def own_faults(d):
    d.post("/v1/translate", 400, json={"text": "Hund"})
    d.post("/v1/translate", 400, json={"text": "Hund", "to": "xx"})
    d.post("/v1/translate", 404, json={"text": "Hund", "from": "de", "to": "en", "glossary": "none"})
    d.post("/v1/detect", 400, json={})
    d.post("/v1/embed", 404, json={"text": "Hund", "model": "none"})
    d.post("/v1/score", 400, json={"source": "Hund", "target": [], "from": "de", "to": "en"})
    d.post("/v1/tokenize", 400, json={"text": "Hund", "side": "left"})
    for path in ("/v1/models/none", "/v1/jobs/none", "/v1/jobs/none/events", "/v1/jobs/none/result",
                 "/v1/glossaries/none", "/v1/memories/none", "/v1/memories/none/segments", "/v1/memories/none/tmx"):
        d.get(path, 404)
    for path in ("/v1/models/none", "/v1/jobs/none", "/v1/glossaries/none", "/v1/memories/none"):
        d.delete(path, 404)
    d.post("/v1/models", 400, json={"name": "/etc/passwd"})
    d.post("/v1/models/en-de/sing", 404)
    d.post("/v1/documents", 400, form={"to": "en"}, files=[])
    d.post("/v1/documents", 415, form={"to": "en"}, files=[("file", "a.xyz", b"a")])
    d.post("/v1/memories?name=a", 400, body=b"no TMX", headers=XML)
    d.post("/v1/glossaries", 400, json={"name": "a"})


def own_models(d):
    d.get("/v1/models")
    d.get("/v1/models/second")
    d.get("/v1/models/dragoman-en-de")
    d.post("/v1/models/second/load")
    d.post("/v1/models/second/unload", json={})
    d.delete("/v1/models/second", 204)
    d.delete("/v1/models/en-de", 409)
    d.post("/v1/reload", json={})
    d.get("/v1/registry?from=de&to=en&offline=true")
    job = d.post("/v1/models", 202, json={"name": "firefox:de-en"}).json()
    same(events(d.get(f"/v1/jobs/{job['id']}/events").body)[-1][0], "end")
    d.get(f"/v1/jobs/{job['id']}")
    d.get("/v1/jobs")
    d.delete(f"/v1/jobs/{job['id']}", 204)


def own_kept(d):
    made = d.post("/v1/glossaries", 201, json={"name": "one", "dictionaries": [
        {"from": "de", "to": "en", "entries": "Hund\thound", "format": "tsv"}]}).json()
    path = "/v1/glossaries/" + made["id"]
    d.get(path)
    d.get("/v1/glossaries")
    d.patch(path, json={"name": "two", "merge": True, "from": "de", "to": "en", "entries": [["Katze", "feline"]]})
    d.put(path, json={"from": "de", "to": "en", "entries": {"Hund": "cur"}})
    memory = d.post("/v1/memories", 201, query={"name": "mine"}, body=TMX, headers=XML).json()
    root = "/v1/memories/" + memory["id"]
    for each in ("/v1/memories", root, root + "/tmx"):
        d.get(each)
    d.get(root + "/segments?filter=hund&case_sensitive=false&first=0&most=5")
    for text in ("Der Hund schläft im Garten.", "Der Hund schläft im Haus."):
        d.post("/v1/translate", json={"text": text, "from": "de", "to": "en", "memory": memory["id"]})
    job = d.post("/v1/documents", 202, files=[DOCUMENT], form={
        "from": "de", "to": "en", "model": "en-de", "name": "Brief.txt", "format": "text", "output_name": "letter.txt",
        "options": "{}", "glossary": made["id"], "memory": memory["id"], "durable": "true"}).json()
    at = "/v1/jobs/" + job["id"]
    for name, data in events(d.get(at + "/events").body):
        d.fits(json.loads(data), {"$ref": "#/components/schemas/DocumentJob"}, f"the event {name}")
    d.get(at)
    d.get(at + "/result")
    d.delete(at, 204)
    at = "/v1/jobs/" + d.post("/v1/documents", 202, form={"to": "en"}, files=[BROKEN]).json()["id"]
    d.get(at + "/events")
    same(d.get(at).json()["state"], "error")
    d.get(at + "/result", 409)
    d.delete(root, 204)
    d.delete(path, 204)


def libretranslate(d):
    ask = {"q": TEXT, "source": "auto", "target": "en", "format": "text", "alternatives": 1, "api_key": "none"}
    d.post("/translate", json=ask)
    d.post("/translate", json={**ask, "q": ["Guten Morgen.", "Das ist gut."]})
    d.post("/translate", form=ask)
    d.post("/translate", 400, json={"q": "Hund"})
    d.post("/detect", json={"q": "Guten Morgen, mein Freund."})
    d.post("/detect", 400, json={})
    url = urllib.parse.urlsplit(d.post("/translate_file", form={"source": "de", "target": "en"}, files=[DOCUMENT])
                                .json()["translatedFileUrl"])
    d.get(url.path + "?" + url.query)
    d.get("/download_file/none?token=none", 400)
    d.post("/suggest", json={"q": "Hund", "s": "hound", "source": "de", "target": "en"})
    d.post("/suggest", 400, json={"q": "Hund"})
    for path in ("/languages", "/frontend/settings", "/health", "/spec", "/docs", "/docs.css", "/metrics"):
        d.get(path)
    d.post("/languages")


def shapes(d):
    pair = {"src_lang": "de", "tgt_lang": "en"}
    asks = [{"texts": ["Hund"], **pair}, {"text_list": ["Hund"], "source_lang": "de", "target_lang": "en"},
            {"text": "Der Hund schläft.", "source_lang": "DE", "target_lang": "EN"},
            {"text": "<b>Hund</b>", "source_lang": "DE", "target_lang": "EN", "tag_handling": "html"},
            {"source": "Hund", **pair}, {"source": ["Hund"], "tgt_lang": "en"},
            {"inputs": "Hund", "parameters": pair},
            {"src": [{"text": "Hund"}], "options": {"source": "de", "target": "en"}},
            {"id": 7, "src": "Der Hund schläft.", "source_lang": "de", "target_lang": "en"}, {"src": "Hund", **pair},
            [{"src": "Hund", "id": "en-de", **pair}]]
    for ask in asks:
        for path in ("/translate", "/translator/translate"):
            d.post(path, json=ask)
    for ask in ({"text": "Hund", "target_lang": "xx"}, {"source": "Hund", "tgt_lang": "xx"}, {"src": [{}]},
                {"src": "Hund", "tgt_lang": "xx"}, {"inputs": 3}, [{"src": 3}], {"texts": 3}, {"text_list": 3}):
        d.post("/translate", 400, json=ask)
    d.get("/translate?q=Der+Hund&source=de&target=en")
    d.get("/translate", query={"q": ["Guten Morgen", "Der Hund"], "target": "en"})
    d.get("/translate?source=Hund&src_lang=de&tgt_lang=en")
    d.get("/translate?q=Hund&target=xx", 400)
    d.get("/translate?source=Hund&tgt_lang=xx", 400)


def deepl_texts(d):
    ask = {"text": ["The boat is full."], "target_lang": "DE", "source_lang": "EN"}
    d.post("/v2/translate", json={**ask, "show_billed_characters": True, "model_type": "latency_optimized",
                                  "formality": "prefer_less", "context": "Of boats.", "split_sentences": "0",
                                  "preserve_formatting": True, "style_id": "", "custom_instructions": []})
    d.post("/v2/translate", json={**ask, "tag_handling": "xml", "tag_handling_version": "v1",
                                  "outline_detection": False, "splitting_tags": ["p"], "non_splitting_tags": ["b"],
                                  "ignore_tags": "x"})
    d.post("/v2/translate", form=ask)
    d.post("/v2/translate", 400, json={"text": ["Hund"]})
    d.post("/v2/translate", 400, json={**ask, "formality": "more"})
    d.post("/v2/translate", 404, json={**ask, "glossary_id": "none"})
    for path in ("/v2/translate", "/v1/translate"):
        d.get(path + "?text=boat&target_lang=DE&source_lang=EN")
        d.get(path + "?text=boat", 400)
    d.get("/v2/usage")
    for ask in (d.get, d.post):
        ask("/v2/languages?type=target")
        ask("/v2/languages?type=both", 400)
        ask("/v2/glossary-language-pairs")
        ask("/v3/languages?resource=translate_text")
        ask("/v3/languages", 400)
        ask("/v3/languages/resources")


def deepl_documents(d):
    one = d.post("/v2/document", files=[DOCUMENT], form={"target_lang": "EN", "source_lang": "DE", "filename": "a.txt",
                                                         "output_format": "txt"}).json()
    path, key = "/v2/document/" + one["document_id"], {"document_key": one["document_key"]}
    end = time.monotonic() + 60
    while d.post(path, json=key).json()["status"] not in ("done", "error"):
        check(time.monotonic() < end, "a document of a sentence takes more than a minute")
        time.sleep(0.1)
    d.post(path, 404, json={"document_key": "wrong"})
    d.post(path + "/result", form=key)
    d.post(path + "/result", 404, json=key)
    d.post("/v2/document", 400, form={"target_lang": "EN"}, files=[])
    broken = d.post("/v2/document", form={"target_lang": "EN"}, files=[BROKEN]).json()
    path, key = "/v2/document/" + broken["document_id"], {"document_key": broken["document_key"]}
    while d.post(path, json=key).json()["status"] not in ("done", "error"):
        check(time.monotonic() < end, "a broken document takes more than a minute")
        time.sleep(0.1)
    d.post(path + "/result", 404, json=key)


def deepl_glossaries(d):
    entries = {"source_lang": "en", "target_lang": "de", "entries": "boat\tKahn", "entries_format": "tsv"}
    one = "/v2/glossaries/" + d.post("/v2/glossaries", 201, json={"name": "one", **entries}).json()["glossary_id"]
    for path in ("/v2/glossaries", one, one + "/entries"):
        d.get(path)
    d.delete(one, 204)
    d.get(one, 404)
    d.post("/v2/glossaries", 400, json={"name": "one"})
    many = d.post("/v3/glossaries", 201, json={"name": "many", "dictionaries": [entries]}).json()["glossary_id"]
    d.post("/v2/translate", json={"text": "boat", "target_lang": "DE", "source_lang": "EN", "glossary_id": many})
    d.post("/v2/translate", json={"text": "boat", "target_lang": "DE", "source_lang": "EN", "glossary_ids": [many]})
    many = "/v3/glossaries/" + many
    for path in ("/v3/glossaries", many, many + "/entries?source_lang=en&target_lang=de"):
        d.get(path)
    d.patch(many, json={"name": "more", "dictionaries": [{**entries, "entries": "hat\tKappe"}]})
    d.put(many + "/dictionaries", json=entries)
    d.delete(many + "/dictionaries?source_lang=de&target_lang=en", 404)
    d.delete(many + "/dictionaries?source_lang=en&target_lang=de", 204)
    d.delete(many, 204)
    d.get(many, 404)


def deepl_memories(d):
    root = "/v3/translation_memories"
    ask = {"source_file": {"file_name": "m.tmx", "content_length": len(TMX), "content_type": "application/xml"},
           "parameters": {"display_name": "mine"}}
    begun = d.post(root + "/import", 201, json=ask).json()
    job, put = root + "/jobs/" + begun["job_id"], urllib.parse.urlsplit(begun["upload_url"])
    put = put.path + "?" + put.query
    d.get(job)
    d.put(put, 400, body=TMX[1:], headers=XML)
    d.put(put, body=TMX, headers=XML)
    d.put(put, 409, body=TMX, headers=XML)
    d.get(put, 405)
    one = d.get(job).json()["results"][0]["translation_memory_id"]
    broken = d.post(root + "/import", 201, json={"source_file": {"file_name": "m.tmx", "content_length": 4}}).json()
    other = urllib.parse.urlsplit(broken["upload_url"])
    d.put(other.path + "?" + other.query, body=b"none", headers=XML)
    check("error" in d.get(root + "/jobs/" + broken["job_id"]).json()["results"][0], "a file that is no TMX")
    d.post(root + "/import", 400, json={"source_file": {"file_name": "m.tmx", "content_length": 0}})
    d.get(root + "?page=0&page_size=25")
    d.get(root + "?page_size=26", 400)
    d.get(f"{root}/{one}")
    d.get(f"{root}/{one}/segments?page_size=1&filter_text=Hund&filter_case_sensitive=1")
    d.post("/v2/translate", json={"text": "Hund", "target_lang": "EN", "source_lang": "DE",
                                  "translation_memory_id": one, "translation_memory_threshold": 80})
    export = d.post(f"{root}/{one}/export", 202).json()
    d.post(f"{root}/{one}/export", 200)
    link = urllib.parse.urlsplit(export["results"][0]["download_url"])
    d.get(link.path + "?" + link.query)
    d.put(link.path + "?" + link.query, 405, body=TMX, headers=XML)
    d.delete(f"{root}/{one}", 204)
    d.get(f"{root}/{one}", 404)


def azure(d):
    ask = {"api-version": "3.0", "to": "en", "from": "de"}
    d.post("/translate", json=[{"Text": "Der Hund schläft."}], query={
        **ask, "to": ["en", "de"], "textType": "plain", "category": "general", "allowFallback": "true",
        "profanityAction": "NoAction", "includeAlignment": "true", "includeSentenceLength": "true"})
    d.post("/translate", json=[{"Text": TEXT}], query={"api-version": "3.0", "to": "en", "suggestedFrom": "de"})
    d.post("/translate", 400, json=[{"Text": TEXT}], query={**ask, "to": "xx"})
    d.post("/translate", 501, json=[{"Text": TEXT}], query={**ask, "toScript": "Latn"})
    one = {"text": TEXT, "textType": "plain", "targets": [{"language": "en", "deploymentName": "general",
                                                           "allowFallback": True, "profanityAction": "NoAction"}]}
    d.post("/translate", json={"inputs": [one, {**one, "language": "de"}]}, query={"api-version": "2026-06-06"})
    d.post("/detect", json=[{"Text": TEXT}, {"Text": "7"}], query={"api-version": "3.0"})
    for query in ({}, {"scope": "translation,models"}):
        d.get("/languages", query={"api-version": "3.0", **query})
    d.get("/languages?api-version=2026-06-06")


def mtranserver(d):
    pair, html = {"from": "de", "to": "en"}, {"html": False}
    for root in ("", "/mtranserver"):
        d.post(root + "/translate", json={"text": "Hund", **pair, **html})
        d.post(root + "/translate/batch", json={"texts": ["Hund"], **pair, **html})
        d.post(root + "/translate/batch", 400, json={"texts": ["Hund"]})
        d.post(root + "/detect", json={"text": "Guten Morgen, mein Freund."})
        d.post(root + "/detect", json={"text": "Guten Morgen.", "minConfidence": 0.1})
        for path in ("/version", "/__heartbeat__", "/__lbheartbeat__"):
            d.get(root + path)
    for path in ("/languages", "/health"):
        d.get("/mtranserver" + path)
    d.post("/imme", json={"text_list": ["Hund"], "source_lang": "de", "target_lang": "en"})
    d.post("/kiss", json={"text": "Hund", **pair})
    d.post("/kiss", json={"texts": ["Hund"], **pair})
    d.post("/kiss", 400, json={"text": "Hund"})
    d.post("/hcfy", json={"name": "a", "text": "Hund", "source": "德语", "destination": ["英语"]})
    d.post("/deepl", json={"text": ["Hund"], "source_lang": "DE", "target_lang": "EN"})
    d.post("/deepl", 400, json={"text": ["Hund"]})
    d.post("/deeplx", json={"text": "Hund", "source_lang": "DE", "target_lang": "EN"})
    d.post("/deeplx", 400, json={"text": "Hund"})
    d.post("/google/language/translate/v2", json={"q": "Hund", "source": "de", "target": "en"})
    d.get("/google/translate_a/single?client=gtx&sl=de&tl=en&dt=t&q=Hund")


def google(d):
    root = "/language/translate/v2"
    ask = {"q": ["Guten Morgen, mein Freund."], "target": "en", "format": "text", "model": "nmt"}
    d.post(root, json=ask)
    d.post(root, form={**ask, "source": "de"})
    d.get(root + "?q=Hund&target=en&source=de")
    d.post(root, 400, json={"q": "Hund"})
    d.post(root + "/detect", json={"q": ["Guten Morgen, mein Freund.", "7"]})
    d.get(root + "/detect?q=Hund")
    for ask in (d.get, d.post):
        ask(root + "/languages")
        ask(root + "/languages?target=en")


def small_ones(d):
    for version in ("v2", "v3", "v4"):
        root, ask = f"/api/{version}", {"text": "Der Hund", "source": "deu_Latn", "target": "eng_Latn"}
        d.get(root + "/translator", query=ask)
        d.get(root + "/translator?text=Hund&source=xx&target=yy", 400)
        d.post(root + "/translator", json=ask)
        d.get(root + "/translator/stream", query={**ask, "event_type": "piece"})
        d.get(root + "/translator/tokens?text=Hund")
        d.get(root + "/language?text=Guten+Morgen,+mein+Freund.")
        d.get(root + "/language?text=7", 400)
    d.get("/api/v1/auto/en/Guten%20Morgen,%20mein%20Freund.")
    d.get("/api/v1/xx/en/Hund", 400)
    for side in ("", "/source", "/target"):
        d.get("/api/v1/languages" + side)
    ask = {"inputs": ["Hund"], "parameters": {"src_lang": "de", "tgt_lang": "en"}}
    for path in ("/", "/models/opus-mt-de-en", "/pipeline/translation/opus-mt-de-en",
                 "/hf-inference/models/a/opus-mt-de-en"):
        d.post(path, json=ask)
        d.post(path, 400, json={"inputs": 3})
    d.post("/models/none", 404, json={"inputs": "Hund"})


def openai(d):
    said = [{"role": "system", "content": "Translate from German to English."},
            {"role": "user", "content": [{"type": "text", "text": "Der Hund schläft."}]}]
    for root in ("", "/v1"):
        d.post(root + "/chat/completions", json={"model": "dragoman", "messages": said, "n": 2})
        d.post(root + "/chat/completions", json={"messages": said, "stream": True,
                                                 "stream_options": {"include_usage": True}})
        d.post(root + "/chat/completions", 400, json={"messages": []})
        d.post(root + "/completions", json={"model": "dragoman-de-en", "prompt": "Der Hund schläft."})
        d.post(root + "/completions", 501, json={"model": "dragoman-de-en", "prompt": "Der Hund", "stream": True})
    d.get("/models")
    for name in ("en-de", "dragoman-de-en"):
        d.get("/models/" + name)
    d.get("/models/none", 404)


def page(d):
    for path in ("/", "/index.html", "/app.js", "/app.css", "/worker.js", "/icon.svg", "/manifest.webmanifest"):
        d.get(path, 304, headers={"If-None-Match": d.get(path).headers["ETag"]})


def keys(tool, project, document):
    """Each interface has its own status for a key that is missing or wrong."""
    with Service(tool, project, environment={"DRAGOMAN_SERVE_KEYS": "right"}) as s:
        d = Described(s, document)
        german = {"source": "de", "target": "en"}
        for path, without, ask in (
                ("/v1/translate", 401, {"text": "Hund", "to": "en"}), ("/translate", 400, {"q": "Hund", **german}),
                ("/detect", 400, {"q": "Hund"}), ("/v2/translate", 403, {"text": ["Hund"], "target_lang": "EN"}),
                ("/language/translate/v2", 401, {"q": "Hund", "target": "en"}),
                ("/api/v4/translator", 401, {"text": "Hund", **german}),
                ("/models/opus-mt-de-en", 401, {"inputs": "Hund"}),
                ("/v1/chat/completions", 401, {"messages": []}),
                ("/translate/batch", 401, {"texts": ["Hund"], "to": "en"})):
            d.post(path, without, json=ask)
            wrong = 401 if path == "/translate/batch" else 403
            d.post(path, wrong, json=ask, headers={"Authorization": "Bearer wrong"})
        d.post("/translate", 401, json=[{"Text": "Hund"}], query={"api-version": "3.0", "to": "en"})
        d.get("/api/v1/de/en/Hund", 401)
        d.get("/v1/models", 401)
        d.get("/languages")
        d.get("/v1/info")


def less(tool, project, document):
    """What the operator has turned off, and where the service is below a path."""
    with Service(tool, project, "--no-page", "--no-documents", "--metrics", "--max-body", "2000", "--api-prefix", "/lt",
                 environment={"DRAGOMAN_SERVE_METRICS_TOKEN": "secret"}, wait=False) as s:
        d = Described(s, document, "/lt")
        d.get("/app.js", 404)
        d.get("/", 405)
        d.post("/suggest", 403, json={})
        d.post("/translate_file", 403, files=[DOCUMENT])
        d.post("/v1/documents", 403, form={"to": "en"}, files=[DOCUMENT])
        d.post("/v2/document", 403, form={"target_lang": "EN"}, files=[DOCUMENT])
        d.get("/metrics", 401)
        d.get("/metrics", headers={"Authorization": "Bearer secret"})
        long = {"q": "x" * 3000}
        for path in ("/v1/translate", "/translate", "/v2/translate", "/language/translate/v2", "/models/a",
                     "/completions"):
            d.post(path, 413, json=long)


def main(tool, project):
    with tempfile.TemporaryDirectory(prefix="dragoman-answers-") as folder:
        shipped, second = os.path.join(project, "models", "en-de"), os.path.join(folder, "second")
        os.symlink(shipped, second)
        with Service(tool, project, "--offline", "--suggestions", "--metrics", models=[shipped, second]) as s:
            document = s.get("/v1/openapi.json").json()
            d = Described(s, document)
            for part in (own_texts, own_faults, own_kept, own_models, libretranslate, shapes, deepl_texts,
                         deepl_documents, deepl_glossaries, deepl_memories, google, azure, mtranserver, small_ones,
                         openai, page):
                print(part.__name__, flush=True)
                part(d)
        same(d.unasked(), set(), "operations that were not asked:")
        unseen = {each for each in d.unseen() if each[0] != "Published"} - SOMETIMES
        same(unseen, RARE, "described fields that nothing had:")
    keys(tool, project, document)
    less(tool, project, document)


if __name__ == "__main__":
    main(*sys.argv[1:])
