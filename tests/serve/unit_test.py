#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unit_test.py TOOL PROJECT: under the system calls that dragoman-serve.service allows, the service starts, translates,
takes a document, keeps keys and glossaries, reads its models again and ends; and systemd's own judgement of the unit is
no worse than docs/serve.md says. Skipped where systemd-analyze or libseccomp is missing."""
import ctypes.util
import io
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

from service import Service, multipart

UNIT = "scripts/packaging/service/dragoman-serve.service"


def members(name):
    """The calls of one of systemd's sets."""
    said = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", name], capture_output=True, text=True, check=True)
    calls = set()
    for line in said.stdout.splitlines()[1:]:
        word = line.strip()
        if word.startswith("@"):
            calls |= members(word)
        elif word and not word.startswith("#"):
            calls.add(word)
    return calls


def allowed(unit):
    """What the unit's lines leave, in their order: the first says that the list is of what is allowed."""
    calls = members("@default")
    for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
        for word in line.lstrip("~").split():
            named = members(word) if word.startswith("@") else {word}
            calls = calls - named if line.startswith("~") else calls | named
    return calls


def document():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/'
                         '2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>')
        archive.writestr("word/document.xml", '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/'
                         'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Guten Tag.</w:t></w:r></w:p></w:body>'
                         '</w:document>')
    return data.getvalue()


def use(service):
    def expect(answer, status, part=""):
        if answer.status != status or part not in answer.text:
            raise AssertionError(f"expected {status} with {part!r}, got {answer}")

    expect(service.get("/health"), 200)
    expect(service.post("/translate", json={"q": "Guten Tag.", "source": "de", "target": "en"}), 200, "translatedText")
    expect(service.post("/detect", json={"q": "Guten Tag, wie geht es Ihnen?"}), 200, "de")
    kind, body = multipart({"source": "de", "target": "en"}, [("file", "a.docx", document())])
    expect(service.post("/translate_file", body=body, headers={"Content-Type": kind}), 200, "translatedFileUrl")
    expect(service.post("/v2/glossaries", json={"name": "a", "source_lang": "de", "target_lang": "en",
                                                "entries": "Tag\tDay", "entries_format": "tsv"}), 201)


def main():
    tool, project = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("systemd-analyze") or not ctypes.util.find_library("seccomp"):
        print("no systemd-analyze or no libseccomp")
        return 77
    said = subprocess.run(["systemd-analyze", "--no-pager", "security", "--offline=yes", project / UNIT], capture_output=True,
                          text=True, check=False).stdout
    exposure = re.search(r"exposure level for \S+: ([0-9.]+)", said)
    if not exposure:
        print(f"this systemd-analyze does not judge files: {said[:200]}")
        return 77
    stated = re.search(r"`systemd-analyze security` gives it ([0-9.]+) of 10",
                       (project / "docs/serve.md").read_text(encoding="utf-8").replace("\n", " "))
    assert stated, "docs/serve.md: expected what systemd-analyze gives the unit"
    assert float(exposure[1]) <= float(stated[1]), f"expected at most {stated[1]}, systemd-analyze says {exposure[1]}"
    calls = allowed((project / UNIT).read_text(encoding="utf-8"))
    assert {"read", "execve", "socket"} <= calls and not {"mount", "ptrace", "keyctl", "setuid", "bpf"} & calls, calls
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder, "dragoman")
        wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{pathlib.Path(__file__).with_name("under_filter.py")}" '
                           f'keyctl {",".join(sorted(calls))} "{tool}" "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        with Service(str(wrapper), str(project)) as service:
            status = pathlib.Path(f"/proc/{service.process.pid}/status").read_text(encoding="ascii")
            assert re.search(r"^Seccomp:\s+2$", status, re.M), "expected the service to run under a filter"
            use(service)
            service.process.send_signal(signal.SIGHUP)
            time.sleep(1)
            use(service)
    print(f"exposure {exposure[1]}, {len(calls)} calls allowed, the service works under them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
