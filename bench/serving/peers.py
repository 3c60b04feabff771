# SPDX-License-Identifier: Apache-2.0
"""Other servers with the weights of the model that ships, measured in the same run by the same clients."""
import asyncio
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from serving import texts
from serving.load import Watched, both_times, closed_loop, probe
from serving.wire import once, translation

SPM = texts.PROJECT / "models" / "en-de" / "source.spm"


@contextlib.contextmanager
def running(command, folder, address, environment=None, wait=120):
    """A process that serves; address() gives its URL as soon as it does."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, env={**os.environ, **(environment or {})},
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        end, url = time.monotonic() + wait, ""
        while not (url := address()):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} does not serve: {(folder / 'log').read_text()[-1500:]}")
            time.sleep(0.2)
        yield url, process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def ctranslate2_server(settings, folder, *more):
    ready = folder / "ready"
    return running([settings.python, texts.PROJECT / "bench" / "serve_ct2.py", "--model", settings.ct2, "--spm", SPM,
                    "--ready-file", ready, *more], folder, lambda: ready.read_text() if ready.exists() else "")


def argos_package(settings, packages, source, target):
    """Argos Translate's form of the model for one direction: CTranslate2 puts the token of the language in front."""
    folder = packages / f"translate-{source}_{target}-1_0"
    shutil.copytree(settings.ct2, folder / "model")
    config = json.loads((folder / "model" / "config.json").read_text())
    config.update(add_source_bos=True, bos_token=f">>{target}<<", add_source_eos=True)
    (folder / "model" / "config.json").write_text(json.dumps(config))
    shutil.copy(SPM, folder / "sentencepiece.model")
    names = {"en": "English", "de": "German"}
    (folder / "metadata.json").write_text(json.dumps({
        "package_version": "1.0", "argos_version": "1.9", "from_code": source, "from_name": names[source],
        "to_code": target, "to_name": names[target], "type": "translate"}))
    # It brings no splitter of sentences, and its own are downloads: spaCy's rules, which need no model.
    subprocess.run([settings.python, "-c", f"import spacy; spacy.blank({source!r}).to_disk({str(folder / 'spacy')!r})"],
                   check=True, capture_output=True)


def libretranslate(settings, folder):
    packages = folder / "packages"
    for source, target in (("en", "de"), ("de", "en")):
        argos_package(settings, packages, source, target)
    senter = folder / "cache" / "argos-translate" / "spacy" / "senter"
    senter.mkdir(parents=True)
    (senter / "model").touch()  # so that it looks for no download
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"ARGOS_PACKAGES_DIR": str(packages), "ARGOS_CHUNK_TYPE": "SPACY", "ARGOS_INTRA_THREADS": "2",
                   "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder),
                   "XDG_CONFIG_HOME": str(folder / "config"), "ARGOS_PACKAGE_INDEX": "http://127.0.0.1:9/"}

    def address():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2):
                return f"http://127.0.0.1:{port}"
        except OSError:
            return ""
    command = [pathlib.Path(settings.python).parent / "libretranslate", "--host", "127.0.0.1", "--port", port,
               "--disable-web-ui"]
    return running(command, folder, address, environment)


def measured(url, pid, settings):
    watched = Watched(pid)
    text = asyncio.run(once(url, translation("The boat is full."))).json["translatedText"]
    asyncio.run(closed_loop(url, texts.different(), seconds=1, settle=3))
    lone = both_times(asyncio.run(probe(url, texts.short(), 60, watched=watched)))
    cpu, begin = watched.cpu(), time.perf_counter()
    result = asyncio.run(closed_loop(url, itertools.islice(texts.different(), 1500, None), seconds=settings.peer_seconds))
    used, taken = watched.cpu() - cpu, time.perf_counter() - begin
    result.update(server_cpu=round(used / taken, 2), sentences_per_cpu_s=round(result["answered"] / used, 1))
    return {"boat": text, "one_client": lone, "64_clients": result, "rss_mb": watched.mb(), "peak_mb": watched.mb("VmHWM")}


def compare(settings):
    def with_service():
        with settings.service() as service:
            return measured(service.url, service.pid, settings)

    def other(start, *more):
        def run():
            with tempfile.TemporaryDirectory() as name, start(settings, pathlib.Path(name), *more) as (url, pid):
                return measured(url, pid, settings)
        return run
    rows = {"dragoman serve": with_service, "CTranslate2, plain, float32": other(ctranslate2_server),
            "CTranslate2, gathering batches, float32": other(ctranslate2_server, "--gather"),
            "CTranslate2, gathering batches, int8": other(ctranslate2_server, "--gather", "--compute-type", "int8"),
            "LibreTranslate": other(libretranslate), "dragoman serve, again": with_service}
    results = {}
    for name, run in rows.items():
        try:
            results[name] = run()
        except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
            results[name] = {"skipped": str(error)[-1500:]}
        print(name, json.dumps(results[name], ensure_ascii=False), file=sys.stderr, flush=True)
    return {"servers": results, "goal": "all were measured", "met": not any("skipped" in each for each in results.values())}
