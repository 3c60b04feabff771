#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package deepl, every call that it has, and its command, against a running service: deepl_client.py URL [KEY]"""
import importlib.metadata
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

import deepl

from checks import BOAT, BOOT, HAT, HUT, Checks

if len(sys.argv) not in (2, 3):
    sys.exit(f"usage: {sys.argv[0]} URL [KEY]")
url = sys.argv[1].rstrip("/") + "/"
key = sys.argv[2] if len(sys.argv) == 3 else "none"
checks = Checks("deepl", importlib.metadata.version("deepl"))
client = deepl.DeepLClient(key, server_url=url)
folder = tempfile.TemporaryDirectory(prefix="deepl-client-")
place = pathlib.Path(folder.name)

TMX = f"""<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="t" adminlang="en" srclang="en"
 datatype="plaintext"/><body>
<tu><tuv xml:lang="en"><seg>{HAT}</seg></tuv><tuv xml:lang="de"><seg>Ein Hut ziert sie.</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Second of two.</seg></tuv><tuv xml:lang="de"><seg>Zweites von beiden.</seg></tuv></tu>
</body></tmx>
"""


def text(source, target="de", **options):
    return client.translate_text(source, target_lang=target, **options).text


def refused(what, make, name, kind=deepl.DeepLException):
    checks.raises(what, make, f"{kind.__name__} that names {name}",
                  lambda error: isinstance(error, kind) and name in str(error))


def texts():
    checks.call("text", lambda: text(BOAT, source_lang="en"), BOOT)
    checks.call("text, source unknown", lambda: client.translate_text(BOAT, target_lang="DE"), "EN is found, 17 characters",
                lambda answer: (answer.text, answer.detected_source_lang, answer.billed_characters) == (BOOT, "EN", 17))
    checks.call("texts", lambda: [each.text for each in client.translate_text([HAT, BOAT], target_lang="DE")], [HUT, BOOT])
    checks.call("texts in two languages", lambda: [each.detected_source_lang for each in client.translate_text(
        ["Where is the old railway station, please?", "Der alte Bahnhof ist heute leider geschlossen."],
        target_lang="EN-US")], ["EN", "DE"])
    checks.call("a region", lambda: text(BOOT, "EN-GB", source_lang="DE"), "English", lambda answer: "boat" in answer.lower())
    checks.call("context", lambda: text(BOAT, context="A song of Tuesday."), BOOT)
    for split in deepl.SplitSentences:
        checks.call(f"split_sentences {split}", lambda: text(f"{BOAT}\n{HAT}", split_sentences=split, source_lang="EN"),
                    "both sentences", lambda answer: BOOT in answer and HUT in answer)
    for preserve in (False, True):
        checks.call(f"preserve_formatting {preserve}", lambda: text(BOAT, preserve_formatting=preserve), BOOT)
    for formality in (deepl.Formality.DEFAULT, deepl.Formality.PREFER_MORE, deepl.Formality.PREFER_LESS):
        checks.call(f"formality {formality}", lambda: text(BOAT, formality=formality), BOOT)
    for formality in (deepl.Formality.MORE, deepl.Formality.LESS):
        refused(f"formality {formality}", lambda: text(BOAT, formality=formality), "formality")
    for kind in deepl.ModelType:
        checks.call(f"model_type {kind}", lambda: client.translate_text(BOAT, target_lang="DE", model_type=kind),
                    "with the type used", lambda answer: answer.text == BOOT and answer.model_type_used in str(kind))
    refused("style_rule", lambda: text(BOAT, style_rule="one"), "style_id")
    refused("custom_instructions", lambda: text(BOAT, custom_instructions=["Be kind."]), "custom_instructions")
    refused("an unknown language", lambda: text(BOAT, "ZZ"), "ZZ")
    refused("an unknown source", lambda: text(BOAT, source_lang="QQ"), "QQ")
    checks.call("more fields", lambda: text(BOAT, extra_body_parameters={"enable_beta_languages": True}), BOOT)


