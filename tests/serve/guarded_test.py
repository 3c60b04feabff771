# SPDX-License-Identifier: Apache-2.0
"""guarded_test.py TOOL PROJECT: who may ask a running service: names in Host, pages of other sites, keys that are added while it
runs, limits, the operator; and what of all that is in its log and its files."""
import json
import os
import stat
import subprocess
import sys
import tempfile
import time

from service import Service, check, same

tool, project = sys.argv[1], sys.argv[2]
GERMAN = {"q": "Guten Tag.", "source": "de", "target": "en"}


def translate(service, fields=None, **headers):
    return service.post("/translate", json={**GERMAN, **(fields or {})},
                        headers={name.replace("_", "-"): value for name, value in headers.items()})


def keys(file, *arguments):
    done = subprocess.run([tool, "serve", "keys", *arguments, "--keys-file", file], capture_output=True, text=True)
    check(done.returncode == 0, done.args, done.stderr)
    return done.stdout


def names_and_pages():
    with Service(tool, project) as service:
        for host in ("rebound.example", "localhost.evil.example", "127.0.0.1.evil.example:5000", "[::1].evil"):
            answer = translate(service, Host=host)
            check(answer.status in (400, 421), host, answer)
            check("error" in answer.json(), answer)
        for host in ("localhost", "LOCALHOST:1", "box.localhost", "[::1]:5000", "192.168.7.7:5000"):
            same(translate(service, Host=host).status, 200, host)
        for origin in ("https://evil.example", "null", "http://localhost", "moz-extension://5f1c"):
            same(translate(service, Origin=origin).status, 403, origin)
            # What a form of any page may send without asking first.
            answer = service.post("/translate", form=GERMAN, headers={"Origin": origin})
            same(answer.status, 403, origin)
            answer = service.request("OPTIONS", "/translate", headers={"Origin": origin,
                                                                       "Access-Control-Request-Method": "POST"})
            same(answer.status, 403, origin)
            check("Access-Control-Allow-Origin" not in answer.headers, answer.headers)
        own = f"http://localhost:{service.port}"
        answer = translate(service, Origin=own, Host=f"localhost:{service.port}")
        same(answer.status, 200, own)
        check("Access-Control-Allow-Origin" not in answer.headers, answer.headers)
        same(answer.headers["X-Content-Type-Options"], "nosniff")
        same(answer.headers["Cache-Control"], "no-store")
        same(answer.headers["Content-Security-Policy"], "default-src 'none'; frame-ancestors 'none'")
        same(service.post("/v1/reload").status // 100, 2, "the operator, who sits here:")
        for headers in ({"X-Forwarded-For": "127.0.0.1"}, {"Via": "1.1 x"}, {"Sec-Fetch-Site": "cross-site"},
                        {"Origin": "https://evil.example"}):
            same(service.post("/v1/reload", headers=headers).status, 403, headers)
    with Service(tool, project, "--allow-origin", "https://a.example", "--allow-host", "translate.example.org") as service:
        same(translate(service, Host="translate.example.org").status, 200)
        answer = translate(service, Origin="https://a.example")
        same((answer.status, answer.headers["Access-Control-Allow-Origin"]), (200, "https://a.example"))
        answer = service.request("OPTIONS", "/translate", headers={"Origin": "https://a.example",
                                                                   "Access-Control-Request-Method": "POST"})
        same((answer.status, answer.body), (204, b""))
        same(answer.headers["Access-Control-Allow-Headers"], "Authorization, Content-Type")
        answer = service.request("OPTIONS", "/language/translate/v2", headers={
            "Origin": "https://a.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,x-goog-api-key"})
        same((answer.status, answer.headers["Access-Control-Allow-Headers"]), (204, "content-type, x-goog-api-key"))
        same(translate(service, Origin="https://b.example").status, 403)


def keys_while_it_runs(folder):
    file = os.path.join(folder, "keys.sqlite")
    with Service(tool, project, "--keys-file", file, "--log", "json", "--log-level", "debug") as service:
        same(translate(service).status, 200, "before the first key:")
        same(stat.S_IMODE(os.stat(file).st_mode) & 0o077, 0, "others' rights to the file of keys:")
        key = keys(file, "add", "--note", "newsroom", "--characters-per-month", "25").strip()
        time.sleep(2)
        check(translate(service).status in (400, 401, 403), "without a key:", translate(service))
        same(translate(service, {"api_key": "dg_wrong"}).status, 403, "with a wrong one:")
        same(translate(service, {"api_key": key}).status, 200, "in the field:")
        same(translate(service, Authorization=f"Bearer {key}").status, 200, "in the header:")
        for path in ("/languages", "/health", "/frontend/settings"):
            same(service.get(path).status, 200, path)
        answer = service.get("/v2/usage", headers={"Authorization": f"DeepL-Auth-Key {key}"})
        same(answer.status, 200, answer)
        same((answer.json()["character_count"], answer.json()["character_limit"]), (20, 25))
        same(translate(service, {"api_key": key}).status, 429, "beyond the quota:")
        same(service.post("/v2/translate", json={"text": ["Guten Tag."], "target_lang": "EN-US"},
                          headers={"Authorization": f"DeepL-Auth-Key {key}"}).status, 456, "as DeepL has it:")
        service.get("/languages", query={"api_key": key})
        service.get("/nowhere", query={"API%5Fkey": key, "key": key})
        service.stop()
        for line in service.log.splitlines():
            json.loads(line)
        check(key not in service.log and key[3:20] not in service.log, "the key is in the log")
        check("Guten Tag" not in service.log and "Good day" not in service.log, "texts are in the log")
        listed = [json.loads(line) for line in keys(file, "list", "--json").splitlines()]
        same([(each["note"], each["characters_used"]) for each in listed], [("newsroom", 20)])
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as kept:
                check(key[3:].encode() not in kept.read(), "the key is in", name)
        service.start()
        same(translate(service, {"api_key": key}).status, 429, "after a restart:")
        service.kill()
        keys(file, "remove", listed[0]["id"])
        service.start()
        same(translate(service, {"api_key": key}).status, 403, "after it was removed:")


def limits():
    with Service(tool, project, "--requests-per-minute", "3", "--trust-proxy", "127.0.0.1", "--max-characters", "40",
                 "--max-texts", "2") as service:
        for client in ("192.0.2.1", "2001:db8::1"):
            for _ in range(3):
                same(translate(service, X_Forwarded_For=client).status, 200)
            answer = translate(service, X_Forwarded_For=f"203.0.113.9, {client}")
            same(answer.status, 429)
            same(answer.json()["error"], "Slowdown: 3 per 1 minute")
            check(1 <= int(answer.headers["Retry-After"]) <= 65, answer.headers)
        same(translate(service, X_Forwarded_For="2001:db8::ffff").status, 429, "the same /64:")
        same(translate(service, X_Forwarded_For="2001:db8:0:1::1").status, 200, "another /64:")
        for _ in range(5):
            same(service.get("/languages", headers={"X-Forwarded-For": "192.0.2.1"}).status, 200)
        answer = translate(service, {"q": "x" * 41}, X_Forwarded_For="192.0.2.3")
        same((answer.status, answer.json()["error"]), (400, "Invalid request: request (41) exceeds text limit (40)"))
        answer = translate(service, {"q": ["a", "b", "c"]}, X_Forwarded_For="192.0.2.3")
        same((answer.status, answer.json()["error"]), (400, "Invalid request: request (3) exceeds text limit (2)"))
        same(service.post("/v1/reload").status, 403, "the operator, with a proxy that was named:")
        check("client=192.0.2.1 " in service.log, service.log)


def guesses_and_admin():
    environment = {"DRAGOMAN_SERVE_ADMIN_KEY": "the admin's own key", "DRAGOMAN_SERVE_KEYS": "a key of the house"}
    with Service(tool, project, "--trust-proxy", "127.0.0.1", environment=environment) as service:
        same(service.post("/v1/reload", headers={"Authorization": "Bearer the admin's own key"}).status // 100, 2)
        same(service.post("/v1/reload", headers={"Authorization": "Bearer a key of the house"}).status, 403)
        same(service.post("/v1/reload").status, 401)
        same(translate(service, {"api_key": "a key of the house"}).status, 200)
        for i in range(20):
            same(translate(service, {"api_key": f"guess {i}"}, X_Forwarded_For="192.0.2.1").status, 403)
        answer = translate(service, {"api_key": "a key of the house"}, X_Forwarded_For="192.0.2.1")
        same(answer.status, 429, "after twenty guesses, with the right one:")
        check(int(answer.headers["Retry-After"]) > 500, answer.headers)
        same(translate(service, {"api_key": "a key of the house"}, X_Forwarded_For="192.0.2.2").status, 200, "others:")


def head(service, method, path, *headers, length=50_000_000):
    """The answer to a head of a request whose body never comes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}", *headers, "", ""]
    with service.socket() as connection:
        connection.sendall("\r\n".join(lines).encode())
        return connection.recv(4096).decode()


def files_of_strangers():
    """Who may not send a file is told so before it is sent."""
    environment = {"DRAGOMAN_SERVE_KEYS": "a key of the house"}
    form, wrong = "Content-Type: multipart/form-data; boundary=x", "Authorization: Bearer wrong"
    with Service(tool, project, "--max-file", "50M", environment=environment) as service:
        for method, path, header, status in (
                ("POST", "/v1/documents?name=a.txt&to=en", "Accept: */*", 401), ("POST", "/v1/documents", wrong, 403),
                ("POST", "/v1/memories?name=a", "Accept: */*", 401), ("POST", "/translate_file", wrong, 403),
                ("POST", "/v2/document", "Authorization: DeepL-Auth-Key wrong", 403),
                ("PUT", "/v3/translation_memories/jobs/x/file?token=y", "Accept: */*", 404)):
            answer = head(service, method, path, header, form)
            check(answer.startswith(f"HTTP/1.1 {status} "), path, answer)
        same([name for name in os.listdir(uploads_of(service)) if name.startswith("body-")], [], "files;")
        key = "Authorization: Bearer a key of the house"
        for path, header in (("/v1/documents", key), ("/translate_file", "Accept: */*"), ("/translate_file", key)):
            answer = head(service, "POST", path, form, header, "Expect: 100-continue")
            check(answer.startswith("HTTP/1.1 100 "), path, answer)
        same(service.post("/v1/documents", form={"from": "de", "to": "en"}, files=[("file", "a.txt", b"Guten Tag.")],
                          headers={"Authorization": "Bearer a key of the house"}).status, 202)
        same(service.post("/translate_file", form={"source": "de", "target": "en", "api_key": "a key of the house"},
                          files=[("file", "a.txt", b"Guten Tag.")]).status, 200)
        same(service.post("/translate_file", form={"source": "de", "target": "en"},
                          files=[("file", "a.txt", b"Guten Tag.")]).status, 400, "a form without a key:")


def room_for_files():
    """Files that are under way have 16 times the room of the largest one, half of it for those whose key is not known."""
    environment = {"DRAGOMAN_SERVE_KEYS": "a key of the house"}
    with Service(tool, project, "--max-file", "100000", environment=environment) as service:
        def begin(path, *headers):
            lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Length: 100000",
                     "Content-Type: multipart/form-data; boundary=x", *headers, "", ""]
            connection = service.socket()
            connection.sendall("\r\n".join(lines).encode() + b"x" * 99_999)
            return connection

        def sizes():
            folder = uploads_of(service)
            return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))

        def until_there(bytes):  # C's files are written in blocks
            end = time.monotonic() + 60
            while sizes() < bytes:
                check(time.monotonic() < end, "files of", sizes(), "bytes, expected", bytes)
                time.sleep(0.02)

        strangers = [begin("/translate_file") for _ in range(8)]
        until_there(8 * 90_000)
        answer = head(service, "POST", "/translate_file", "Content-Type: multipart/form-data; boundary=x", length=100_000)
        check(answer.startswith("HTTP/1.1 503 ") and "Retry-After: " in answer, answer)
        key = "Authorization: Bearer a key of the house"
        known = [begin("/v1/documents", key) for _ in range(7)]
        until_there(15 * 90_000)
        for connection in strangers[:2]:
            connection.close()
        ended = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nJa.\r\n--x--\r\n"
        same(service.post("/v1/documents", query={"from": "de", "to": "en"}, body=ended, headers={
            "Authorization": "Bearer a key of the house", "Content-Type": "multipart/form-data; boundary=x"}).status, 202)
        for connection in strangers + known:
            connection.close()


def uploads_of(service):
    return os.path.join(service.environment["XDG_STATE_HOME"], "dragoman", "serve", "uploads")


def options_by_environment():
    environment = {"LT_CHAR_LIMIT": "20", "LT_LOAD_ONLY": "de,en", "DRAGOMAN_SERVE_LOG": "json", "DRAGOMAN_SERVE_GRACE": "5"}
    with Service(tool, project, environment=environment) as service:
        same(service.get("/frontend/settings").json()["charLimit"], 20)
        check("LT_LOAD_ONLY is not heeded" in service.log, service.log)
        last = service.log.splitlines()[-1]
        same(json.loads(last)["message"], "request", last)


names_and_pages()
with tempfile.TemporaryDirectory() as made:
    keys_while_it_runs(made)
limits()
guesses_and_admin()
files_of_strangers()
room_for_files()
options_by_environment()
print("guarded")
