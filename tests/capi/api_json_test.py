#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""api_json_test.py REPOSITORY CC: api.json is what the headers say and what a C compiler makes of them, the tables of
the bindings are made from it, stale ones are noticed, and the reader takes what headers may come to have."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, CC = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "capi" / "tools"))
from c_items import HeaderError  # noqa: E402
from make_api import make  # noqa: E402

API = json.loads((ROOT / "capi" / "api.json").read_text(encoding="utf-8"))
MAKE_API = ROOT / "capi" / "tools" / "make_api.py"
TABLES = [ROOT / "bindings" / script for script in (
    "python/tools/make_abi.py", "node/tools/make_tables.py", "rust/tools/make_sys.py", "go/tools/make_go.py")]
# Scripts that a binding's build calls, and what they write for an option that is called max_length.
AT_BUILD_TIME = {"java/tools/make_java.py": ("java/dev/dragoman/ScoreOptions.java", "Builder maxLength(long value)"),
                 "csharp/tools/make_csharp.py": ("Options.cs", "long? MaxLength")}

HEADER = """
#ifndef T_H
#define T_H
/** @file
 * A header. */
#include <stdint.h>
#if defined(_WIN32)
#  define T_API __declspec(dllexport)
#else
#  define T_API __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif
/** Two to the power of `n`. */
#define T_BIT(n) (1u << (n))
/** Bits. */
#define T_MANY (T_BIT(3) | 0x40u) /**< of them */
#define T_NAME "dragoman" /**< text */
/** Statuses. */
typedef enum dragoman_status { DRAGOMAN_OK = 0, /**< fine */ DRAGOMAN_BAD, /**< not */ } dragoman_status;
/** A handle. */
typedef struct dragoman_thing dragoman_thing;
/** An older name of a number. */
typedef uint64_t dragoman_id;
/** A part. */
typedef struct dragoman_part { char tag[3]; /**< text */ double value; /**< number */ } dragoman_part;
/** Options. Flags are 0 (default) or 1. */
typedef struct dragoman_thing_options {
    uint32_t struct_size;          /**< bytes */
    int32_t on, off;               /**< both */
    dragoman_part parts[2][T_BIT(1)]; /**< in a grid */
    const char* const* languages;  /**< codes; NULL (default): all */
    size_t language_count;         /**< of them */
    void (*lock)(void* user);      /**< NULL (default): none */
    void* user;                    /**< for lock */
    unsigned long words;           /**< whose size differs; default 7 */
    uint8_t end;                   /**< last */
} dragoman_thing_options;
/** Feeds. Any thread. Since 1.2. */
typedef int32_t (*dragoman_feed_fn)(const dragoman_part* parts, size_t count, void* user);
/** Opens. `options` NULL: the defaults. Statuses: DRAGOMAN_BAD. */
T_API dragoman_status dragoman_thing_open(const char* const* names, size_t name_count, dragoman_feed_fn feed,
                                          void* user, const dragoman_thing_options* options, dragoman_thing** thing);
/** Ends. */
T_API void dragoman_thing_destroy(dragoman_thing* thing);
/** The parts, as many as `count` gets; `count` NULL: nobody asks. As dragoman_thing_open(). */
T_API dragoman_status dragoman_thing_parts(const dragoman_thing* thing, const dragoman_part** parts, size_t* count);
/** What it is called. As dragoman_thing_open(). */
T_API dragoman_status dragoman_thing_name(const dragoman_thing* thing, const char** name);
/** Twice. */
static inline int32_t dragoman_twice(int32_t number) { if (number) { return number * 2; } return 0; }
#ifdef __cplusplus
}
#endif
#endif
"""
NOTES = {"dragoman_feed_fn": {"thread": "library"}, "dragoman_thing": {"keeps_callbacks": True},
         "dragoman_twice.number": {"number": True}}


def run(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, encoding="utf-8")


