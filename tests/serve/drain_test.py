#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The end of a service while there is work of every kind: it ends in time, by itself, and loses nothing that it
promised. drain_test.py TOOL PROJECT"""
import http.client
import os
import signal
import subprocess
import sys
import threading
import time

from service import Service, check, same

LIMIT = 150  # seconds until it has ended


def long_text(name, lines=4000):
    return "".join(f"Ich habe {i + 2} Hunde und {name} Katzen.\n" for i in range(lines)).encode()


def in_background(*calls):
    """Runs each on a thread; the threads, and what they gave or raised."""
    results = [None] * len(calls)

    def run(i):
        try:
            results[i] = calls[i]()
        except (OSError, http.client.HTTPException) as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    return threads, results


def until(happened, limit=LIMIT):
    end = time.monotonic() + limit
    while not (value := happened()):
        check(time.monotonic() < end, "did not happen in", limit, "s")
        time.sleep(0.02)
    return value


def end(service, *signals):
    for number in signals:
        service.process.send_signal(number)
        time.sleep(0.05)
    status = service.process.wait(LIMIT)
    same(status, 0, service.log[-2000:])
    check(service.log.rstrip().splitlines()[-1].endswith("ended"), service.log[-2000:])


def folder_of(service):
    return os.path.join(service.environment["XDG_STATE_HOME"], "dragoman", "serve", "documents")


def kept(service):
    return os.listdir(folder_of(service))


def documents_at_work(tool, project):
    """One whose client waits, one that lasts with somebody who follows it, and more in the queue."""
    with Service(tool, project, "--grace", "1") as service:
        lasting = [service.post("/v1/documents", files=[("file", f"{i}.txt", long_text(i))],
                                form={"from": "de", "to": "en", "options": '{"beam_size": 1}'}).json()["id"]
                   for i in range(3)]
        threads, results = in_background(
            lambda: service.post("/translate_file", files=[("file", "a.txt", long_text("a"))],
                                 form={"source": "de", "target": "en"}),
            *[lambda id=id: service.get(f"/v1/jobs/{id}/events") for id in lasting])
        until(lambda: service.get(f"/v1/jobs/{lasting[0]}").json()["done"] > 0)
        until(lambda: len(kept(service)) == 4)
        begun = time.monotonic()
        end(service, signal.SIGTERM)
        check(time.monotonic() - begun < LIMIT / 2, "it took", time.monotonic() - begun)
        for thread in threads:
            thread.join(10)
            check(not thread.is_alive(), "a client still waits")
        check(isinstance(results[0], Exception) or results[0].status != 200, results[0])
        check(set(lasting) <= set(kept(service)), lasting, kept(service))
        for fleeting in set(kept(service)) - set(lasting):
            check(not os.path.exists(os.path.join(folder_of(service), fleeting, "input")), "what nobody waits for")
        service.start()
        states = {id: service.get(f"/v1/jobs/{id}").json()["state"] for id in lasting}
        check(set(states.values()) <= {"queued", "translating"}, states)
        end(service, signal.SIGTERM)


def followers_that_go(tool, project):
    """Whoever stops following a document is let go of before it is done."""
    with Service(tool, project, "--grace", "0") as service:
        id = service.post("/v1/documents", files=[("file", "a.txt", long_text("a"))],
                          form={"from": "de", "to": "en"}).json()["id"]
        until(lambda: service.get(f"/v1/jobs/{id}").json()["done"] > 0)
        for _ in range(50):
            with service.socket() as connection:
                connection.sendall(b"GET /v1/jobs/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n" % id.encode())
                check(connection.recv(1000).startswith(b"HTTP/1.1 200"), "events")
        until(lambda: service.get("/v1/jobs/" + id).json()["state"] == "translating")
        end(service, signal.SIGTERM)


def models_at_work(tool, project):
    """Requests that wait for a model, of every kind, when it ends at once: nobody calls back a service that is gone."""
    for wait in (0, 0.1, 0.3):
        with Service(tool, project, "--grace", "0", wait=False) as service:
            threads, results = in_background(
                lambda: service.get("/api/v4/translator/tokens", query={"text": "Guten Tag."}),
                lambda: service.post("/v1/tokenize", json={"text": "Guten Tag.", "from": "de", "to": "en"}),
                lambda: service.post("/translate", json={"q": "Guten Tag.", "source": "de", "target": "en"}),
                lambda: service.post("/v1/translate", json={"text": "Ja.", "from": "de", "to": "en", "stream": True}),
                lambda: service.post("/v1/embed", json={"text": "Guten Tag.", "from": "de", "to": "en"}))
            time.sleep(wait)
            end(service, signal.SIGTERM)
            for thread in threads:
                thread.join(10)
                check(not thread.is_alive(), "a client still waits")


def reload_and_end(tool, project):
    """Reading all models again does not hold up the end, and requests at work get their answers."""
    with Service(tool, project, "--grace", str(LIMIT)) as service:
        threads, results = in_background(
            *[lambda i=i: service.post("/translate", json={"q": [f"Satz {i} und {k}." for k in range(8)],
                                                           "source": "de", "target": "en"}) for i in range(4)])
        time.sleep(0.3)
        end(service, signal.SIGHUP, signal.SIGHUP, signal.SIGTERM)
        for thread in threads:
            thread.join(10)
        for answer in results:
            check(not isinstance(answer, Exception) and answer.status == 200, answer)
        check("ending: requests at work" in service.log, service.log)


def one_folder(tool, project):
    """A second service does not start in the folder of the first, whose uploads and documents stay its own."""
    with Service(tool, project) as service:
        state = os.path.join(service.environment["XDG_STATE_HOME"], "dragoman", "serve")
        left = os.path.join(state, "uploads", "upload")
        with open(left, "w") as file:
            file.write("x")
        again = subprocess.run([*service.command[:2], "--port", "0", "--state", state, *service.command[-1:]],
                               env=service.environment, capture_output=True, text=True, timeout=LIMIT)
        check(again.returncode == 1 and state + ": another service uses it" in again.stderr, again)
        check(os.path.exists(left), "the upload has gone")
        service.kill()
        service.start()
        check(not os.path.exists(left), "what a killed service left behind is still there")


def main(tool, project):
    one_folder(tool, project)
    models_at_work(tool, project)
    documents_at_work(tool, project)
    followers_that_go(tool, project)
    reload_and_end(tool, project)


if __name__ == "__main__":
    main(*sys.argv[1:])
