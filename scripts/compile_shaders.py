#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles one .comp file, reflects its SPIR-V and writes what lib/vulkan/shader.h describes.

A file names its variants; each variant is the same source with other macros:

    #pragma variants(T = float, float16_t)
    #pragma variants(T W = float float, float float16_t, float16_t float16_t)

Each macro M becomes -DM=<type> and -DM_IS_F16=<0|1> (also _I8, _I32, _U32, _Q8, _Q4); USES_F16, USES_I8 say whether any
macro has that type. q8 and q4 are not types of GLSL: such a macro is only tested. Without the line there is one variant
whose key is all f32.

A file may hold several kernels:

    #pragma kernel(gru_step)

Each is the same source with KERNEL_<name> as 1, and as 0 for the others. Variants named after such a line are of that
kernel alone, those before the first one of every kernel without its own. Without the line the kernel has the file's
name.

Written: OUT.h, the constexpr tables, and OUT.cpp, the code of all variants as one pack, since they differ in little:
compressed where --zstd names that program, else as it is. Both are refused (exit 1) when variants of a kernel differ in
their interface, since one host call serves them all.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

DTYPES = {"float": "f32", "float16_t": "f16", "int8_t": "i8", "int16_t": "i16", "int": "i32", "uint": "u32",
          "bfloat16_t": "bf16", "q8": "q8", "q4": "q4"}
MAX_KEY_TYPES = 3
MAX_PUSH_BYTES = 128
MAX_BUFFERS = 16
MAX_SPEC_CONSTANTS = 16

# Extensions newer than the oldest compiler in use: a variant that needs one is left out where it is unknown.
OPTIONAL_EXTENSIONS = ("GL_KHR_cooperative_matrix", "GL_NV_cooperative_matrix2", "GL_EXT_integer_dot_product",
                       "GL_EXT_bfloat16")

# SPIR-V capability -> name in ShaderNeeds ("" = every Vulkan 1.2 device has it).
CAPABILITIES = {
    0: "", 1: "", 46: "",                                    # Matrix, Shader, SampledBuffer
    9: "kNeedsFloat16", 11: "kNeedsInt64", 22: "kNeedsInt16", 39: "kNeedsInt8",
    4433: "kNeedsStorage16", 4448: "kNeedsStorage8",
    61: "kNeedsSubgroupBasic", 63: "kNeedsSubgroupArithmetic",
    65: "kNeedsSubgroupShuffle",
    6016: "kNeedsIntegerDot", 6017: "kNeedsIntegerDot", 6018: "kNeedsIntegerDot", 6019: "kNeedsIntegerDot",
    6022: "kNeedsCooperativeMatrix",
    **dict.fromkeys((5430, 5431, 5432, 5433, 5439), "kNeedsCooperativeMatrix2"),
}
# Operations on constants of 32 bits, as C++.
OPERATIONS = {
    124: "{0}", 128: "({0} + {1})", 130: "({0} - {1})", 132: "({0} * {1})",
    134: "({1} ? {0} / {1} : 0u)", 137: "({1} ? {0} % {1} : 0u)",
    166: "({0} || {1})", 167: "({0} && {1})", 168: "!{0}", 169: "({0} ? {1} : {2})",
    164: "({0} == {1})", 165: "({0} != {1})", 170: "({0} == {1})", 171: "({0} != {1})", 172: "({0} > {1})",
    174: "({0} >= {1})", 176: "({0} < {1})", 178: "({0} <= {1})",
    194: "({0} >> {1})", 196: "({0} << {1})", 197: "({0} | {1})", 199: "({0} & {1})",
}
VULKAN_MEMORY_MODEL = 5345  # comes with cooperative matrices, and is only allowed there


class ShaderError(Exception):
    pass


# ---------------------------------------------------------------------------------------------- source

