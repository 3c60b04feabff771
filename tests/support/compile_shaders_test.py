#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_shaders_test.py COMPILE_SHADERS GLSLANG: several kernels in a file, the shared memory of each, and what is
refused."""
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = "#version 460\n"
BODY = """
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint ROWS = 4;
layout(constant_id = 1) const uint WIDE = 0;
layout(binding = 0) buffer A { float a[]; };
"""
MAIN = "void main() { a[gl_LocalInvocationIndex] = 1.0; }\n"
failures = []


def compile_text(text):
    """(exit status, header, code, message)"""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "one.comp"
        source.write_text(text, encoding="utf-8")
        out = pathlib.Path(folder) / "out"
        result = subprocess.run([sys.executable, sys.argv[1], "--glslang", sys.argv[2], "--source", str(source),
                                 "--output", str(out)], capture_output=True, text=True)
        if result.returncode:
            return result.returncode, "", "", result.stderr
        return 0, out.with_suffix(".h").read_text(), out.with_suffix(".cpp").read_text(), ""


def expect(condition, what):
    if not condition:
        failures.append(what)


def shared_bytes(header, constants):
    """What the function in the header returns."""
    body = re.search(r"shared_bytes_0\(.*?\) \{(.*?)\n\}", header, re.S).group(1)
    body = re.sub(r"const uint32_t (\w+) = ", r"\1 = ", re.sub(r"(\d)u\b", r"\1", body))
    body = re.sub(r"\((\w+(?:\[\d+\])?) \? (.*?) : (.*?)\)", r"(\2 if \1 else \3)", body)
    names = {"c": constants}
    for line in body.replace("return ", "result = ").split(";"):
        exec(line.strip(), names)
    return int(names["result"])


def refused(text, message):
    status, _, _, error = compile_text(text)
    expect(status == 1 and message in error, f"expected '{message}', got {status}: {error}")


# One kernel, under the file's name; without shared memory.
status, header, code, error = compile_text(HEAD + BODY + MAIN)
expect(status == 0 and "Shader one{" in header and "nullptr" in header, error or header)
expect("PackedCode one_pack" in code, code)

# Shared memory from constants: rows of 17 vec4, twice as many where it is wide, and a word.
text = HEAD + BODY + "shared vec4 x[ROWS * 17 * (WIDE != 0 ? 2 : 1)];\nshared uint y;\n" + MAIN.replace(
    "= 1.0", "= x[0].x + float(y)")
status, header, code, error = compile_text(text)
expect(status == 0, error)
for constants, expected in (([4, 0], 4 * 17 * 16 + 4), ([8, 1], 8 * 34 * 16 + 4)):
    found = shared_bytes(header, constants) if status == 0 else None
    expect(found == expected, f"shared memory with {constants}: expected {expected}, got {found}")

# Several kernels: macros, and variants of one, of the others.
text = (HEAD + "#pragma variants(T = float, float16_t)\n#pragma kernel(first)  // (a comment)\n#pragma kernel(second)\n"
        "#pragma variants(T = float)\n" + BODY + "#if KERNEL_second\nlayout(binding = 1) buffer B { float b[]; };\n"
        "#endif\n#if KERNEL_first == KERNEL_second\n#error one of them\n#endif\n" + MAIN)
status, header, code, error = compile_text(text)
expect(status == 0, error)
for line in ("Shader first{\"first\", first_variants, 0, 1,", "Shader second{\"second\", second_variants, 0, 2,",
             "{&one_pack, 0, "):
    expect(line in header, f"expected '{line}' in {header}")
expect("second_f16" not in header, header)
places = [tuple(map(int, m)) for m in re.findall(r"\{&one_pack, (\d+), (\d+), 0x", header)]
ends = [begin + words for begin, words in places]
expect(len(places) == 3 and [0, *ends[:-1]] == [begin for begin, _ in places], f"the variants' places: {places}")
size = int(re.search(r"bytes\[(\d+)\]", code).group(1))
expect(size == 4 * ends[-1], f"{ends[-1]} words in {size} bytes")

refused(HEAD + "#pragma kernel(First)\n" + BODY + MAIN, "in snake_case")
refused(HEAD + BODY + "layout(binding = 2) buffer C { float c[]; };\n" + MAIN, "binding 1 is missing")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
