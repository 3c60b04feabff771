#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""certificates.py FOLDER: an authority of its own (authority.pem), and certificates of it with their keys: good.pem for
127.0.0.1 and localhost, expired.pem, and other.pem for another host. Ends with 77 where there is no openssl."""
import pathlib
import shutil
import subprocess
import sys

HOSTS = {"good": "IP:127.0.0.1,DNS:localhost", "expired": "IP:127.0.0.1,DNS:localhost", "other": "DNS:other.example"}


def main():
    if not shutil.which("openssl"):
        sys.exit(77)
    folder = pathlib.Path(sys.argv[1])

    def openssl(*arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"openssl {arguments[0]}: {done.stderr}")

    # OpenSSL from 3.4 on does not take less than no days.
    dated = "-not_after" in subprocess.run(["openssl", "x509", "-help"], capture_output=True, text=True).stderr
    past = ["-not_before", "20200101000000Z", "-not_after", "20200201000000Z"] if dated else ["-days", -1]
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *new_key, "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=Authority of a test",
            "-days", 2)
    for name, hosts in HOSTS.items():
        (folder / "hosts").write_text(f"subjectAltName={hosts}\n")
        openssl("req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
                *(past if name == "expired" else ["-days", 2]), "-extfile", "hosts", "-out", f"{name}.crt")
        pem = (folder / f"{name}.crt").read_text() + (folder / f"{name}.key").read_text()
        (folder / f"{name}.pem").write_text(pem)


if __name__ == "__main__":
    main()