def parse_variants(text, where):
    """[(macros, types)] in the order of the file: [(("T",), ("float",)), ...]."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*#\s*pragma\s+variants\s*\((.*)\)\s*(?://.*)?$", line)
        if not match:
            continue
        left, equals, right = match.group(1).partition("=")
        macros = tuple(left.split())
        if not equals or not macros:
            raise ShaderError(f"{where}: expected '#pragma variants(MACRO... = type..., type...)', got: {line.strip()}")
        if len(macros) > MAX_KEY_TYPES:
            raise ShaderError(f"{where}: {len(macros)} macros in one variants line, at most {MAX_KEY_TYPES}")
        for choice in right.split(","):
            types = tuple(choice.split())
            if len(types) != len(macros):
                raise ShaderError(f"{where}: '{choice.strip()}' names {len(types)} types for {len(macros)} macros")
            for name in types:
                if name not in DTYPES:
                    raise ShaderError(f"{where}: unknown type '{name}', known: {', '.join(DTYPES)}")
            found.append((macros, types))
    keys = [types for _, types in found]
    if len(set(keys)) != len(keys):
        raise ShaderError(f"{where}: a variant is listed twice")
    return found or [((), ())]


def parse_kernels(text, stem, where):
    """[(name, macros, variants)] in the order of the file."""
    parts = re.split(r"^[ \t]*#[ \t]*pragma[ \t]+kernel[ \t]*\(([^)]*)\).*$", text, flags=re.M)
    names = [name.strip() for name in parts[1::2]] or [stem]
    for name in names:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise ShaderError(f"{where}: a kernel's name, '{name}', is its C++ name, in snake_case")
    common, kernels = parse_variants(parts[0], where), []
    for i, name in enumerate(names):
        own = parse_variants(parts[2 * i + 2], where) if len(parts) > 1 else common
        flags = [f"-DKERNEL_{other}={int(other == name)}" for other in names] if len(parts) > 1 else []
        kernels.append((name, flags, common if own == [((), ())] else own))
    return kernels


def variant_macros(macros, types):
    defines = {"USES_F16": 0, "USES_I8": 0, "USES_BF16": 0}
    for macro, name in zip(macros, types):
        defines[macro] = name
        for glsl, suffix in (("float16_t", "F16"), ("int8_t", "I8"), ("uint", "U32"), ("bfloat16_t", "BF16"),
                             ("int", "I32"), ("q8", "Q8"), ("q4", "Q4")):
            defines[f"{macro}_IS_{suffix}"] = int(name == glsl)
            if name == glsl and suffix not in ("U32", "I32", "Q8", "Q4"):
                defines[f"USES_{suffix}"] = 1
    return [f"-D{key}={value}" for key, value in defines.items()]


def included_files(path, include_dirs, seen=None):
    """Every file a shader reads, itself first, for the depfile."""
    seen = {} if seen is None else seen
    path = pathlib.Path(os.path.normpath(path))
    if path in seen:
        return list(seen)
    seen[path] = True
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        for folder in (path.parent, *include_dirs):
            if (folder / name).is_file():
                included_files(folder / name, include_dirs, seen)
                break
    return list(seen)


# ------------------------------------------------------------------------------------------ reflection

class Module:
    """The part of a SPIR-V module that describes its interface."""

    def __init__(self, data):
        words = struct.unpack(f"<{len(data) // 4}I", data)
        if len(words) < 5 or words[0] != 0x07230203:
            raise ShaderError("the compiler wrote something that is not SPIR-V")
        self.capabilities = []
        self.decorations = {}         # id -> {decoration: operand or None}
        self.member_decorations = {}  # id -> {member: {decoration: operand or None}}
        self.types = {}               # id -> (opcode, operands)
        self.constants = {}           # id -> first word of the value
        self.operations = {}          # id -> (opcode, operands): of specialisation constants
        self.variables = []           # (id, pointer type, storage class)
        at = 5
        while at < len(words):
            count, opcode = words[at] >> 16, words[at] & 0xFFFF
            if count == 0:
                raise ShaderError("malformed SPIR-V")
            operands = words[at + 1:at + count]
            self._read(opcode, operands)
            at += count

    def _read(self, opcode, ops):
        if opcode == 17:                                   # OpCapability
            self.capabilities.append(ops[0])
        elif opcode == 71:                                 # OpDecorate
            self.decorations.setdefault(ops[0], {})[ops[1]] = ops[2] if len(ops) > 2 else None
        elif opcode == 72:                                 # OpMemberDecorate
            members = self.member_decorations.setdefault(ops[0], {})
            members.setdefault(ops[1], {})[ops[2]] = ops[3] if len(ops) > 3 else None
        elif 19 <= opcode <= 33:                           # OpType*
            self.types[ops[0]] = (opcode, ops[1:])
        elif opcode in (43, 50):                           # OpConstant, OpSpecConstant
            self.constants[ops[1]] = ops[2]
        elif opcode in (41, 42, 48, 49):                   # true or false
            self.constants[ops[1]] = opcode in (41, 48)
        elif opcode == 52:                                 # OpSpecConstantOp
            self.operations[ops[1]] = (ops[2], ops[3:])
        elif opcode == 59:                                 # OpVariable
            self.variables.append((ops[1], ops[0], ops[2]))

    def pointee(self, pointer):
        return self.types[pointer][1][1]

    def size_of(self, type_id):
        """Bytes of a push-constant member; only 4-byte scalars and arrays of them agree with C++ for sure."""
        opcode, ops = self.types[type_id]
        if opcode in (21, 22) and ops[0] == 32:            # int, float
            return 4
        if opcode == 28:                                   # array
            stride = self.decorations.get(type_id, {}).get(6, 0)
            if stride != self.size_of(ops[0]):
                raise ShaderError("an array in the push constants is padded; use 4-byte scalars")
            return stride * self.constants[ops[1]]
        if opcode == 30:                                   # struct
            members = self.member_decorations.get(type_id, {})
            return max((members[i][35] + self.size_of(t) for i, t in enumerate(ops)), default=0)
        raise ShaderError("the push constants hold something other than 4-byte scalars")

    def interface(self):
        """(push_bytes, buffers, reads, writes, texels, spec_constants)"""
        push_bytes, bindings, texels = 0, {}, 0
        for variable, pointer, storage in self.variables:
            decorations = self.decorations.get(variable, {})
            if storage == 9:                               # PushConstant
                push_bytes = max(push_bytes, self.size_of(self.pointee(pointer)))
            elif storage == 12:                            # StorageBuffer
                self._add_buffer(bindings, variable, pointer)
            elif storage == 0 and self._is_texel_buffer(self.pointee(pointer)):
                texels |= 1 << self._binding(decorations)
                bindings[decorations[33]] = (True, False)
            elif storage in (0, 2):                        # UniformConstant, Uniform
                raise ShaderError(f"binding {decorations.get(33)} is not a storage buffer")
        if push_bytes > MAX_PUSH_BYTES:
            raise ShaderError(f"push constants take {push_bytes} bytes, a device guarantees {MAX_PUSH_BYTES}")
        self._check_dense(sorted(bindings), "binding", MAX_BUFFERS)
        ids = sorted({d[1] for d in self.decorations.values() if 1 in d})
        self._check_dense(ids, "constant_id", MAX_SPEC_CONSTANTS)
        reads = sum(1 << b for b, (r, _) in bindings.items() if r)
        writes = sum(1 << b for b, (_, w) in bindings.items() if w)
        return push_bytes, len(bindings), reads, writes, texels, len(ids)

    @staticmethod
    def _binding(decorations):
        if 33 not in decorations or decorations.get(34, 0) != 0:
            raise ShaderError("a buffer without binding, or in a descriptor set other than 0")
        return decorations[33]

    def _is_texel_buffer(self, type_id):
        opcode, ops = self.types[type_id]
        return opcode == 25 and ops[1] == 5 and ops[5] == 1  # OpTypeImage, Buffer, for reading with texelFetch

    def _add_buffer(self, bindings, variable, pointer):
        decorations = self.decorations.get(variable, {})
        binding, block = self._binding(decorations), self.pointee(pointer)
        opcode, members = self.types[block]
        if opcode != 30:
            raise ShaderError(f"binding {binding} is an array of buffers")
        per_member = self.member_decorations.get(block, {})

        def all_have(decoration):
            return decoration in decorations or all(decoration in per_member.get(i, {}) for i in range(len(members)))
        readable, writable = not all_have(25), not all_have(24)    # NonReadable, NonWritable
        before = bindings.get(binding, (False, False))             # two views of one buffer add up
        bindings[binding] = (before[0] or readable, before[1] or writable)

    def shared_bytes(self):
        """Statements of C++ that return the bytes of shared memory, from the constants `c`."""
        lines, named = [], {}

        def value(an_id):
            if 1 in self.decorations.get(an_id, {}):
                return f"c[{self.decorations[an_id][1]}]"
            if an_id in self.constants:
                return f"{int(self.constants[an_id])}u"
            if an_id not in named:
                opcode, ops = self.operations[an_id]
                if opcode not in OPERATIONS:
                    raise ShaderError(f"shared memory whose size comes from operation {opcode}")
                expression = OPERATIONS[opcode].format(*map(value, ops))
                named[an_id] = f"v{len(named)}"
                lines.append(f"const uint32_t {named[an_id]} = {expression};")
            return named[an_id]

        def bytes_of(type_id):
            opcode, ops = self.types[type_id]
            if opcode in (21, 22):                         # int, float
                return f"{ops[0] // 8}u"
            if opcode == 23:                               # vector; three take the room of four
                return f"{4 if ops[1] == 3 else ops[1]}u * {bytes_of(ops[0])}"
            if opcode == 28:
                return f"{value(ops[1])} * {bytes_of(ops[0])}"
            raise ShaderError("shared memory of something other than arrays of numbers")

        sizes = [bytes_of(self.pointee(pointer)) for _, pointer, storage in self.variables if storage == 4]
        return lines + [f"return {' + '.join(sizes)};"] if sizes else []

    @staticmethod
    def _check_dense(numbers, what, limit):
        for expected, number in enumerate(numbers):
            if number != expected:
                raise ShaderError(f"{what} {expected} is missing (declared and unused counts, if the compiler drops "
                                  f"it); found {', '.join(map(str, numbers))}")
        if len(numbers) > limit:
            raise ShaderError(f"{len(numbers)} of {what}, at most {limit}")

    def needs(self):
        names = set()
        for capability in self.capabilities:
            if capability == VULKAN_MEMORY_MODEL and 6022 in self.capabilities:
                continue
            names.add(CAPABILITIES.get(capability, "kNeedsUnknown"))
        return sorted(names - {""})


# ------------------------------------------------------------------------------------------- compiling

def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def missing_extensions(output):
    return [e for e in OPTIONAL_EXTENSIONS if re.search(rf"extension not supported: {e}\b", output)]


def target(source):
    """The oldest Vulkan that knows what the file uses."""
    return "vulkan1.3" if "GL_NV_cooperative_matrix2" in source.read_text(encoding="utf-8") else "vulkan1.2"


def glslang_command(args, source, output, defines):
    include = [args.source.parent, *args.include] if args.source else args.include
    return [args.glslang, "-V", "--target-env", target(source), "--quiet",
            *[f"-I{folder}" for folder in include], *defines, "-o", str(output), str(source)]


def with_include_directive(text):
    """glslang wants an extension for #include; the sources do without that line."""
    return re.sub(r"^(\s*#\s*version[^\n]*\n)", r"\1#extension GL_GOOGLE_include_directive : enable\n#line 2\n", text,
                  count=1, flags=re.M)