def tags():
    checks.call("html", lambda: text(f"<p>{HAT}</p>", tag_handling="html", source_lang="EN"), f"<p>{HUT}</p>")
    for version in ("v1", "v2"):
        checks.call(f"xml, tag_handling_version {version}", lambda: text(f'<d a="1">{HAT}</d>', tag_handling="xml",
                    tag_handling_version=version, source_lang="EN"), f'<d a="1">{HUT}</d>')
    checks.call("ignore_tags", lambda: text('Hello <x id="1"/>, this is <keep>The Boat</keep>.', tag_handling="xml",
                                            ignore_tags="x,keep", source_lang="EN"), "both as they are",
                lambda answer: '<x id="1"/>' in answer and "<keep>The Boat</keep>" in answer and "Hallo" in answer)
    checks.call("non_splitting_tags", lambda: text("<par>The boat </par><par>is full.</par>", tag_handling="xml",
                non_splitting_tags=["par"], source_lang="EN"), "a sentence over two elements",
                lambda answer: answer.count("<par>") == 2 and
                answer.replace("<par>", "").replace("</par>", "").replace("  ", " ") == BOOT)
    checks.call("splitting_tags, no outline", lambda: text(f"<d>{BOAT}<cut/>{HAT}</d>", tag_handling="xml",
                outline_detection=False, splitting_tags=["cut"], source_lang="EN"), f"<d>{BOOT}<cut/>{HUT}</d>")
    refused("ignore_tags without tag_handling", lambda: text(BOAT, ignore_tags=["x"]), "ignore_tags")
    refused("broken xml", lambda: text("<a>one</b>", tag_handling="xml"), "</b>")


def languages():
    checks.call("source languages", lambda: {each.code: each.name for each in client.get_source_languages()},
                "English and German", lambda got: got["EN"] == "English" and got["DE"] == "German")
    checks.call("target languages", lambda: {each.code for each in client.get_target_languages()}, "DE, EN-GB, EN-US",
                lambda got: {"DE", "EN-GB", "EN-US"} <= got)
    checks.call("pairs of glossaries", lambda: {(each.source_lang, each.target_lang) for each in
                                                client.get_glossary_languages()}, "en to de, de to en",
                lambda got: {("en", "de"), ("de", "en")} <= got)
    checks.call("usage", client.get_usage, "characters below their limit", lambda usage: usage.character.valid and
                usage.character.count > 0 and not usage.any_limit_reached)


def glossaries():
    made = checks.call("glossary", lambda: client.create_glossary("one", "EN", "DE", {"boat": "Kahn", "hat": "Mütze"}),
                       "with two entries", lambda answer: (answer.entry_count, answer.source_lang, answer.ready) ==
                       (2, "EN", True))
    if not made:
        return
    checks.call("glossary in a text", lambda: text(BOAT, source_lang="EN", glossary=made), "its term",
                lambda answer: "Kahn" in answer)
    checks.call("glossary_ids in a text", lambda: text(HAT, source_lang="EN", glossary_ids=[made]), "its term",
                lambda answer: "Mütze" in answer)
    checks.call("a glossary", lambda: client.get_glossary(made.glossary_id).name, "one")
    checks.call("glossaries", lambda: [each.glossary_id for each in client.list_glossaries()], "with this one",
                lambda got: made.glossary_id in got)
    checks.call("its entries", lambda: client.get_glossary_entries(made), {"boat": "Kahn", "hat": "Mütze"})
    from_table = checks.call("glossary of CSV", lambda: client.create_glossary_from_csv(
        "two", "DE", "EN", 'Kahn,barge\n"Mütze, alte",cap\n'), "with two entries", lambda answer: answer.entry_count == 2)
    if from_table:
        checks.call("its deletion", lambda: client.delete_glossary(from_table), None)
    refused("a glossary without source", lambda: client.translate_text(
        BOAT, target_lang="DE", extra_body_parameters={"glossary_id": made.glossary_id}), "source_lang")
    checks.call("deletion", lambda: client.delete_glossary(made.glossary_id), None)
    refused("a deleted glossary", lambda: client.get_glossary(made.glossary_id), "found", deepl.GlossaryNotFoundException)
    refused("a deleted glossary in a text", lambda: text(BOAT, source_lang="EN", glossary=made), "glossary")


