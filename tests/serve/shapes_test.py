# SPDX-License-Identifier: Apache-2.0
"""The other services that `dragoman serve` imitates: the shapes of /translate, Google, nllb-api, Hugging Face, OpenAI,
Lingva.
shapes_test.py TOOL PROJECT"""
import json
import sys
import urllib.parse

from service import GERMAN, Service, check, error_text, events, ok, plain, same

TOOL, PROJECT = sys.argv[1:3]
ENGLISH = "The weather is very good today."
MANY = "Guten Morgen. Das Wetter ist heute sehr gut!\n\nWie geht es dir?  Mir geht es gut."


def nemo_curator(s):
    texts = [GERMAN, "Das ist gut."]
    answer = ok(s.post("/translate", json={"texts": texts, "src_lang": "de", "tgt_lang": "en"}))
    same(answer, {"translations": [plain(s, each) for each in texts]})
    same(ok(s.post("/translate", json={"texts": [], "src_lang": "de", "tgt_lang": "en"})), {"translations": []})
    same(error_text(s.post("/translate", json={"texts": texts, "src_lang": "de", "tgt_lang": "hi"}), 400),
         "hi is not supported")
    check(error_text(s.post("/translate", json={"texts": "one", "src_lang": 1, "tgt_lang": "en"}), 400))


def nllb_serve(s):
    given = {"source": [GERMAN, "Das ist gut."], "src_lang": "deu_Latn", "tgt_lang": "eng_Latn"}
    answer = ok(s.post("/translate", json=given))
    same(answer["translation"], [plain(s, each) for each in given["source"]])
    same((answer["source"], answer["src_lang"], answer["tgt_lang"], answer["time_units"]),
         (given["source"], "deu_Latn", "eng_Latn", "s"))
    check(answer["time_taken"] >= 0)
    two = "Guten Morgen. Das ist gut."
    whole = ok(s.post("/v1/translate", json={"text": two, "from": "de", "to": "en", "options": {"split_sentences": False}}))
    for split, text in ((False, whole["translations"][0]["text"]), (True, plain(s, two))):
        same(ok(s.post("/translate", json=dict(given, source=two, sen_split=split)))["translation"], [text])
    one = dict(given, source=GERMAN)  # as Subtitle Edit asks
    same(ok(s.post("/translate", json=one))["translation"], [plain(s)])
    pairs = [("source", GERMAN), ("source", "Das ist gut."), ("src_lang", "deu_Latn"), ("tgt_lang", "eng_Latn")]
    same(ok(s.post("/translate", form=pairs))["translation"], answer["translation"], "a field that repeats")
    same(ok(s.get("/translate", query=pairs))["translation"], answer["translation"])
    same(ok(s.get("/translate", json=given))["translation"], answer["translation"], "a body with GET")
    wrong = s.post("/translate", json=dict(given, tgt_lang="xyz_Latn"))
    same((wrong.status, wrong.text), (400, "xyz_Latn is not supported"))
    check(wrong.headers["Content-Type"].startswith("text/plain"), wrong.headers)


def deeplx(s):
    given = {"text": GERMAN, "source_lang": "DE", "target_lang": "EN"}
    answer = ok(s.post("/translate", json=given))
    same((answer["code"], answer["data"]), (200, plain(s)))
    check(0 < len(answer["alternatives"]) <= 3, answer)
    same(ok(s.post("/translate", json={"text": GERMAN, "target_lang": "EN"}))["source_lang"], "DE", "found")
    html = ok(s.post("/translate", json=dict(given, text="<p>Guten <b>Morgen</b></p>", tag_handling="html")))["data"]
    check(html.startswith("<p>") and "<b>" in html, html)
    wrong = s.post("/translate", json=dict(given, target_lang="XX"))
    same((wrong.status, wrong.json()), (400, {"code": 400, "message": "XX is not supported"}))


def immersive(s):
    given = {"source_lang": "auto", "target_lang": "en", "text_list": [GERMAN, "Das ist {0} gut <b0></b0>."]}
    answer = ok(s.post("/translate", json=given))["translations"]
    same([sorted(each) for each in answer], [["detected_source_lang", "text"]] * 2)
    same((answer[0]["detected_source_lang"], answer[0]["text"]), ("de", plain(s)))
    check("{0}" in answer[1]["text"] and "<b0></b0>" in answer[1]["text"], answer)
    mixed = ok(s.post("/translate", json={**given, "text_list": [GERMAN, ENGLISH, GERMAN]}))["translations"]
    same([each["detected_source_lang"] for each in mixed], ["de", "en", "de"])
    same([each["text"] for each in mixed], [plain(s), ENGLISH, plain(s)])