def compile_variant(args, source, flags, macros, types):
    """(words, interface, needs, shared bytes), or None where the compiler is too old for it."""
    folder = source.parent
    label = ",".join(f"{m}={t}" for m, t in zip(macros, types)) or "only variant"
    plain, optimised = folder / "plain.spv", folder / "optimised.spv"
    result = run(glslang_command(args, source, plain, flags + variant_macros(macros, types)))
    if result.returncode != 0:
        missing = missing_extensions(result.stdout)
        if missing:
            return None
        message = result.stdout.strip().replace(str(source), str(args.source))
        raise ShaderError(f"{args.source} ({label}):\n{message}")
    module = Module(plain.read_bytes())
    try:
        interface, shared_bytes = module.interface(), module.shared_bytes()
    except ShaderError as error:
        raise ShaderError(f"{args.source} ({label}): {error}") from None
    final = plain
    if args.spirv_opt:
        # Names go, and ids are numbered anew, because nobody reads them and zstd packs what is left to four fifths.
        result = run([args.spirv_opt, f"--target-env={target(source)}", "-O", "--strip-debug", "--compact-ids", str(plain),
                      "-o", str(optimised)])
        if result.returncode != 0:
            raise ShaderError(f"{args.source} ({label}): spirv-opt failed\n{result.stdout.strip()}")
        final = optimised
    if args.spirv_val:
        result = run([args.spirv_val, "--target-env", target(source), str(final)])
        if result.returncode != 0:
            raise ShaderError(f"{args.source} ({label}): invalid SPIR-V\n{result.stdout.strip()}")
    data = final.read_bytes()
    return struct.unpack(f"<{len(data) // 4}I", data), interface, module.needs(), shared_bytes


