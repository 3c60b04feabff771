#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service's own interface: own_test.py TOOL PROJECT"""
import json
import signal
import sys
import threading
import time

from service import Service, check, events, same

TEXT = "Der Hund schl\u00e4ft \U0001f600 im Garten. Die Katze sitzt auf dem Dach."
TMX = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="de"
 datatype="plaintext"/><body><tu><tuv xml:lang="de"><seg>Das ist unser Leitspruch.</seg></tuv><tuv xml:lang="en"><seg>This
 motto is ours alone.</seg></tuv></tu></body></tmx>"""


def problem(answer, status, code, field=None):
    same(answer.status, status, repr(answer))
    error = answer.json()["error"]
    same(error["code"], code, repr(answer))
    check(error["message"], answer)
    if field:
        same(error.get("field"), field, repr(answer))


def translate(s, **fields):
    answer = s.post("/v1/translate", json={"to": "en", "from": "de", **fields})
    same(answer.status, 200, repr(answer))
    return answer.json()


def slices(text, ranges, unit):
    data = {"bytes": text.encode(), "utf16": text.encode("utf-16-le"), "codepoints": text}[unit]
    width = 2 if unit == "utf16" else 1
    cut = [data[begin * width:end * width] for begin, end in ranges]
    return [each if unit == "codepoints" else each.decode("utf-16-le" if unit == "utf16" else "utf-8") for each in cut]


def translations(s):
    one = translate(s, text="Guten Morgen.")
    same((one["from"], one["to"], len(one["translations"])), ("de", "en", 1))
    check(one["translations"][0]["text"].strip() and "sentences" not in one["translations"][0], one)
    same(one["models"], ["en-de"])
    same(one["characters"], 13)
    many = translate(s, text=["Guten Morgen.", "Der Hund schl\u00e4ft."])
    same(many["translations"][0]["text"], one["translations"][0]["text"])
    same(len(many["translations"]), 2)
    same(translate(s, text=[])["translations"], [])
    found = s.post("/v1/translate", json={"to": "en", "text": "Ich habe heute leider keine Zeit f\u00fcr dich."}).json()
    same(found["detected"]["language"], "de")
    check(0 < found["detected"]["confidence"] <= 1, found)
    for text in ("This is English already, and stays as it is.", "\U0001f600", ""):
        same(s.post("/v1/translate", json={"to": "en", "text": text, "quality": True, "alternatives": 2}).json()["translations"],
             [{"text": text, "copied": True, "alternatives": [], "sentences": []}])
    form = s.post("/v1/translate", form={"text": "Guten Morgen.", "from": "de", "to": "en"})
    same(form.json()["translations"], one["translations"])


def everything(s):
    for unit in ("bytes", "codepoints", "utf16"):
        got = translate(s, text=TEXT, offsets=unit, scores=True, quality=True, coverage=True, alignment=True, tokens=True,
                        alternatives=2, options={"beam_size": 4})["translations"][0]
        same(slices(TEXT, [each["source"] for each in got["sentences"]], unit),
             ["Der Hund schl\u00e4ft \U0001f600 im Garten.", "Die Katze sitzt auf dem Dach."])
        targets = slices(got["text"], [each["target"] for each in got["sentences"]], unit)
        same(" ".join(targets), got["text"])
        first = got["sentences"][0]
        words = slices(TEXT, first["alignment"]["source_words"], unit)
        check(words[:2] == ["Der", "Hund"] and "Garten" in words, words)
        weights = first["alignment"]["weights"]
        same(len(weights), len(first["alignment"]["target_words"]))
        same({len(row) for row in weights}, {len(words)})
        check(all(0 <= word["quality"] <= 1 for word in first["words"]), first)
        check(0 < got["quality"] <= 1 and got["score"] < 0 and 0 < first["coverage"]["share"] <= 1, got)
        check(got["pharaoh"] and got["tokens"]["source"] and got["tokens"]["target_ranges"], got)
        texts = [got["text"], *(each["text"] for each in got["alternatives"])]
        same(len(set(texts)), len(texts))
        check(len(texts) > 1, texts)


def markup(s):
    got = translate(s, text="<p>Der <b>Hund</b> schl\u00e4ft.</p>", markup="html", sentences=True)["translations"][0]
    check(got["text"].startswith("<p>") and "<b>" in got["text"], got)
    same(got["plain_source"].strip(), "Der Hund schl\u00e4ft.")
    check("<" not in got["plain_text"], got)
    text = ("<p><b>Gr\u00f6\u00dfe</b> \u00fcberall k\u00f6nnen wir sp\u00e4ter \u00e4ndern. "
            "<i>Die Stra\u00dfe ist sch\u00f6n.</i></p>")
    for unit in ("bytes", "codepoints", "utf16"):
        asked = {"text": text, "from": "de", "to": "en", "markup": "html", "sentences": True, "offsets": unit}
        stream = s.post("/v1/translate", json={**asked, "stream": True})
        told = [(name, json.loads(data)) for name, data in events(stream.body)]
        sentences = told[-1][1]["translations"][0]["sentences"]
        seen = [data for name, data in told if name == "sentence"]
        same((told[-1][0], len(seen), len(sentences)), ("result", 2, 2), told)
        for data in seen:
            same(data.get("source"), sentences[data["sentence"]]["source"] if unit == "bytes" else None, unit)


def terms_and_memories(s):
    for given in ({"Hund": "hound"}, [["Hund", "hound"]]):
        got = translate(s, text="Der Hund schl\u00e4ft.", glossary=given)["translations"][0]
        check("hound" in got["text"].lower(), got)
        same(got["terms"], [{"source": [4, 8], "sentence": 0, "met": True}])
    made = s.post("/v1/glossaries", json={"name": "Animals", "from": "DE", "to": "en", "entries": {"Hund": "hound"}})
    same(made.status, 201, repr(made))
    id = made.json()["id"]
    check("hound" in translate(s, text="Der Hund schl\u00e4ft.", glossary=id)["translations"][0]["text"].lower(), id)
    same([each["id"] for each in s.get("/v1/glossaries").json()["glossaries"]], [id])
    same(s.get(f"/v1/glossaries/{id}").json()["dictionaries"],
         [{"from": "de", "to": "en", "count": 1, "entries": [["Hund", "hound"]]}])
    merged = s.patch(f"/v1/glossaries/{id}", json={"name": "Beasts", "merge": True, "dictionaries": [
        {"from": "de", "to": "en", "entries": "Katze\tfeline\n"}]})
    same((merged.json()["name"], merged.json()["dictionaries"][0]["count"]), ("Beasts", 2), repr(merged))
    replaced = s.put(f"/v1/glossaries/{id}", json={"dictionaries": [
        {"from": "en", "to": "de", "entries": [["dog", "K\u00f6ter"]]}]})
    same(replaced.json()["dictionaries"], [{"from": "en", "to": "de", "count": 1}], repr(replaced))
    for source, target in (("deu", "English"), ("German", "fr_FR"), ("pt_BR", "zh-CN"), ("DE", "EN")):
        answer = s.put(f"/v1/glossaries/{id}", json={"from": source, "to": target, "entries": {"Hund": "hound"}})
        same((answer.status, [each["count"] for each in answer.json()["dictionaries"]]), (200, [1]), source)
        same(s.get(f"/v1/glossaries/{id}").json()["dictionaries"][0]["entries"], [["Hund", "hound"]], source)
    same(replaced_at_once(s, id), [1], "dictionaries of a glossary that two replaced;")
    same(s.delete(f"/v1/glossaries/{id}").status, 204)
    problem(s.get(f"/v1/glossaries/{id}"), 404, "not_found")

    memory = s.post("/v1/memories", query={"name": "House"}, body=TMX.encode(),
                    headers={"Content-Type": "application/xml"})
    same(memory.status, 201, repr(memory))
    id = memory.json()["id"]
    got = translate(s, text="Das ist unser Leitspruch.", memory=id)["translations"][0]
    check("from_memory" in got["sentences"][0]["marks"], got)
    check("motto" in got["text"], got)
    same(s.get(f"/v1/memories/{id}/segments", query={"filter": "leitspruch"}).json()["segments"][0]["from"], "de")
    check(b"Leitspruch" in s.get(f"/v1/memories/{id}/tmx").body, "tmx")
    same(s.delete(f"/v1/memories/{id}").status, 204)
    problem(s.get(f"/v1/memories/{id}"), 404, "not_found")


def replaced_at_once(s, id):
    """How many dictionaries a glossary was seen with while two clients replaced them."""
    seen = set()

    def replace(target):
        for _ in range(40):
            answer = s.put(f"/v1/glossaries/{id}", json={"from": "en", "to": target, "entries": {"dog": "x"}})
            seen.add(len(answer.json()["dictionaries"]))
            seen.add(len(s.get(f"/v1/glossaries/{id}").json()["dictionaries"]))

    threads = [threading.Thread(target=replace, args=(target,)) for target in ("de", "fr")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(seen)


def streams(s):
    asked = {"text": TEXT, "from": "de", "to": "en", "offsets": "utf16", "quality": True}
    answer = s.post("/v1/translate", json={**asked, "stream": True})
    same(answer.headers["Content-Type"], "text/event-stream; charset=utf-8")
    got = [(name, json.loads(data)) for name, data in events(answer.body)]
    kinds = [name for name, _ in got]
    same(kinds[-1], "result")
    check(set(kinds) <= {"partial", "sentence", "result"} and kinds.count("sentence") == 2, kinds)
    plain = translate(s, **asked)
    same(got[-1][1], plain)
    for name, data in got:
        if name == "sentence":
            sentence = plain["translations"][0]["sentences"][data["sentence"]]
            same(data["source"], sentence["source"])
            same(data["text"], slices(plain["translations"][0]["text"], [sentence["target"]], "utf16")[0])
    quiet = s.post("/v1/translate", json={**asked, "partial": False}, headers={"Accept": "text/event-stream"})
    same([name for name, _ in events(quiet.body)], ["sentence", "sentence", "result"])
    refused = s.post("/v1/translate", json={**asked, "to": "xx", "stream": True})
    problem(refused, 400, "unsupported_language")
    with s.socket() as connection:  # a client that goes in the middle leaves nothing behind
        body = json.dumps({**asked, "text": [f"Das ist Satz {i} von vielen." for i in range(2000)], "stream": True}).encode()
        connection.sendall(b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(body) + body)
        head = connection.recv(1000)
        check(head.startswith(b"HTTP/1.1 200"), head)
    same(translate(s, text="Guten Morgen.")["translations"][0]["text"].rstrip(".!"), "Good morning")


def errors(s):
    ask = lambda **fields: s.post("/v1/translate", json=fields)
    problem(ask(to="en"), 400, "missing_field", "text")
    problem(ask(text="x"), 400, "missing_field", "to")
    problem(ask(text=3, to="en"), 400, "bad_request")
    problem(ask(text="x", to="xx"), 400, "unsupported_language", "xx")
    problem(ask(text="x", to="en", offsets="words"), 400, "bad_request", "offsets")
    problem(ask(text="x", to="en", markup="rtf"), 400, "bad_request", "markup")
    problem(ask(text="x", to="en", priority=1000), 400, "bad_request", "priority")
    problem(ask(text="x", to="en", alternatives=100000), 400, "bad_request", "alternatives")
    problem(ask(text="x", **{"from": "de"}, to="en", options={"beam_sizes": 4}), 400, "bad_request")
    problem(ask(text="x", **{"from": "de"}, to="en", glossary="none"), 404, "not_found")
    problem(ask(text="x", **{"from": "de"}, to="en", model="none"), 404, "not_found")
    problem(s.post("/v1/translate", body=b"{", headers={"Content-Type": "application/json"}), 400, "bad_request")
    problem(s.get("/v1/models/none"), 404, "not_found")
    problem(s.get("/v1/jobs/none"), 404, "not_found")
    problem(s.post("/v1/models", json={"name": "/etc/passwd"}), 400, "bad_request", "name")


def facts(s):
    same([each["tag"] for each in s.get("/v1/languages").json()["languages"]], ["en", "de"])
    guesses = s.post("/v1/detect", json={"text": ["Ich habe heute leider keine Zeit.", "I have no time today."]}).json()
    same([each[0]["language"] for each in guesses["detections"]], ["de", "en"])
    models = s.get("/v1/models").json()
    same(models["models"][0]["name"], "en-de")
    same(models["data"][0]["id"], "en-de")
    same(s.get("/v1/models/en-de").json()["state"], "loaded")
    info = s.get("/v1/info").json()
    check(info["name"] == "dragoman" and info["ready"] and info["device"]["name"], info)
    check(".docx" in s.get("/v1/formats").json()["documents"], "formats")
    same(s.post("/v1/models/en-de/unload", json={}).json()["state"], "known")
    same(s.post("/v1/models/en-de/load", json={}).json()["state"], "loaded")
    same(s.post("/v1/reload", json={}).json(), {"reloaded": True})
    problem(s.post("/v1/models/en-de/sing", json={}), 404, "not_found")


def vectors(s):
    two = s.post("/v1/embed", json={"text": ["Guten Morgen.", "Hund"], "from": "de", "normalize": True}).json()
    same([len(each) for each in two["vectors"]], [two["dimensions"]] * 2)
    check(abs(sum(x * x for x in two["vectors"][0]) - 1) < 1e-3, "a length of 1")
    pair = {"source": "Guten Morgen.", "from": "de", "to": "en"}
    right, wrong = (s.post("/v1/score", json={**pair, "target": target}).json()["scores"][0]
                    for target in ("Good morning.", "The red tractor."))
    check(right["score"] > wrong["score"], right, wrong)
    same(len(right["tokens"]), len(right["log_probs"]))
    check(abs(sum(right["log_probs"]) - right["score"]) < 1e-3, right)
    problem(s.post("/v1/score", json={**pair, "target": ["a", "b"]}), 400, "bad_request", "target")
    cut = s.post("/v1/tokenize", json={"text": "Guten Morgen.", "from": "de"}).json()
    same(len(cut["tokens"][0]), len(cut["ranges"][0]))
    again = s.post("/v1/detokenize", json={"tokens": cut["tokens"], "side": "source", "from": "de"}).json()
    same(again["texts"], ["Guten Morgen."])


def documents(s):
    made = s.post("/v1/documents", form={"from": "de", "to": "en"}, files=[("file", "Brief.txt", TEXT.encode())])
    same(made.status, 202, repr(made))
    job = made.json()
    check(made.headers["Location"].endswith(f"/v1/jobs/{job['id']}"), made.headers["Location"])
    told = events(s.get(f"/v1/jobs/{job['id']}/events").body)
    same(told[-1][0], "end")
    same(json.loads(told[-1][1])["state"], "done", told)
    result = s.get(f"/v1/jobs/{job['id']}/result")
    check("dog" in result.text and "cat" in result.text, result)
    check(job["output_name"] in result.headers["Content-Disposition"], result.headers["Content-Disposition"])
    raw = s.post("/v1/documents", query={"name": "Brief.txt", "from": "de", "to": "en"}, body=TEXT.encode(),
                 headers={"Content-Type": "application/octet-stream"}).json()
    check({job["id"], raw["id"]} <= {each["id"] for each in s.get("/v1/jobs").json()["jobs"]}, "both are listed")
    end = time.monotonic() + 60
    while s.get(f"/v1/jobs/{raw['id']}").json()["state"] not in ("done", "error"):
        check(time.monotonic() < end, "a document of two sentences takes more than a minute")
        time.sleep(0.1)
    same(s.get(f"/v1/jobs/{raw['id']}/result").text, result.text)
    same(s.delete(f"/v1/jobs/{raw['id']}").status, 204)
    problem(s.get(f"/v1/jobs/{raw['id']}"), 404, "not_found")
    problem(s.post("/v1/documents", form={"to": "en"}, files=[]), 400, "missing_field", "file")


def streamed(connection, texts):
    """Asks for a stream, and gives what came until the first sentence is at work."""
    body = json.dumps({"text": texts, "from": "de", "to": "en", "stream": True}).encode()
    connection.sendall(b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(body) + body)
    came = b""
    while b"event: " not in came:
        came += connection.recv(65536)
    check(came.startswith(b"HTTP/1.1 200"), came)
    return came


def rest_of(connection):
    came = b""
    while piece := connection.recv(65536):
        came += piece
    return came


def ends(tool, project):
    """A stream that is open when the service is told to end gets its last event, if that comes before the time is over;
    otherwise it is cut off, so that nobody takes it for whole. Neither holds the service up."""
    for grace, count, whole in ((100, 300, True), (1, 5000, False)):
        with Service(tool, project, "--grace", str(grace)) as s, s.socket(120) as connection:
            came = streamed(connection, [f"Das ist Satz {i} von vielen." for i in range(count)])
            check(b"event: result" not in came, "it had ended before", came)
            s.process.send_signal(signal.SIGTERM)
            begin = time.monotonic()
            came += rest_of(connection)
            same(s.process.wait(60), 0, s.log[-2000:])
            taken = time.monotonic() - begin
            same((b"event: result" in came, came.endswith(b"\r\n0\r\n\r\n")), (whole, whole), came[-500:])
            check(taken < grace + 10 and (whole or taken >= grace), "it ended after", taken)


def main(tool, project):
    ends(tool, project)
    with Service(tool, project) as s:
        for part in (translations, everything, markup, terms_and_memories, streams, errors, vectors, documents, facts):
            print(part.__name__, flush=True)
            part(s)


if __name__ == "__main__":
    main(*sys.argv[1:])
