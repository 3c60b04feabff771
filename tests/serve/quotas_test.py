# SPDX-License-Identifier: Apache-2.0
"""quotas_test.py TOOL PROJECT: what counts against a key's characters of a month: nothing that is refused, and every
document once, whoever fetches it, also after the service was stopped in its midst."""
import os
import subprocess
import sys
import tempfile
import threading
import time

from service import Service, check, same

tool, project = sys.argv[1], sys.argv[2]
TEXT = "Wo ist der Zug?"  # 15 characters
LIMIT = 150  # seconds


def add_key(file, *limits):
    done = subprocess.run([tool, "serve", "keys", "add", "--keys-file", file, *limits], capture_output=True, text=True)
    check(done.returncode == 0, done.args, done.stderr)
    return {"Authorization": f"Bearer {done.stdout.strip()}"}


def usage(s, headers):
    key = headers["Authorization"].removeprefix("Bearer ")
    told = s.get("/v2/usage", headers={"Authorization": f"DeepL-Auth-Key {key}"}).json()
    return told["character_count"], told["character_limit"]


def used(s, headers):
    return usage(s, headers)[0]


def until(happened):
    end = time.monotonic() + LIMIT
    while not (value := happened()):
        check(time.monotonic() < end, "did not happen in", LIMIT, "s")
        time.sleep(0.05)
    return value


def upload(s, path, headers, content, **fields):
    return s.post(path, headers=headers, files=[("file", "a.txt", content.encode())], form=fields)


def own_upload(s, headers, content, **fields):
    return upload(s, "/v1/documents", headers, content, **{"from": "de", "to": "en", **fields})


def libre_upload(s, headers, content):
    return upload(s, "/translate_file", headers, content, source="de", target="en")


def deepl_upload(s, headers, content):
    return upload(s, "/v2/document", headers, content, source_lang="DE", target_lang="EN")


def ended(s, headers, id):
    """The state of a document that has ended."""
    def state():
        job = s.get(f"/v1/jobs/{id}", headers=headers).json()
        return job if job["state"] in ("done", "error") else None
    return until(state)


POSTED = {
    "/translate": {"q": TEXT, "source": "de", "target": "en"},
    "/v1/translate": {"text": TEXT, "from": "de", "to": "en"},
    "/v2/translate": {"text": [TEXT], "source_lang": "DE", "target_lang": "EN"},
    "/language/translate/v2": {"q": TEXT, "source": "de", "target": "en", "format": "text"},
    "/": {"inputs": TEXT, "parameters": {"src_lang": "de", "tgt_lang": "en"}},
    "/v1/completions": {"model": "dragoman-de-en", "prompt": TEXT},
    "/v1/chat/completions": {"model": "dragoman-de-en", "messages": [{"role": "user", "content": TEXT}]},
}


def busy(file, key):
    """A service whose queue has no room."""
    with Service(tool, project, "--keys-file", file, "--max-waiting", "0") as s:
        for path, body in POSTED.items():
            for more in ({}, {"stream": True}):
                answer = s.post(path, json={**body, **more}, headers=key)
                check(answer.status in (501, 503) if "completions" in path else answer.status == 503, path, answer)
        for path, name in (("/api/v4/translator", "text"), ("/api/v4/translator/stream", "text")):
            same(s.get(path, query={name: TEXT, "source": "deu_Latn", "target": "eng_Latn"}, headers=key).status, 503, path)
        same(s.get("/api/v1/de/en/Guten%20Tag", headers=key).status, 503, "Lingva")
        same(used(s, key), 0, "after 503;")


def wrong(s, key):
    def post(path, status, **body):
        answer = s.post(path, json=body, headers=key)
        same(answer.status, status, f"{path} {body}: {answer!r}")
        same(used(s, key), 0, f"after {path} {body};")
    asked = {"text": TEXT, "from": "de", "to": "en"}
    post("/v1/translate", 400, **{**asked, "to": "xx"})
    post("/v1/translate", 400, **asked, options={"nonsense": 1})
    post("/v1/translate", 400, **asked, options={"nonsense": 1}, stream=True)
    post("/v1/translate", 404, **asked, model="none")
    post("/v1/translate", 404, **asked, model="none", stream=True)
    post("/v1/tokenize", 400, text=TEXT, side="middle")
    post("/v1/tokenize", 404, text=TEXT, model="none")
    post("/v1/detokenize", 400, tokens=["a"], side="middle")
    post("/v1/embed", 400, text=TEXT, pooling="none")
    post("/v1/embed", 400, text=TEXT, max_tokens=1, **{"from": "de"})
    post("/v1/score", 400, source=TEXT, target=TEXT, offsets="words")
    post("/v1/score", 400, source=TEXT, target=TEXT, **{"from": "xx"})
    answer = s.post("/v1/translate", json=asked, headers=key)
    same((answer.status, used(s, key)), (200, len(TEXT)), "and then one that is right;")