# --------------------------------------------------------------------------------------------- writing

def variant_name(shader, types):
    return "_".join([shader, *(DTYPES[t] for t in types)])


def fnv1a(words):
    """As lib/vulkan/cache_file.h has it."""
    value = 0xcbf29ce484222325
    for byte in struct.pack(f"<{len(words)}I", *words):
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def table_lines(shader, interface, variants, pack, at):
    """Of one kernel, whose first variant begins at word `at` of the file's pack."""
    push_bytes, buffers, reads, writes, texels, spec_constants = interface
    lines = []
    if variants:
        functions = {}  # variants with the same text share one
        for *_, shared_bytes in variants:
            if not shared_bytes or tuple(shared_bytes) in functions:
                continue
            name = functions[tuple(shared_bytes)] = f"{shader}_shared_bytes_{len(functions)}"
            lines += [f"constexpr uint32_t {name}([[maybe_unused]] const uint32_t* c) {{",
                      *(f"    {line}" for line in shared_bytes), "}"]
        lines += [f"inline constexpr vulkan::ShaderVariant {shader}_variants[] = {{"]
        for types, words, needs, shared_bytes in variants:
            function = functions.get(tuple(shared_bytes), "nullptr")
            key = ", ".join(f"DType::{DTYPES[t]}" for t in types)
            mask = " | ".join(f"vulkan::{n}" for n in needs) or "0"
            code = f"{{&{pack}, {at}, {len(words)}, {fnv1a(words):#x}}}"
            lines.append(f"    {{vulkan::VariantKey{{{key}}}, {code}, {mask}, {function}}},")
            at += len(words)
        lines += ["};"]
        table = f"{shader}_variants"
    else:
        table = "{}"  # this compiler knows none of them
    lines += [f'inline constexpr vulkan::Shader {shader}{{"{shader}", {table}, {push_bytes}, {buffers}, '
              f"{reads:#x}, {writes:#x}, {texels:#x}, {spec_constants}}};"]
    return lines


