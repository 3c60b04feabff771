#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme.py README.md: its programs as one, which compilers before C# 9 take: each becomes a method of its own."""
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
calls = "".join(f"        Program{number + 1}().Wait();\n" for number in range(len(programs)))
print("\n".join(sorted(names)), "static class Readme\n{", "\n".join(methods),
      f"    static void Main()\n    {{\n{calls}        Console.WriteLine(\"{len(programs)} programs ran\");\n    }}\n}}", sep="\n")
