#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SIGHUP reads models and certificate again: reload_test.py TOOL PROJECT. Skipped where there is no openssl."""
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from service import Service, check

LIMIT = 60  # seconds


def until(happened, what):
    end = time.monotonic() + LIMIT
    while not happened():
        check(time.monotonic() < end, what, "did not happen in", LIMIT, "s")
        time.sleep(0.05)


def certify(folder, name):
    """A certificate of its own for that name, put in place at once."""
    made = {each: os.path.join(folder, each) for each in ("key", "certificate")}
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                    made["key"] + ".new", "-out", made["certificate"] + ".new", "-days", "2", "-subj", f"/CN={name}"],
                   check=True, capture_output=True)
    for each in made.values():
        os.rename(each + ".new", each)


def has(service, name):
    """Whether its certificate is the one for that name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((service.host, service.port), timeout=LIMIT) as connection:
        with context.wrap_socket(connection) as secure:
            return name.encode() in secure.getpeercert(binary_form=True)


def with_certificate(tool, project, folder, model):
    return Service(tool, project, "--tls-certificate", os.path.join(folder, "certificate"), "--tls-key",
                   os.path.join(folder, "key"), models=[model], wait=False)


def asked_while_it_reads(tool, project, folder):
    """Files that change while a model is read again are read, too."""
    model = os.path.join(folder, "model")
    shutil.copytree(os.path.join(project, "models", "en-de"), model)
    with Service(tool, project, models=[model]) as service:
        def seen():
            return service.get("/v1/models").json()["models"][0]["bytes"]
        before = seen()
        for size in (1000, 3000):
            with open(os.path.join(model, "more"), "wb") as more:
                more.write(bytes(size))
            service.process.send_signal(signal.SIGHUP)
            # The list of files comes first, and the model itself then takes its time, in which the next signal comes.
            until(lambda size=size: seen() == before + size, f"{size} bytes more")


def one_fault_is_not_the_other(tool, project, folder):
    model = os.path.join(folder, "model")
    shutil.copytree(os.path.join(project, "models", "en-de"), model)
    certify(folder, "first.example")
    with with_certificate(tool, project, folder, model) as service:
        shutil.rmtree(model)
        certify(folder, "second.example")
        service.process.send_signal(signal.SIGHUP)
        until(lambda: has(service, "second.example"), "a certificate beside a model that is gone")
        with open(os.path.join(folder, "certificate"), "w", encoding="utf-8") as broken:
            broken.write("no certificate")
        service.process.send_signal(signal.SIGHUP)
        until(lambda: "cannot be read again" in service.log and "no start line" in service.log, "a broken certificate")
        check(has(service, "second.example"), "the old one stays")


def main(tool, project):
    if not shutil.which("openssl"):
        print("skipped: there is no openssl")
        sys.exit(77)
    for part in (asked_while_it_reads, one_fault_is_not_the_other):
        print(part.__name__, flush=True)
        with tempfile.TemporaryDirectory(prefix="dragoman-reload-") as folder:
            part(tool, project, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