def multilingual_glossaries():
    entries = deepl.api_data.MultilingualGlossaryDictionaryEntries
    made = checks.call("v3 glossary", lambda: client.create_multilingual_glossary(
        "many", [entries("EN", "DE", {"boat": "Kahn"}), entries("DE", "EN", {"Kahn": "barge"})]), "of two pairs",
        lambda answer: len(answer.dictionaries) == 2)
    if not made:
        return
    checks.call("v3 glossary in a text", lambda: text(BOAT, source_lang="EN", glossary=made), "its term",
                lambda answer: "Kahn" in answer)
    checks.call("v3 name", lambda: client.update_multilingual_glossary_name(made, "more").name, "more")
    checks.call("v3 more entries", lambda: client.update_multilingual_glossary_dictionary(
        made, entries("EN", "DE", {"hat": "Mütze"})), "of two pairs", lambda answer: len(answer.dictionaries) == 2)
    checks.call("v3 more entries of CSV", lambda: client.update_multilingual_glossary_dictionary_from_csv(
        made, "EN", "DE", "car,Wagen\n"), "of two pairs", lambda answer: len(answer.dictionaries) == 2)
    checks.call("v3 entries", lambda: deepl.util.convert_tsv_to_dict(client.get_multilingual_glossary_entries(
        made, "EN", "DE").dictionaries[0].entries), {"boat": "Kahn", "hat": "Mütze", "car": "Wagen"})
    checks.call("v3 replaces", lambda: client.replace_multilingual_glossary_dictionary(
        made, entries("EN", "DE", {"hat": "Kappe"})).entry_count, 1)
    checks.call("v3 replaces by CSV", lambda: client.replace_multilingual_glossary_dictionary_from_csv(
        made, "EN", "DE", "hat,Kappe\nboat,Kahn\n").entry_count, 2)
    checks.call("v3 a glossary", lambda: client.get_multilingual_glossary(made.glossary_id).name, "more")
    checks.call("v3 glossaries", lambda: [each.glossary_id for each in client.list_multilingual_glossaries()],
                "with this one", lambda got: made.glossary_id in got)
    checks.call("v3 without a pair", lambda: client.delete_multilingual_glossary_dictionary(
        made, source_lang="DE", target_lang="EN"), None)
    checks.call("v3 one pair is left", lambda: len(client.get_multilingual_glossary(made.glossary_id).dictionaries), 1)
    checks.call("v3 glossary of CSV", lambda: client.create_multilingual_glossary_from_csv("csv", "EN", "DE", "a,b\n"),
                "of a pair", lambda answer: client.delete_multilingual_glossary(answer) is None)
    checks.call("v3 deletion", lambda: client.delete_multilingual_glossary(made), None)
    refused("v3 a deleted glossary", lambda: client.get_multilingual_glossary(made.glossary_id), "found",
            deepl.GlossaryNotFoundException)


