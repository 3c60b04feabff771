#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_lines_test.py REPOSITORY: what counts as a line of code in each language, and that one line too many fails."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())
SCRIPT = ROOT / "bindings" / "tools" / "count_lines.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPT.parent))
from count_lines import LIMIT, LIMITED, code, column  # noqa: E402

PARTS = {
    "a.rs": ("// c\n//! d\nuse b;\n\nfn f<'a>() {\n    let x = \"/* no\"; /* c\n    c */\n    g(r#\"//\"#, '\"') // c\n}\n",
             5),
    "a.go": ("/*\n#include <a.h>\n*/\nimport \"C\"\n\nvar x = `//\n//`\n", 3),
    "A.java": ("/** d\n * d */\nimport b;\n@Override\nint x = '\"'; // \"\n", 3),
    "A.cs": ("/// <summary>d</summary>\nstring x = @\"a\"\"//\";\n{\n}\n", 3),
    "a.py": ('"""d\nd"""\n# c\nx = """a\n# b"""\n', 2),
}


class Lines(unittest.TestCase):
    def test_code(self):
        for name, (text, lines) in PARTS.items():
            with self.subTest(name):
                self.assertEqual(code(pathlib.PurePath(name), text), lines)

    def test_column(self):
        made = "// SPDX-License-Identifier: Apache-2.0\n// Written by tools/make_sys.py.\n"
        for name, text, expected in (("src/a.rs", "", "package"), ("src/a.rs", made, "made"),
                                     ("tests/a.rs", "", "tests"),
                                     ("a_test.go", "", "tests"), ("src/test/java/A.java", "", "tests"),
                                     ("tools/make_sys.py", made, "scripts"), ("src/testing.rs", "", "package"),
                                     ("src/models.rs", "", "models"), ("models/a.go", "", "models"),
                                     ("src/Models/A.cs", "", "models"), ("src/model.rs", "", "package"),
                                     ("models/a_test.go", "", "tests"), ("src/models.rs", made, "made")):
            with self.subTest(name):
                self.assertEqual(column(pathlib.PurePath(name), text), expected)

    def test_one_line_too_many(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in LIMITED:
                (pathlib.Path(folder) / name).mkdir()
            for lines in (LIMIT, LIMIT + 1):
                (pathlib.Path(folder) / "go" / "a.go").write_text("x\n\n// c\n" * lines, encoding="utf-8")
                run = subprocess.run([sys.executable, SCRIPT, "--check", "--bindings", folder],
                                     capture_output=True, text=True)
                self.assertEqual(run.returncode, 0 if lines == LIMIT else 1, run.stderr)
            self.assertIn(f"go: {LIMIT + 1} code lines by hand, expected at most {LIMIT}", run.stderr)


unittest.main()