def documents(s, key):
    """A quota of 100, of which 85 are used: a document with more than what is left is an error and costs nothing."""
    same(s.post("/v1/translate", json={"text": "x" * 85, "from": "en", "to": "en"}, headers=key).status, 200)
    made = own_upload(s, key, f"{TEXT}\n" * 20)
    same(made.status, 202, repr(made))
    job = ended(s, key, made.json()["id"])
    same(job["state"], "error", job)
    check("85 of 100 characters" in job["error"] and "300 more" in job["error"], job)
    same(s.get(f"/v1/jobs/{job['id']}/result", headers=key).status // 100, 4)
    same(libre_upload(s, key, f"{TEXT}\n" * 2).status, 429)
    same(used(s, key), 85, "after what is too much;")
    made = own_upload(s, key, TEXT)
    job = ended(s, key, made.json()["id"])
    same((job["state"], job["characters"]), ("done", 15), job)
    same(used(s, key), 100)
    for _ in range(2):
        same(s.get(f"/v1/jobs/{job['id']}/result", headers=key).status, 200)
    same(used(s, key), 100, "after it was fetched;")
    same(own_upload(s, key, TEXT).status, 429)
    same(libre_upload(s, key, TEXT).status, 429)
    same(deepl_upload(s, key, TEXT).status, 456)
    same(used(s, key), 100, "after what was refused;")


def in_order(s, key):
    """Of documents that wait, those behind the end of the quota are not begun. The service works on one at a time."""
    before = own_upload(s, free, "".join(f"Ich habe {i + 2} Hunde.\n" for i in range(5000))).json()["id"]
    ids = [own_upload(s, key, f"{TEXT}\n" * 40).json()["id"] for _ in range(3)]
    same(s.delete(f"/v1/jobs/{before}", headers=free).status, 204)
    states = [ended(s, key, id) for id in ids]
    same([each["state"] for each in states], ["done", "error", "error"], states)
    check("600 of 600 characters" in states[1]["error"], states[1])
    same(used(s, key), 600)


def fetched_once(s, key):
    made = deepl_upload(s, key, f"{TEXT}\nWie heißt du?\n").json()
    same(ended(s, key, made["document_id"])["characters"], 28)
    same(used(s, key), 28, "before anybody fetched it;")
    statuses = []
    threads = [threading.Thread(target=lambda: statuses.append(
        s.post(f"/v2/document/{made['document_id']}/result", json={"document_key": made["document_key"]},
               headers=key).status)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(sorted(statuses), [200] + [404] * 5)
    same(used(s, key), 28, "after six fetched it;")
    same(libre_upload(s, key, TEXT).status, 200)
    same(used(s, key), 43, "a file whose client waits;")


def nothing(s, key):
    same(usage(s, key), (0, 0), "a quota of nothing;")
    same(s.post("/translate", json=POSTED["/translate"], headers=key).status, 429)
    same((own_upload(s, key, TEXT).status, libre_upload(s, key, TEXT).status, deepl_upload(s, key, TEXT).status),
         (429, 429, 456))


def stopped(s, key):
    """A document that goes on after a restart, before its key asks anything."""
    lines = [f"Ich habe {i + 2} Hunde." for i in range(400)]
    id = own_upload(s, key, "\n".join(lines), options='{"beam_size": 1}').json()["id"]
    until(lambda: s.get(f"/v1/jobs/{id}", headers=key).json()["done"] > 0)
    s.stop()
    same(used_in_file(s, key), 0, "before it is done;")
    s.start()
    job = os.path.join(s.environment["XDG_STATE_HOME"], "dragoman", "serve", "documents", id, "output")
    until(lambda: os.path.exists(job) and not os.path.exists(job.replace("output", "input")))
    same(ended(s, key, id)["state"], "done")
    same(used(s, key), sum(map(len, lines)))


def used_in_file(s, key):
    listed = subprocess.run([tool, "serve", "keys", "list", "--json", "--keys-file", kept], capture_output=True, text=True)
    uses = [line for line in listed.stdout.splitlines() if '"stopped"' in line]
    same(len(uses), 1, listed)
    return int(uses[0].split('"characters_used":')[1].strip().split(",")[0].rstrip("}"))


with tempfile.TemporaryDirectory(prefix="dragoman-quotas-") as folder:
    kept = os.path.join(folder, "keys.sqlite")
    free = add_key(kept)
    busy(kept, free)
    limited = {part: add_key(kept, "--characters-per-month", limit, "--note", part.__name__)
               for part, limit in ((wrong, "1000"), (documents, "100"), (in_order, "600"), (fetched_once, "1000"),
                                   (nothing, "0"), (stopped, "-1"))}
    with Service(tool, project, "--keys-file", kept, "--document-threads", "1", "--grace", "1") as service:
        for part, key in limited.items():
            print(part.__name__, flush=True)
            part(service, key)