def documents():
    def translated(name, content, **options):
        output = io.BytesIO()
        status = client.translate_document(content, output, target_lang="DE", source_lang="EN", filename=name,
                                           **options)
        return status.billed_characters, output.getvalue()

    checks.call("document of text", lambda: translated("one.txt", (HAT + "\n").encode()), "translated, 21 characters at least",
                lambda answer: answer[1].decode() == HUT + "\n" and answer[0] >= len(HAT))
    checks.call("document of HTML", lambda: translated("one.html", f"<p>{HAT}</p>".encode()), "translated",
                lambda answer: f"<p>{HUT}</p>" in answer[1].decode())
    source = place / "file.txt"
    source.write_text(BOAT + "\n", encoding="utf-8")
    checks.call("document by its path", lambda: (client.translate_document_from_filepath(
        source, place / "out.txt", target_lang="DE", source_lang="EN"), (place / "out.txt").read_text(encoding="utf-8"))[1],
        BOOT + "\n")
    handle = checks.call("upload", lambda: client.translate_document_upload(source.open("rb"), target_lang="DE",
                                                                            source_lang="EN"), "id and key",
                         lambda answer: answer.document_id and answer.document_key)
    if handle:
        checks.call("its state", lambda: client.translate_document_wait_until_done(handle), "done",
                    lambda status: status.done and status.ok and status.billed_characters > 0)
        refused("a wrong key", lambda: client.translate_document_get_status(
            deepl.DocumentHandle(handle.document_id, "0" * len(handle.document_key))), "Not found")
        checks.call("its result", lambda: client.translate_document_download(handle).content.decode(), BOOT + "\n")
        refused("its result again", lambda: client.translate_document_download(handle), "Not found")
    refused("another format", lambda: translated("one.txt", b"One.", output_format="docx"), "output_format",
            Exception)
    refused("a document that is none", lambda: translated("one.docx", b"no archive"), "", Exception)
    refused("a document of an unknown language", lambda: client.translate_document_upload(
        b"One.", filename="one.txt", target_lang="ZZ"), "ZZ")
    word = io.BytesIO()
    with zipfile.ZipFile(word, "w") as archive:
        archive.writestr("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                         '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.'
                         'wordprocessingml.document.main+xml"/></Types>')
        archive.writestr("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                         '<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
                         'officeDocument" Target="word/document.xml"/></Relationships>')
        archive.writestr("word/document.xml", '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/'
                         f'main"><w:body><w:p><w:r><w:t>{HAT}</w:t></w:r></w:p></w:body></w:document>')

    def of_word():
        with zipfile.ZipFile(io.BytesIO(translated("one.docx", word.getvalue())[1])) as archive:
            return archive.read("word/document.xml").decode()
    checks.call("document of Word", of_word, "translated", lambda answer: f">{HUT}<" in answer)


def memories():
    path = place / "memory.tmx"
    path.write_text(TMX, encoding="utf-8")
    job = checks.call("import of TMX", lambda: client.import_translation_memory_from_filepath(
        path, display_name="mine", timeout_s=60), "completed", lambda answer: answer.ok and answer.result.translation_memory_id)
    if not job:
        return
    id = job.result.translation_memory_id
    checks.call("memories", lambda: [each.translation_memory_id for each in client.list_translation_memories()],
                "with this one", lambda got: id in got)
    checks.call("memories by pages", lambda: client.list_translation_memories(page=1000, page_size=25), [])
    memory = checks.call("a memory", lambda: client.get_translation_memory(id), "its languages and segments",
                         lambda answer: (answer.name, answer.source_language, answer.target_languages,
                                         answer.segment_count) == ("mine", "en", ["de"], 2))
    checks.call("segments", lambda: [(each.source_text, each.targets[0].target_text) for each in
                                     client.list_translation_memory_segments(id)], "both",
                lambda got: (HAT, "Ein Hut ziert sie.") in got and len(got) == 2)
    first = checks.call("a page of segments", lambda: client.list_translation_memory_segments(id, page_size=1),
                        "one, and a cursor", lambda answer: len(answer) == 1 and answer.next_page_cursor)
    if first:
        checks.call("the last page", lambda: client.list_translation_memory_segments(
            id, page_size=1, page_cursor=first.next_page_cursor), "one, no cursor",
            lambda answer: len(answer) == 1 and answer.next_page_cursor is None)
    checks.call("filtered segments", lambda: [each.source_text for each in client.list_translation_memory_segments(
        id, filter_text="SECOND OF")], ["Second of two."])
    checks.call("filtered by case", lambda: len(client.list_translation_memory_segments(
        id, filter_text="SECOND OF", filter_case_sensitive=True)), 0)
    checks.call("memory in a text", lambda: text(HAT, source_lang="EN", translation_memory=memory,
                                                 translation_memory_threshold=75), "Ein Hut ziert sie.")
    checks.call("export", lambda: (client.export_translation_memory_to_filepath(id, place / "out.tmx"),
                                   (place / "out.tmx").read_text(encoding="utf-8"))[1], "its segments",
                lambda tmx: "Ein Hut ziert sie." in tmx and "Zweites von beiden." in tmx)
    checks.call("export again", lambda: client.create_translation_memory_export(id), "the one that is there",
                lambda answer: answer.reused_existing)
    broken = checks.call("import of something else", lambda: client.create_translation_memory_import("no.tmx", 5),
                         "a job", lambda answer: answer.job_id)
    if broken:
        checks.call("a job that waits", lambda: client.get_translation_memory_job(broken.job_id), "awaiting_input",
                    lambda answer: answer.status == "awaiting_input" and answer.result.required_action)
        checks.call("its file", lambda: client.upload_translation_memory_file(broken, b"<tmx>"), None)
        checks.call("a job that failed", lambda: client.wait_until_translation_memory_job_done(broken.job_id),
                    "failed, with a reason", lambda answer: not answer.ok and answer.result.error_message)
    checks.call("deletion of a memory", lambda: client.delete_translation_memory(id), None)
    refused("a deleted memory", lambda: client.get_translation_memory(id), "Not found")