def single_models(s):
    """Shapes of services with one model, whose requests name no languages."""
    answer = ok(s.post("/translate", json={"id": 101, "src": GERMAN}))  # MTUOC
    same((answer["id"], answer["src"], answer["tgt"]), (101, GERMAN, plain(s)))
    for name in ("system_name", "src_tokens", "tgt_tokens", "src_subwords", "tgt_subwords", "alignment"):
        check(isinstance(answer[name], str) and answer[name], name, answer)
    links = [tuple(map(int, link.split("-"))) for link in answer["alignment"].split()]
    sources, targets = answer["src_tokens"].split(), answer["tgt_tokens"].split()
    check(links and all(a < len(sources) and b < len(targets) for a, b in links), answer)
    same(ok(s.get("/translate", query={"q": GERMAN}))["data"]["translation"], plain(s), "ModernMT")
    named = ok(s.get("/translate", query={"q": GERMAN, "source": "de", "target": "en"}))
    same(named["data"], {"translation": plain(s)})
    texts = [GERMAN, "Das ist gut."]
    answer = ok(s.post("/translate", json={"src": [{"text": each} for each in texts]}))  # NMT-Wizard
    same([each[0]["text"] for each in answer["tgt"]], [plain(s, each) for each in texts])
    for path in ("/translate", "/translator/translate"):  # OpenNMT-py
        answer = ok(s.post(path, json=[{"src": each, "id": 100} for each in texts]))
        same(len(answer), 1)
        same([each["tgt"] for each in answer[0]], [plain(s, each) for each in texts])
        same([each["src"] for each in answer[0]], texts)
        check(all(each["pred_score"] < 0 and each["n_best"] == 1 for each in answer[0]), answer)
        mixed = [{"src": ENGLISH, "src_lang": "en", "tgt_lang": "de"},
                 {"src": GERMAN, "src_lang": "de", "tgt_lang": "en"}, {"src": ENGLISH}]
        same([each["tgt"] for each in ok(s.post(path, json=mixed))[0]],
             [plain(s, ENGLISH, "en", "de"), plain(s), plain(s, ENGLISH, "en", "de")], "languages of each text")
    same(s.post("/translate", json=[{"text": "a"}]).json()["status"], "error")
    same(s.post("/translate", json={"src": [{}]}).status, 400)


def google(s):
    path = "/language/translate/v2"
    texts = [GERMAN, "Das ist gut."]
    wanted = [{"translatedText": plain(s, each)} for each in texts]
    given = {"q": texts, "source": "de", "target": "en", "format": "text"}
    same(ok(s.post(path, json=given)), {"data": {"translations": wanted}})
    pairs = [("q", texts[0]), ("q", texts[1]), ("source", "de"), ("target", "en"), ("format", "text"), ("key", "any")]
    same(ok(s.get(path, query=pairs)), {"data": {"translations": wanted}})
    same(ok(s.post(path, form=pairs)), {"data": {"translations": wanted}})
    # As google-cloud-translate sends it: HTML unless told otherwise, lists that are empty.
    sent = {"target": "en", "q": [GERMAN], "cid": [], "model": "nmt"}
    answer = ok(s.post(path, json=sent, query={"prettyPrint": "false"}))
    same(answer["data"]["translations"], [{"translatedText": plain(s), "detectedSourceLanguage": "de", "model": "nmt"}])
    mixed = ok(s.post(path, json={"q": [ENGLISH, GERMAN, ENGLISH], "target": "en"}))["data"]["translations"]
    same([each["detectedSourceLanguage"] for each in mixed], ["en", "de", "en"])
    same([each["translatedText"] for each in mixed], [ENGLISH, plain(s), ENGLISH])
    wrong = s.post(path, json={"q": [ENGLISH, GERMAN], "target": "fr"})
    same((wrong.status, wrong.json()["error"]["message"]), (400, "fr is not supported"))
    answer = ok(s.post(path, json={"q": "<p>Gut &amp; schön</p>", "source": "de", "target": "en"}))
    html = answer["data"]["translations"][0]["translatedText"]
    check(html.startswith("<p>") and "&amp;" in html, html)
    found = ok(s.post(path + "/detect", json={"q": [GERMAN, ENGLISH, "🎉"]}))["data"]["detections"]
    same([each[0]["language"] for each in found], ["de", "en", "und"])
    check(all(sorted(each[0]) == ["confidence", "isReliable", "language"] for each in found), found)
    same(ok(s.get(path + "/languages"))["data"]["languages"], [{"language": "en"}, {"language": "de"}])
    named = ok(s.get(path + "/languages", query={"target": "en"}))["data"]["languages"]
    same(named[1], {"language": "de", "name": "German"})
    for body, reason in (({"target": "en"}, "required"), ({"q": "a"}, "required"),
                         ({"q": "a", "target": "xx", "source": "de"}, "invalid"),
                         ({"q": "a", "target": "de", "format": "pdf"}, "invalid")):
        answer = s.post(path, json=body)
        same(answer.status, 400, repr(answer))
        error = answer.json()["error"]
        same((error["code"], error["status"], error["errors"][0]["reason"]), (400, "INVALID_ARGUMENT", reason))


