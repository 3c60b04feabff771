#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""options_json_test.py ROOT: what is made of capi/options.json and checked in is up to date, a file that is not is named,
and so is what is wrong with the table."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "capi" / "tools"))
from options_table import Table, TableError  # noqa: E402
from options_text import regions  # noqa: E402

MADE = ("capi/include/dragoman/translator.h", "bindings/python/src/dragoman/options.py", "bindings/node/index.d.ts",
        "docs/options.md", "docs/gguf.md")
NEW = {"name": "loudness", "section": "search", "rule": "decoding", "type": "number", "default": 0.5, "min": 0, "max": 1,
       "flag": "--loudness", "comment": "how loud", "doc": "how loud"}


class OptionsTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        for name in ("capi/options.json", *MADE):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def check(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "capi" / "tools" / "make_options.py", "--root", self.root,
                               *(arguments or ["--check"])], capture_output=True, text=True)

    def change(self, change):
        path = self.root / "capi" / "options.json"
        table = json.loads(path.read_text(encoding="utf-8"))
        change(table)
        path.write_text(json.dumps(table), encoding="utf-8")

    def fault(self, said, change):
        self.change(change)
        with self.assertRaisesRegex(TableError, said):
            Table(self.root)

    def row(self, said, **keys):
        def add(table):
            table["options"].append({key: value for key, value in {**NEW, **keys}.items() if value is not None})
            table["c_fields"].append("loudness")
        self.fault(said, add)

    def test_checked_in(self):
        result = self.check()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(set(regions(Table(self.root))), set(MADE))

    def test_stale_files_are_named(self):
        for name in MADE:
            path = self.root / name
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("1 to 64", "1 to 65").replace("(greedy)", "(quick)"), encoding="utf-8")
        said = self.check().stderr
        for name in MADE:
            self.assertIn(f"{name}: differs", said)

    def test_marks(self):
        path = self.root / "docs" / "options.md"
        path.write_text(path.read_text(encoding="utf-8").replace("<!-- options: batches -->", ""), encoding="utf-8")
        self.assertIn('docs/options.md: no mark "options: batches"', self.check().stderr)

    def test_new_option_reaches_every_place(self):
        def add(table):
            table["options"].append(NEW)
            table["c_fields"].append("loudness")
        self.change(add)
        made = {name: "\n".join(texts.values()) for name, texts in regions(Table(self.root)).items()}
        self.assertIn("float loudness;", made["capi/include/dragoman/translator.h"])
        self.assertIn("/**< how loud; default 0.5 */", made["capi/include/dragoman/translator.h"])
        self.assertEqual(made["bindings/python/src/dragoman/options.py"].count("loudness: float | None"), 2)
        self.assertIn("loudness?: number;", made["bindings/node/index.d.ts"])
        self.assertIn("| `loudness` | `--loudness` | 0.5 | how loud; 0 to 1 |", made["docs/options.md"])
        folder = self.root / "cpp"
        self.assertEqual(self.check("--cpp", folder).returncode, 0)
        pieces = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.inc")}
        self.assertIn("float loudness = 0.5f;", pieces["decoding_fields.inc"])
        self.assertIn("o.loudness >= 0.0f && o.loudness <= 1.0f", pieces["decoding_checks.inc"])
        self.assertIn("to.loudness = 0.5f;", pieces["option_defaults.inc"])
        self.assertIn("result.decoding.loudness = finite(from.loudness", pieces["option_reading.inc"])
        self.assertIn('"--loudness", options.loudness', pieces["option_flags.inc"])
        self.assertIn('add("loudness", o.loudness);', pieces["decoding_key.inc"])

    def test_pieces_stay_as_they_are(self):
        folder = self.root / "cpp"
        self.check("--cpp", folder)
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.inc")}
        self.change(lambda table: table["options"][1].update(doc="another sentence"))
        self.check("--cpp", folder)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in folder.rglob("*.inc")})

    def test_order_of_the_struct(self):
        self.fault("patience: is not among c_fields", lambda table: table["c_fields"].remove("patience"))

    def test_struct_without_an_option(self):
        self.fault("loudness: is among c_fields, but no option", lambda table: table["c_fields"].append("loudness"))

    def test_twice(self):
        self.fault("beam_size: is there twice", lambda table: table["options"].append(table["options"][1]))

    def test_rows(self):
        for said, keys in (("loudness: unknown key color", {"color": 1}),
                           ("loudness: has no comment", {"comment": None}),
                           ("loudness: type: expected one of", {"type": "integer"}),
                           ("loudness: default: 2 is not in its own range, 0 to 1", {"default": 2}),
                           ("its lowest value, 1, is not below its highest, 1", {"min": 1, "default": "model"}),
                           ("engines: expected a default for each", {"gguf": "dragoman.search.loudness"}),
                           ("default: expected the first value of the enumeration loudness",
                            {"type": "enumeration", "cpp": "Loudness"})):
            with self.subTest(said):
                self.setUp()
                self.row(said, **keys)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