class CheckedIn(unittest.TestCase):
    def test_nothing_is_stale(self):
        for script in (MAKE_API, *TABLES):
            done = run(script, "--check")
            self.assertEqual(done.returncode, 0, done.stderr)

    def changed(self, place):
        """Headers and api.json in a folder, with an option that has another name."""
        shutil.copytree(ROOT / "capi" / "include" / "dragoman", place / "dragoman")
        header = place / "dragoman" / "score.h"
        text = header.read_text(encoding="utf-8")
        header.write_text(text.replace("max_input_length; /**<", "max_length; /**<"), encoding="utf-8")
        done = run(MAKE_API, "--include", place / "dragoman", "--out", place / "api.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return place / "api.json"

    def test_stale_files_are_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            api = self.changed(pathlib.Path(folder))
            done = run(MAKE_API, "--include", api.parent / "dragoman", "--check")
            self.assertIn("is not what the headers say", done.stderr)
            for script in TABLES:
                done = run(script, "--api", api, "--check")
                self.assertIn("is not what api.json says", done.stderr)

    def test_sources_made_at_build_time_follow(self):
        with tempfile.TemporaryDirectory() as folder:
            api = self.changed(pathlib.Path(folder))
            for script, (written, option) in AT_BUILD_TIME.items():
                old, new = api.parent / "old", api.parent / "new"
                for arguments in ([old], ["--api", api, new]):
                    done = run(ROOT / "bindings" / script, *arguments)
                    self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn(option, (old / written).read_text(encoding="utf-8"))
                self.assertIn(option, (new / written).read_text(encoding="utf-8"))

    def test_functions_are_those_of_the_baseline(self):
        lines = (ROOT / "tests" / "capi" / "abi.txt").read_text().splitlines()
        self.assertEqual({one["name"] for one in API["functions"] if not one["inline"]},
                         {line.split()[1] for line in lines if line.startswith("function ")})

    def test_the_compiler_agrees(self):
        facts = []
        for struct in API["structs"]:
            layout = struct["layout"]["lp64"]
            facts.append(f"sizeof({struct['name']}) == {layout['size']}")
            facts += [f"offsetof({struct['name']}, {field['name']}) == {offset}"
                      for field, offset in zip(struct["fields"], layout["offsets"], strict=True)]
        facts += [f"{one['name']} == {one['value']}" for enum in API["enumerations"] for one in enum["enumerators"]]
        facts += [f"{one['name']} == {one['value']}" for one in API["constants"] if isinstance(one["value"], int)]
        self.assertGreater(len(facts), 250)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "facts.c"
            lines = [f'_Static_assert({fact}, "{fact}");' for fact in ["sizeof(void*) == 8", *facts]]
            source.write_text("#include <dragoman/dragoman.h>\n" + "\n".join(lines) + "\n", encoding="utf-8")
            done = subprocess.run([CC, "-std=c11", "-fsyntax-only", "-I", ROOT / "capi" / "include", source],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


class Reader(unittest.TestCase):
    def made(self, header=HEADER, notes=NOTES):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "t.h").write_text(header, encoding="utf-8")
            return json.loads(make(pathlib.Path(folder), "t.h", notes))

    def test_values(self):
        api = self.made()
        self.assertEqual([(c["name"], c["value"], c["type"]) for c in api["constants"]],
                         [("T_MANY", 72, "uint32_t"), ("T_NAME", "dragoman", "const char*")])
        self.assertEqual(api["constants"][0]["doc"], "Bits. of them")
        self.assertEqual([e["value"] for e in api["enumerations"][0]["enumerators"]], [0, 1])
        self.assertEqual(api["callbacks"][0]["since"], "1.2")

    def test_structs(self):
        part, options = self.made()["structs"]
        self.assertEqual(part["layout"]["lp64"], {"size": 16, "alignment": 8, "offsets": [0, 8]})
        self.assertEqual(options["layout"]["lp64"],
                         {"size": 128, "alignment": 8, "offsets": [0, 4, 8, 16, 80, 88, 96, 104, 112, 120]})
        self.assertEqual(options["layout"]["llp64"]["offsets"][-2:], [112, 116])
        fields = {field["name"]: field for field in options["fields"]}
        self.assertEqual(fields["parts"]["type"]["array"], [2, 2])
        self.assertEqual((fields["languages"]["role"], fields["languages"]["count"]), ("array", "language_count"))
        self.assertEqual(fields["languages"]["type"]["c"], "const char* const*")
        self.assertTrue(fields["languages"]["nullable"] and fields["off"]["flag"] and fields["on"]["doc"] == "both")
        self.assertEqual((fields["lock"]["role"], fields["user"]["of"], fields["words"]["default"]),
                         ("callback", "lock", 7))

    def test_functions(self):
        opened, ended, parts, named, twice = self.made()["functions"]
        names, count, feed, user, options, thing = opened["parameters"]
        self.assertEqual((names["role"], names["count"], feed["callbacks_until"], user["of"]),
                         ("array", "name_count", "dragoman_thing_destroy", "feed"))
        self.assertEqual((thing["direction"], thing["ownership"], options["nullable"]), ("out", "caller", True))
        self.assertEqual(ended["parameters"][0]["ownership"], "taken")
        self.assertEqual((parts["parameters"][1]["borrowed_from"], parts["parameters"][2]["nullable"]), ("thing", True))
        self.assertEqual([parts["parameters"][1][key] for key in ("role", "count", "direction")],
                         ["array", "count", "out"])
        self.assertEqual([named["parameters"][1][key] for key in ("role", "direction", "ownership")],
                         ["text", "out", "borrowed"])
        self.assertEqual((names["direction"], parts["statuses"], twice["inline"]), ("in", ["DRAGOMAN_BAD"], True))

    def test_python_takes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "api.json").write_text(json.dumps(self.made()), encoding="utf-8")
            done = run(TABLES[0], "--api", place / "api.json", "--out", place / "abi.py")
            self.assertEqual(done.returncode, 0, done.stderr)
            table = {"__name__": "abi"}
            exec((place / "abi.py").read_text(encoding="utf-8"), table)  # noqa: S102
        options = table["ThingOptions"]
        offsets = [getattr(options, name).offset for name, _ in options._fields_]
        self.assertEqual(offsets, [0, 4, 8, 16, 80, 88, 96, 104, 112, 120])
        self.assertEqual(len(table["FUNCTIONS"]["dragoman_thing_open"][1]), 6)

    def fails(self, message, old="", new="", notes=NOTES):
        self.assertIn(old, HEADER)
        with self.assertRaises(HeaderError) as caught:
            self.made(HEADER.replace(old, new) if old else HEADER, notes)
        self.assertIn(message, str(caught.exception))

    def test_what_is_not_said(self):
        self.fails("dragoman_thing_options.vk: void*", "void* user;                    /**< for lock", "void* vk; /**< x")
        self.fails("dragoman_thing_destroy.extra: void*", "(dragoman_thing* thing);", "(dragoman_thing* thing, void* extra);")
        self.fails("speaks of NULL", "/** Ends. */\nT_API void dragoman_thing_destroy(",
                   "/** NULL does. */\nT_API void dragoman_other(dragoman_part* part, size_t* other);\n"
                   "/** Ends. */\nT_API void dragoman_thing_destroy(")
        self.fails('has no "Statuses', "Statuses: DRAGOMAN_BAD.", "")
        self.fails("no documentation", "/**< number */", "")
        self.fails("VkInstance: of unknown size", "double value", "VkInstance value")
        self.fails("dragoman_feed_fn: on which thread", notes={k: v for k, v in NOTES.items() if "feed" not in k})
        self.fails("keeps_callbacks", notes={k: v for k, v in NOTES.items() if k != "dragoman_thing"})
        self.fails("dragoman_gone: thread says nothing new", notes={**NOTES, "dragoman_gone": {"thread": "any"}})
        self.fails("union", "typedef struct dragoman_thing dragoman_thing;", "typedef union u { int a; } u;")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