def nllb_api(s):
    given = {"text": MANY, "source": "deu_Latn", "target": "eng_Latn"}
    wanted = plain(s, MANY)
    same(ok(s.get("/api/v4/translator", query=given)), {"result": wanted})
    same(ok(s.post("/api/v4/translator", json=given)), {"result": wanted})
    same(ok(s.post("/api/v2/translator", json=given)), {"result": wanted}, "Subtitle Edit's path")
    stream = s.get("/api/v4/translator/stream", query=given)
    same(stream.status, 200)
    check(stream.headers["Content-Type"].startswith("text/event-stream"), stream.headers)
    same("".join(data for _, data in events(stream.body)), wanted, "the pieces of a stream")
    check(len(events(stream.body)) > 1, stream)
    named = s.get("/api/v4/translator/stream", query=dict(given, event_type="piece"))
    same({name for name, _ in events(named.body)}, {"piece"})
    length = ok(s.get("/api/v4/translator/tokens", query={"text": GERMAN}))["length"]
    check(4 < length < 30, length)
    same(ok(s.get("/api/v4/language", query={"text": GERMAN}))["language"], "deu_Latn")
    for path in ("/api/v4/translator", "/api/v4/translator/stream"):
        answer = s.get(path, query=dict(given, target="xyz_Latn"))
        same((answer.status, answer.json()), (400, {"status_code": 400, "detail": "xyz_Latn is not supported"}), path)
    same(s.get("/api/v4/translator/stream", query=dict(given, event_type="a\nb")).status, 400)


def huggingface(s):
    wanted = [{"translation_text": plain(s)}]
    languages = {"src_lang": "de", "tgt_lang": "en"}
    same(ok(s.post("/", json={"inputs": GERMAN, "parameters": languages})), wanted)
    more = dict(languages, clean_up_tokenization_spaces=None, truncation="do_not_truncate", generate_parameters=None)
    same(ok(s.post("/", json={"inputs": GERMAN, "parameters": more})), wanted)
    searched = dict(languages, generate_parameters={"num_beams": 1, "max_new_tokens": 2, "top_k": None})
    short, = ok(s.post("/", json={"inputs": GERMAN, "parameters": searched}))
    check(0 < len(short["translation_text"]) < len(wanted[0]["translation_text"]), short)
    for name, value, status, why in (("nonsense", 1, 501, "generate_parameters: nonsense is not supported"),
                                     ("num_beams", 1000, 400, "beam_size"), ("num_beams", "four", 400, "beam_size")):
        wrong = dict(languages, generate_parameters={name: value})
        check(why in error_text(s.post("/", json={"inputs": GERMAN, "parameters": wrong}), status), name)
    same(ok(s.post("/models/Helsinki-NLP/opus-mt-de-en", json={"inputs": GERMAN})), wanted, "languages of the name")
    same(ok(s.post("/pipeline/translation/Helsinki-NLP/opus-mt-de-en", json={"inputs": GERMAN})), wanted)
    same(ok(s.post("/models/facebook/nllb-200-distilled-600M",
                   json={"inputs": GERMAN, "parameters": {"src_lang": "deu_Latn", "tgt_lang": "eng_Latn"}})), wanted)
    two = ok(s.post("/translate", json={"inputs": [GERMAN, "Das ist gut."], "parameters": languages}))
    same(two, wanted + [{"translation_text": plain(s, "Das ist gut.")}])
    same(ok(s.post("/", json={"inputs": [], "parameters": languages})), [])
    unknown = s.post("/models/unknown/model", json={"inputs": GERMAN})
    same(error_text(unknown, 404), "Model unknown/model does not exist")
    same(error_text(s.post("/", json={"parameters": languages}), 400), "Invalid request: missing inputs parameter")


