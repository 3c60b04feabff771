#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme.py README.md: its programs as one, which compilers before C# 9 take: each becomes a method of its own. With the
argument "models" that runs those with published models, which need registries, otherwise the others."""
import pathlib
import re
import sys

programs = re.findall(r"```csharp\n(.*?)```", pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), re.S)
names, methods = {"using System;", "using System.Threading.Tasks;"}, []
for number, program in enumerate(programs):
    names |= set(re.findall(r"^using [\w.]+;$", program, re.M))
    body = re.sub(r"^using [\w.]+;\n", "", program, flags=re.M)
    if "await" not in body:
        body += "await Task.CompletedTask;\n"
    methods.append(f"    static async Task Program{number + 1}()\n    {{\n{body}    }}")
calls = "".join(f"        if (models == {str('Models.' in program).lower()} && ++ran > 0) Program{number + 1}().Wait();\n"
                for number, program in enumerate(programs))
print("\n".join(sorted(names)), "static class Readme\n{", "\n".join(methods),
      "    static void Main(string[] arguments)\n    {\n        var ran = 0;\n        var models = arguments.Length > 0;\n",
      f"{calls}        Console.WriteLine($\"{{ran}} programs ran\");\n    }}\n}}", sep="\n")
