# SPDX-License-Identifier: Apache-2.0
"""page_test.py TOOL PROJECT: the page of `dragoman serve` in Chromium, and the files that it is made of. Exits with 77
where there is no browser, or npm has no packages."""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from service import Service, check, same

TYPES = {"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8",
         "/app.css": "text/css; charset=utf-8", "/worker.js": "text/javascript; charset=utf-8",
         "/icon.svg": "image/svg+xml", "/manifest.webmanifest": "application/manifest+json"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


def check_file(service, built, path, kind):
    plain = service.get(path)
    name = "index.html" if path == "/" else path[1:]
    same(plain.status, 200, path)
    check(plain.body == (built / name).read_bytes(), path, "is not built/" + name)
    same(plain.headers["Content-Type"], kind, path)
    same(plain.headers["Content-Security-Policy"], POLICY, path)
    same(plain.headers["Cache-Control"], "no-cache", path)
    same(plain.headers["Content-Encoding"], None, path)
    packed = service.get(path, headers={"Accept-Encoding": "br, GZip;q=0.5"})
    same(packed.headers["Content-Encoding"], "gzip", path)
    same(packed.headers["Vary"], "Accept-Encoding", path)
    check(gzip.decompress(packed.body) == plain.body, path, "packed is another file")
    check(packed.headers["ETag"] != plain.headers["ETag"], path, "has one tag for two contents")
    for refused in ("identity", "gzip;q=0", "gzip; q=0.0, br", "xgzip"):
        same(service.get(path, headers={"Accept-Encoding": refused}).headers["Content-Encoding"], None, refused)
    tag = plain.headers["ETag"]
    for known in (tag, "W/" + tag, f'"other", {tag}', "*"):
        answer = service.get(path, headers={"If-None-Match": known})
        same((answer.status, answer.body), (304, b""), f"{path} with {known}")
        same(answer.headers["ETag"], tag, path)
    for unknown in (tag[:-2] + '"', packed.headers["ETag"], tag.strip('"')):
        same(service.get(path, headers={"If-None-Match": unknown}).status, 200, f"{path} with {unknown}")
    head = service.request("HEAD", path)
    same((head.status, head.body, head.headers["Content-Length"]), (200, b"", str(len(plain.body))), "HEAD " + path)


def check_files(service, built):
    for path, kind in TYPES.items():
        check_file(service, built, path, kind)
    same(service.get("/index.html").body, service.get("/").body, "/index.html")


def check_prefix(service):
    moved = service.get("/lt?q=a%20b")
    same((moved.status, moved.headers["Location"]), (308, "./lt/?q=a%20b"), "/lt")
    same(service.get("/lt/").status, 200, "/lt/")
    same(service.get("/").status, 404, "/ beside the prefix")


def install(project, folder):
    """A copy of the browser's tests with their packages; None without npm's packages."""
    copy = pathlib.Path(folder) / "page"
    shutil.copytree(pathlib.Path(project) / "tests/serve/page", copy, ignore=shutil.ignore_patterns("node_modules"))
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr[-1000:])
        return None
    return copy


def run_browser(folder, service, keyed, chromium):
    environment = dict(os.environ, PAGE_URL=service.url + "/", KEYED_URL=keyed.url + "/lt/", CHROMIUM=chromium)
    tests = sorted(path.name for path in folder.glob("*_test.mjs"))
    check(len(tests) >= 4, "tests of the page:", tests)
    command = ["node", "--test", "--test-concurrency=1", "--test-timeout=300000", *tests]
    return subprocess.run(command, cwd=folder, env=environment).returncode


def main():
    tool, project = sys.argv[1], sys.argv[2]
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, Service(tool, project) as service:
        check_files(service, pathlib.Path(project) / "tools/serve/page/built")
        secret = pathlib.Path(folder) / "admin"
        secret.write_text("only the operator\n", encoding="utf-8")
        arguments = ("--api-prefix", "/lt", "--max-characters", "2000", "--admin-key-file", str(secret))
        with Service(tool, project, *arguments, environment={"DRAGOMAN_SERVE_KEYS": "one"}, wait=False) as keyed:
            check_prefix(keyed)
            copy = install(project, folder) if chromium and shutil.which("npm") else None
            if copy is None:
                print("skipped: Chromium or the packages of its driver cannot be had")
                sys.exit(77)
            sys.exit(run_browser(copy, service, keyed, chromium))


if __name__ == "__main__":
    main()