WEBLATE = """
You are a highly skilled translation assistant, adept at translating text
from language '{source}'
to language '{target}'
with precision and nuance.
You always reply with translated string only.
"""


def chat(s, system, user, path="/v1/chat/completions", **more):
    messages = ([{"role": "system", "content": system}] if system else []) + [{"role": "user", "content": user}]
    return s.post(path, json=dict({"model": "gpt-4o", "messages": messages, "temperature": 0}, **more))


def content(answer):
    return ok(answer)["choices"][0]["message"]["content"]


def openai(s):
    models = ok(s.get("/models"))
    same(models["object"], "list")
    names = [each["id"] for each in models["data"]]
    check("dragoman-de-en" in names and "dragoman-en-de" in names, names)
    check(all(each["object"] == "model" for each in models["data"]))
    same({each["id"] for each in ok(s.get("/v1/models"))["data"]}, set(names), "the own interface's list")
    for root in ("", "/v1"):
        for listed in models["data"]:  # as models.retrieve() of OpenAI's library asks
            found = ok(s.get(root + "/models/" + listed["id"]))
            same({name: found.get(name) for name in listed}, listed)
        for name in ("none", "dragoman-en-en", "dragoman-en-fr", "dragoman-", "dragoman-en-de-"):
            same(s.get(f"{root}/models/{name}").status, 404, name)
    same(s.get("/models/none").json()["error"]["code"], "model_not_found")
    same(ok(s.get("/v1/models/en-de"))["name"], "en-de", "the own interface's fields")
    wanted = plain(s)
    answer = ok(chat(s, WEBLATE.format(source="de", target="en"), GERMAN))
    same(answer["object"], "chat.completion")
    same(answer["choices"], [{"index": 0, "message": {"role": "assistant", "content": wanted}, "logprobs": None,
                              "finish_reason": "stop"}])
    usage = answer["usage"]
    check(usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0, usage)
    same(content(chat(s, WEBLATE.format(source="de", target="en"), GERMAN, path="/chat/completions")), wanted)
    for system in ("You are a translator. Translate from German to English.", "Translate the text into English.",
                   "Translate German to English, and only that.", "Source language: German\nTarget language: English",
                   "source: de\ntarget: en",
                   "Please translate the following text from German to English, do not censor it.",
                   "Translate to **English**.", "Answer with a translation in English."):
        same(content(chat(s, system, GERMAN)), wanted, system)
    same(content(chat(s, "", GERMAN, model="dragoman-de-en")), wanted, "languages of the model")
    same(content(chat(s, "", "Translate the following text from German to English:\n\n" + GERMAN)), wanted)
    same(content(chat(s, "", "Translate to English: " + GERMAN)), wanted)
    parts = [{"type": "text", "text": "Guten Morgen, "}, {"type": "text", "text": "mein Freund."}]
    same(content(chat(s, WEBLATE.format(source="de", target="en"), parts)), wanted, "content in parts")
    two = ok(chat(s, WEBLATE.format(source="de", target="en"), GERMAN, n=2))["choices"]
    same(len(two), 2)
    check(two[0]["message"]["content"] == wanted != two[1]["message"]["content"], two)
    for field, value in (("logprobs", True), ("top_logprobs", 3), ("response_format", {"type": "json_object"})):
        wrong = chat(s, WEBLATE.format(source="de", target="en"), GERMAN, **{field: value})
        check(wrong.status == 501 and wrong.json()["error"]["message"].startswith(field + ": "), field, wrong)
    harmless = {"logprobs": False, "response_format": {"type": "text"}, "max_tokens": 100, "temperature": 0, "audio": None}
    same(content(chat(s, WEBLATE.format(source="de", target="en"), GERMAN, **harmless)), wanted)
    for field, value in (("n", 2), ("echo", True), ("suffix", "."), ("logprobs", 1)):
        wrong = s.post("/v1/completions", json={"model": "dragoman-de-en", "prompt": GERMAN, field: value})
        check(wrong.status == 501 and wrong.json()["error"]["message"].startswith(field + ": "), field, wrong)
    answer = ok(s.post("/v1/completions", json={"model": "dragoman-de-en", "prompt": [GERMAN, "Das ist gut."]}))
    same(answer["choices"][1]["text"], plain(s, "Das ist gut."))
    prompts = ["Translate English to German: " + ENGLISH, "Translate German to English: " + GERMAN,
               "Translate English to German: Good morning."]
    answer = ok(s.post("/v1/completions", json={"prompt": prompts}))
    same([each["text"] for each in answer["choices"]],
         [plain(s, ENGLISH, "en", "de"), wanted, plain(s, "Good morning.", "en", "de")], "languages of each prompt")
    same([each["index"] for each in answer["choices"]], [0, 1, 2])
    alone = [ok(s.post("/v1/completions", json={"prompt": each}))["usage"] for each in prompts]
    same(answer["usage"], {name: sum(each[name] for each in alone) for name in alone[0]}, "usage of all groups")
    wrong = s.post("/v1/completions", json={"prompt": [prompts[0], "Translate German to French: " + GERMAN]})
    same((wrong.status, wrong.json()["error"]["message"]), (400, "French is not supported"))