def what_is_not_there():
    refused("rephrase", lambda: client.rephrase_text(HUT, target_lang="DE"), "write")
    refused("correct", lambda: client.correct_text(HUT), "write")
    refused("style rules", client.get_all_style_rules, "style rules")
    refused("a style rule", lambda: client.get_style_rule("one"), "style rules")
    refused("a new style rule", lambda: client.create_style_rule("one", "de"), "style rules")
    if len(sys.argv) == 3:
        refused("a wrong key", lambda: deepl.DeepLClient("wrong", server_url=url).get_usage(), "Authorization",
                deepl.AuthorizationException)
    body = urllib.request.Request(url + "v3/languages?resource=translate_text", headers=client.headers)
    checks.call("v3 languages", lambda: urllib.request.urlopen(body).read().decode(), "de",
                lambda answer: '"lang":"de"' in answer)


def command():
    environment = dict(os.environ, DEEPL_AUTH_KEY=key, DEEPL_SERVER_URL=url)

    def run(*arguments, **options):
        done = subprocess.run([sys.executable, "-m", "deepl", *arguments], env=environment, text=True, encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    checks.call("command: text", lambda: run("text", "--to", "DE", "--from", "EN", BOAT, HAT), f"{BOOT}\n{HUT}")
    checks.call("command: text with facts", lambda: run(
        "text", "--to", "DE", "--show-detected-source", "--show-billed-characters", "--show-model-type-used", BOAT), "facts",
        lambda answer: answer.splitlines() == ["Detected source language: EN", "Billed characters: 17",
                                               "Model type used: latency_optimized", BOOT])
    checks.call("command: tags", lambda: run("text", "--to", "DE", "--tag-handling", "xml", "--ignore-tags", "x",
                                             f"<d>{HAT} <x>keep</x></d>"), "kept",
                lambda answer: "<x>keep</x>" in answer and HUT in answer)
    checks.call("command: usage", lambda: run("usage"), "characters", lambda answer: "Characters: " in answer)
    checks.call("command: languages", lambda: run("languages"), "English", lambda answer: "EN: English" in answer)
    checks.call("command: pairs", lambda: run("languages", "--glossary"), "en, de", lambda answer: "en, de" in answer)
    source = place / "command.txt"
    source.write_text(BOAT + "\n", encoding="utf-8")
    checks.call("command: document", lambda: (run("document", "--to", "DE", str(source), str(place / "done")),
                (place / "done" / "command.txt").read_text(encoding="utf-8"))[1], BOOT + "\n")
    made = checks.call("command: glossary", lambda: run("glossary", "create", "--name", "cli", "--from", "EN", "--to", "DE",
                                                        "boat=Kahn"), "made", lambda answer: "cli" in answer)
    if made:
        id = made.split("(")[1].split(")")[0]
        checks.call("command: glossary list", lambda: run("glossary", "list"), "with it", lambda answer: id in answer)
        checks.call("command: glossary entries", lambda: run("glossary", "entries", id), "boat\tKahn")
        checks.call("command: glossary delete", lambda: run("glossary", "delete", id), "deleted",
                    lambda answer: "deleted" in answer)
    checks.call("command: memory list", lambda: run("translation-memory", "list"), "a table", lambda answer: answer)


for part in (texts, tags, languages, glossaries, multilingual_glossaries, documents, memories, what_is_not_there, command):
    part()
folder.cleanup()
checks.report()