def header_text(origin, pack, kernels):
    lines = ["// SPDX-License-Identifier: Apache-2.0", f"// Written by scripts/compile_shaders.py from {origin}.",
             "#pragma once", '#include "vulkan/shader.h"', "namespace dragoman::spv {",
             f"extern const vulkan::PackedCode {pack};"]
    at = 0
    for shader, interface, variants in kernels:
        lines += table_lines(shader, interface, variants, pack, at)
        at += sum(len(words) for _, words, *_ in variants)
    return "\n".join([*lines, "}", ""])


def packed(args, words):
    plain = struct.pack(f"<{len(words)}I", *words)
    if not args.zstd:
        return plain
    result = subprocess.run([args.zstd, "-19", "--no-check", "--quiet", "--stdout"], input=plain,
                            stdout=subprocess.PIPE)
    if result.returncode != 0:
        raise ShaderError(f"{args.zstd}: exit status {result.returncode}")
    return result.stdout


def source_text(args, origin, pack, kernels):
    words = [word for _, _, variants in kernels for _, code, *_ in variants for word in code]
    data = packed(args, words)
    lines = ["// SPDX-License-Identifier: Apache-2.0", f"// Written by scripts/compile_shaders.py from {origin}.",
             '#include "vulkan/shader.h"', "namespace dragoman::spv {", "namespace {",
             f"alignas(4) constexpr unsigned char {pack}_bytes[{max(len(data), 1)}] = {{"]
    lines += [",".join(map(str, data[i:i + 32])) + "," for i in range(0, len(data), 32)]
    lines += ["};", "}", f"extern const vulkan::PackedCode {pack};",
              f"constinit const vulkan::PackedCode {pack}{{{{{pack}_bytes, {len(data)}}}, {len(words)}}};",
              "}", ""]
    return "\n".join(lines)