def weblate(s):
    separator = "\n==WEBLATE_PART==\n"
    texts = [GERMAN, "Das ist gut.", "Zwei\nZeilen"]
    prompt = WEBLATE.format(source="de", target="en")
    batch = content(chat(s, prompt, separator.join(texts)))
    same(batch.split(separator), [plain(s, each) for each in texts])
    placeholders = ["Klicken Sie auf @@PH1@@Speichern@@PH22@@.", "@@PH3@@ Dateien & <mehr>", "Ohne."]
    back = content(chat(s, prompt, separator.join(placeholders))).split(separator)
    same(len(back), 3)
    for text, names in zip(back, (["@@PH1@@", "@@PH22@@"], ["@@PH3@@", "&", "<", ">"], [])):
        check(all(text.count(name) == 1 for name in names), text)
        check("<x" not in text and "&lt;" not in text and "&amp;" not in text, text)
    terms = prompt + "\nUse the following glossary during the translation:\nFreund\tbuddy\n"
    check("buddy" in content(chat(s, terms, GERMAN)).lower(), "a glossary in the prompt")
    rephrase = prompt + "and you answer three rephrased translation strings separated by"
    others = content(chat(s, rephrase, GERMAN + separator + "Morning")).split(separator)
    check(1 < len(others) <= 3 and others[0] == plain(s), others)
    # The newer form: JSON in, a list of JSON out.
    message = {"source_language": "de", "target_language": "en", "glossary": [{"source": "Freund", "target": "buddy"}],
               "strings": [{"source": GERMAN, "parts": [{"type": "text", "text": GERMAN}]},
                           {"source": placeholders[0]}, {"source": "Ende.", "translation": "The end."}]}
    answer = json.loads(content(chat(s, "You are a translation engine.", json.dumps(message))))
    same(len(answer), 3)
    check("buddy" in answer[0].lower() and "@@PH1@@" in answer[1] and "@@PH22@@" in answer[1], answer)


def openai_stream(s):
    prompt = WEBLATE.format(source="de", target="en")
    stream = chat(s, prompt, MANY, stream=True, stream_options={"include_usage": True})
    same(stream.status, 200)
    check(stream.headers["Content-Type"].startswith("text/event-stream"), stream.headers)
    found = [data for _, data in events(stream.body)]
    same(found[-1], "[DONE]")
    chunks = [json.loads(data) for data in found[:-1]]
    check(all(chunk["object"] == "chat.completion.chunk" for chunk in chunks))
    same(chunks[0]["choices"][0]["delta"]["role"], "assistant")
    pieces = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks if chunk["choices"]]
    same("".join(pieces), plain(s, MANY), "the pieces of a stream")
    check(sum(1 for piece in pieces if piece) > 1, pieces)
    same([chunk["choices"][0]["finish_reason"] for chunk in chunks if chunk["choices"]][-1], "stop")
    check(chunks[-1]["usage"]["total_tokens"] > 0 and chunks[-1]["choices"] == [], chunks[-1])
    separator = "\n==WEBLATE_PART==\n"
    texts = [MANY, GERMAN, "Das @@PH1@@ gut."]
    for some in (texts[:2], texts):
        stream = chat(s, prompt, separator.join(some), stream=True)
        pieces = [json.loads(data)["choices"][0]["delta"].get("content", "") for _, data in events(stream.body)[:-1]]
        same("".join(pieces).split(separator)[1], plain(s, GERMAN), pieces)
        same(len("".join(pieces).split(separator)), len(some))


