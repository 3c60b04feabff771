# SPDX-License-Identifier: Apache-2.0
"""page_build_test.py TOOL PROJECT: the page's built files are those that its sources give, and are light. Exits with 77
where npm has no packages."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 150_000  # bytes of script, style and markup together
PLURALS = {"en": 2, "de": 2, "fr": 3, "es": 3, "ar": 6}


def check_weight(built):
    weights = {name: (built / name).stat().st_size for name in ("index.html", "app.js", "app.css")}
    print("bytes:", weights, "together", sum(weights.values()))
    assert sum(weights.values()) < LIMIT, f"{weights}: together at most {LIMIT} bytes"


def check_markup(built):
    """The policy of the page allows no inline script or style, and nothing from elsewhere."""
    markup = (built / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]* src=)", markup), "index.html has an inline script"
    assert not re.search(r"<style|\sstyle=|\son\w+=", markup), "index.html has inline styles or handlers"
    for name in ("index.html", "app.css", "manifest.webmanifest"):
        outside = re.findall(r"https?://[^\"' )]+", (built / name).read_text(encoding="utf-8"))
        assert not outside, f"{name} names {outside}"


def values_of(text):
    forms = [text] if isinstance(text, str) else list(text.values())
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


def check_texts(page):
    """Every language has the same texts with the same values, and the forms of its plurals."""
    tables = {code: json.loads((page / f"src/texts/{code}.json").read_text(encoding="utf-8")) for code in PLURALS}
    english = tables["en"]
    for code, table in tables.items():
        assert list(table) == list(english), f"{code}.json and en.json have other keys: {set(table) ^ set(english)}"
        for key, text in table.items():
            assert values_of(text) == values_of(english[key]), f"{code}.json, {key}: {values_of(text)}"
            if not isinstance(text, str):
                assert len(text) == PLURALS[code], f"{code}.json, {key}: {len(text)} forms, {PLURALS[code]} expected"
    used = (page / "src/index.html").read_text(encoding="utf-8")
    for key in re.findall(r'data-t(?:-\w+)?="([^"]+)"', used):
        assert key in english, f"index.html uses {key}, which no language has"


def rebuild(page, folder):
    """The page built anew, or None without npm's packages."""
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    copy = pathlib.Path(folder) / "page"
    shutil.copytree(page, copy, ignore=shutil.ignore_patterns("node_modules", "built"))
    install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    done = subprocess.run(install, cwd=copy, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr[-1000:])
        return None
    subprocess.run(["npm", "run", "build"], cwd=copy, check=True)
    return copy / "built"


def main():
    page = pathlib.Path(sys.argv[2]) / "tools/serve/page"
    built = page / "built"
    check_weight(built)
    check_markup(built)
    check_texts(page)
    with tempfile.TemporaryDirectory() as folder:
        again = rebuild(page, folder)
        if again is None:
            print("skipped: npm or the packages of the page cannot be had")
            sys.exit(77)
        names = sorted(path.name for path in again.iterdir())
        assert names == sorted(path.name for path in built.iterdir()), f"built files: {names}"
        for name in names:
            assert (again / name).read_bytes() == (built / name).read_bytes(), \
                f"built/{name} is not what its sources give: run `npm run build` in tools/serve/page"


if __name__ == "__main__":
    main()