def compile_kernel(args, source, name, flags, choices):
    """(name, interface, variants)"""
    interface, variants = None, []
    for macros, types in choices:
        if args.empty:
            continue
        compiled = compile_variant(args, source, flags, macros, types)
        if compiled is None:
            continue
        words, found, needs, shared_bytes = compiled
        if interface is not None and found != interface:
            raise ShaderError(f"{args.source}: variants of {name} differ in their interface (push bytes, buffers, "
                              f"reads, writes, texels, constants): {interface} and, for {' '.join(types)}, {found}")
        interface = found
        variants.append((types, words, needs, shared_bytes))
    return name, interface or (0, 0, 0, 0, 0, 0), variants


def compile_shader(args):
    text = args.source.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        source_copy = pathlib.Path(scratch) / args.source.name
        source_copy.write_text(with_include_directive(text), encoding="utf-8")
        kernels = [compile_kernel(args, source_copy, *kernel)
                   for kernel in parse_kernels(text, args.source.stem, args.source)]
    origin = "/".join(args.source.parts[-2:])
    header, source = args.output.with_suffix(".h"), args.output.with_suffix(".cpp")
    header.parent.mkdir(parents=True, exist_ok=True)
    pack = f"{args.source.stem}_pack"
    header.write_text(header_text(origin, pack, kernels), encoding="utf-8")
    source.write_text(source_text(args, origin, pack, kernels), encoding="utf-8")
    if args.depfile:
        inputs = included_files(args.source, args.include)
        escaped = " ".join(str(p).replace(" ", "\\ ") for p in inputs)
        args.depfile.write_text(f"{source}: {escaped}\n", encoding="utf-8")


def probe(args):
    """Prints the extensions that files in a folder ask for and this compiler does not know, with semicolons."""
    texts = [path.read_text(encoding="utf-8") for suffix in ("comp", "glsl", "h")
             for path in args.probe.rglob(f"*.{suffix}")]
    missing = []
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "probe.comp"
        for extension in OPTIONAL_EXTENSIONS:
            if not any(re.search(rf"#\s*extension\s+{extension}\b", text) for text in texts):
                continue
            source.write_text(f"#version 460\n#extension {extension} : require\nvoid main() {{}}\n", encoding="utf-8")
            result = run(glslang_command(args, source, source.with_suffix(".spv"), []))
            if result.returncode != 0:
                missing.append(extension)
    print(";".join(missing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glslang", required=True, help="glslang or glslangValidator")
    parser.add_argument("--spirv-opt", default="", help="optional")
    parser.add_argument("--spirv-val", default="", help="optional")
    parser.add_argument("--zstd", default="", help="optional")
    parser.add_argument("--empty", action="store_true", help="no variant at all: the kernels are there and never run")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[], help="folder for #include")
    parser.add_argument("--source", type=pathlib.Path, help="the .comp file")
    parser.add_argument("--output", type=pathlib.Path, help="path of the two files, without suffix")
    parser.add_argument("--depfile", type=pathlib.Path)
    parser.add_argument("--probe", type=pathlib.Path, metavar="FOLDER",
                        help="only list the extensions that shaders in FOLDER use and the compiler lacks")
    args = parser.parse_args()
    if args.probe:
        return probe(args)
    if not args.source or not args.output:
        parser.error("--source and --output are needed")
    compile_shader(args)


if __name__ == "__main__":
    try:
        main()
    except ShaderError as error:
        sys.exit(str(error))