def gone_from_stream(s):
    """A client that leaves a stream, and one that never reads it."""
    system = {"role": "system", "content": "Translate from German to English."}
    long = " ".join(f"Das ist der Satz mit der Nummer {i}." for i in range(30))
    body = json.dumps({"model": "x", "stream": True, "messages": [system, {"role": "user", "content": long}]}).encode()
    head = (f"POST /chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    with s.socket(120) as silent:
        silent.sendall(head + body)
        for _ in range(3):
            with s.socket(120) as leaving:
                leaving.sendall((head + body).replace(b"Satz", b"Baum"))
                check(leaving.recv(9) == b"HTTP/1.1 ")
        check(plain(s) and s.process.poll() is None)
        received = b""
        while b"[DONE]" not in received:
            piece = silent.recv(65536)
            check(piece, "the stream ended early:", received[-300:])
            received += piece
    check(received.count(b"data: ") > 10, received[-300:])


def openai_errors(s):
    def problem(answer, status=400):
        same(answer.status, status, repr(answer))
        error = answer.json()["error"]
        same(sorted(error), ["code", "message", "param", "type"])
        return error["message"]

    check("which languages" in problem(chat(s, "You are helpful.", GERMAN)))
    same(problem(chat(s, WEBLATE.format(source="de", target="fr"), GERMAN)), "fr is not supported")
    same(problem(chat(s, "Translate from German to French.", GERMAN)), "French is not supported")
    check("messages" in problem(s.post("/v1/chat/completions", json={"model": "x"})))
    check("user" in problem(s.post("/v1/chat/completions", json={"model": "x", "messages": []})))
    picture = [{"type": "image_url", "image_url": {}}]
    check("image_url" in problem(chat(s, WEBLATE.format(source="de", target="en"), picture)))
    check("n is 0" in problem(chat(s, WEBLATE.format(source="de", target="en"), GERMAN, n=0)))
    same(problem(chat(s, WEBLATE.format(source="de", target="fr"), GERMAN, stream=True)), "fr is not supported")


def short_texts(s):
    """What is short looks like the target's language, too, and is translated nevertheless, whoever asks."""
    for text in ("Hello", "Hi", "Thank you"):
        wanted = plain(s, text, "en", "de")
        answer = ok(s.post("/translate", json={"q": text, "source": "auto", "target": "de"}))
        same((answer["translatedText"], answer["detectedLanguage"]["language"]), (wanted, "en"))
        listed = {"source_lang": "auto", "target_lang": "de", "text_list": [text]}
        same(ok(s.post("/translate", json=listed))["translations"], [{"detected_source_lang": "en", "text": wanted}])
        same(content(chat(s, "", "Translate to German: " + text)), wanted)
        deepl = ok(s.post("/v2/translate", json={"text": [text], "target_lang": "DE"}))["translations"]
        same(deepl, [{"detected_source_language": "EN", "text": wanted}])
        for more in ({}, {"glossary": {"station": "Bahnhof"}}):
            own = ok(s.post("/v1/translate", json={"text": text, "to": "de", **more}))
            same((own["translations"][0]["text"], own["detected"]["language"]), (wanted, "en"))


def cut_emojis(s):
    """Half of an emoji, as JSON.stringify() and json.dumps() write it, spoils neither its text nor those beside it."""
    def post(path, fields):
        return ok(s.post(path, body=json.dumps(fields).encode(), headers={"Content-Type": "application/json"}))

    for half in ("\ud83d", "\ude00"):
        answer = post("/translate", {"q": [GERMAN, "Gut gemacht " + half], "source": "de", "target": "en"})
        same(answer["translatedText"][0], plain(s))
        same(post("/v1/translate", {"text": [half, "\U0001f600"], "from": "en", "to": "en"})["translations"],
             [{"text": "\ufffd", "copied": True}, {"text": "\U0001f600", "copied": True}])
        strings = {"source_language": "de", "target_language": "en", "strings": [{"source": GERMAN}, {"source": half}]}
        chats = {"messages": [{"role": "user", "content": json.dumps(strings)}]}
        same(json.loads(post("/chat/completions", chats)["choices"][0]["message"]["content"])[0], plain(s))
    same(s.post("/translate", body=b'{"q": "a\\ud83d", "source": }',
                headers={"Content-Type": "application/json"}).status, 400)


def lingva(s):
    path = urllib.parse.quote(GERMAN, safe="")
    same(ok(s.get("/api/v1/de/en/" + path)), {"translation": plain(s)})
    answer = ok(s.get("/api/v1/auto/en/" + path))
    same((answer["translation"], answer["info"]), (plain(s), {"detectedSource": "de"}))
    same(ok(s.get("/api/v1/de/en/und/oder"))["translation"], plain(s, "und/oder"), "the rest of the path")
    for text in ("und/oder", "Guten Morgen.\nDas ist gut.", "C:\\Hund", "100 %2F + \u00fc", "../oder?#", "/Hund/"):
        escaped = urllib.parse.quote(text, safe="")
        same(ok(s.get("/api/v1/de/en/" + escaped))["translation"], plain(s, text), "encodeURIComponent()")
    for path in ("/api/v1/de/en%2FHund", "/api/v1/de%2Fen/Hund", "/api/v1%2Fde/en/Hund", "/api%2Fv1/de/en/Hund",
                 "/api/v1/de%2F/en/Hund", "/api/v1/de/en/..", "/api/v1/de/en/a%2F%ff", "/api/v1/languages%2Ftarget",
                 "/models%2Fa"):
        same(s.get(path).status, 400, path)
    same(error_text(s.get("/api/v1/de/xx/" + path), 400), "xx is not supported")
    check("Morgen" not in s.log and "und/oder" not in s.log, "texts in the log")
    languages = ok(s.get("/api/v1/languages"))["languages"]
    same([each["code"] for each in languages], ["auto", "en", "de"])
    same([each["code"] for each in ok(s.get("/api/v1/languages/target"))["languages"]], ["en", "de"])


def below_a_path():
    with Service(TOOL, PROJECT, "--api-prefix", "/lt/de", wait=False) as s:
        answer = ok(s.get("/lt/de/api/v1/de/de/und%2Foder%0A"))
        same(answer["translation"], "und/oder\n", "the text of a path below another")
        same(s.get("/lt%2Fde/api/v1/de/de/Hund").status, 400)


def keyed():
    """Each service has its key where its clients send it, and its own form of errors."""
    with Service(TOOL, PROJECT, environment={"DRAGOMAN_SERVE_KEYS": "right"}) as s:
        path, body = "/language/translate/v2", {"q": GERMAN, "source": "de", "target": "en"}
        same(s.post(path, json=body, query={"key": "right"}).status, 200)
        same(s.post(path, json=body, headers={"X-goog-api-key": "right"}).status, 200)
        wrong = s.post(path, json=body, query={"key": "wrong"})
        same((wrong.status, wrong.json()["error"]["status"]), (403, "PERMISSION_DENIED"))
        prompt = {"role": "system", "content": "Translate from German to English."}
        given = {"model": "x", "messages": [prompt, {"role": "user", "content": GERMAN}]}
        same(s.post("/v1/chat/completions", json=given, headers={"Authorization": "Bearer right"}).status, 200)
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            answer = s.post("/v1/chat/completions", json=given, headers=headers)
            check(answer.status in (401, 403), answer)
            same(answer.json()["error"]["code"], "invalid_api_key")
        check(s.post("/", json={"inputs": GERMAN}).status in (401, 403))


def main():
    with Service(TOOL, PROJECT) as s:
        for each in (nemo_curator, nllb_serve, deeplx, immersive, single_models, google, nllb_api, huggingface, openai,
                     weblate, openai_stream, gone_from_stream, openai_errors, short_texts, cut_emojis, lingva):
            each(s)
            print(each.__name__)
    below_a_path()
    keyed()


main()
