#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_options_test.py ROOT [LIBRARY TOOL]: check_options.py names what is missing or differs in one place of a copy,
and nothing in the copy as it is."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_options.py")
TABLE, C, CPP, PAGE = "capi/options.json", "capi/api.json", "lib/pipeline/model/options.h", "docs/options.md"
DEFAULTS, GGUF, GGUF_PAGE = "lib/spec/search_defaults.h", "lib/families/gguf/gguf_keys.h", "docs/gguf.md"
PYTHON, NODE = "bindings/python/src/dragoman/options.py", "bindings/node/index.d.ts"
FILES = (TABLE, C, CPP, PAGE, DEFAULTS, GGUF, GGUF_PAGE, PYTHON, NODE, "capi/tools/make_options.py")
WRONG = [  # file, what stands there, what stands there instead, what the message says
    (C, '"name": "coverage_penalty"', '"name": "coverage"', f"{C}: coverage_penalty: is missing"),
    (C, "hypotheses; default 1", "hypotheses; default 2", f"{C}: patience: default: expected 1"),
    (C, "1 (greedy) to 64", "1 (greedy) to 32", f"{C}: beam_size: range: expected (1, 64)"),
    (CPP, "bool disable_unk = false;", "", ": disable_unk: is missing"),
    (CPP, "max_input_length = 1024", "max_input_length = 512", f"{CPP}: max_input_length: default: expected 1024"),
    (CPP, "std::optional<float> word_penalty{}", "float word_penalty = 0.0f", f"{CPP}: word_penalty: type"),
    (CPP, "return_tokens = true", "return_tokens = false", f"{CPP}: discard_tokens: default: expected True"),
    (DEFAULTS, "beam_size = 12;", "beam_size = 6;", f"{DEFAULTS}: beam_size: default of marian: expected 12"),
    (DEFAULTS, "uint32_t min_length = 1;", "", f"{DEFAULTS}: min_length: is missing"),
    (GGUF, "search.beam_size, {1, 64}", "search.beam_size, {1, 32}", f"{GGUF}: beam_size: range"),
    (GGUF, '{"never", spec::EarlyStopping::never}', "", f"{GGUF}: early_stopping: values"),
    (GGUF_PAGE, "`no_repeat_ngram_size`, ", "", f"{GGUF_PAGE}: dragoman.search.no_repeat_ngram_size: is missing"),
    (PYTHON, "    word_penalty: float | None = None\n", "", f"{PYTHON}: TranslateOptions: word_penalty: is missing"),
    (PYTHON, "cut; 0: no limit; default 1024", "cut; 0: no limit; default 512", ": TranslateOptions: max_input"),
    (PYTHON, "return_scores: bool | None\n", "return_scores: int | None\n", ": OptionArguments: return_scores"),
    (NODE, "    joinLines?: boolean;\n", "", f"{NODE}: joinLines: is missing"),
    (NODE, "included; 1 to 4096", "included; 1 to 2048", f"{NODE}: max_decoding_length: range"),
    (PAGE, "| `patience` | `--patience` | 1 |", "| `patience` | `--patience` | 2 |", f"{PAGE}: differs"),
    (PAGE, "<!-- options: batches -->\n", "", f"{PAGE}: no table for batches"),
    (TABLE, '"range": "1 to 64"', '"range": "1 to 32"', f"{TABLE}: beam_size: range"),
    (TABLE, '"name": "disable_unk"', '"name": "no_unk"', "no_unk: is missing"),
]
WRONG_BUILT = [  # the table differs from the library and the tool as if they differed from it
    (TABLE, '"max": 64, "range": "1 to 64"', '"max": 63, "range": "1 to 63"', "beam_size: expected 64 to be refused"),
    (TABLE, '"max": 64, "range": "1 to 64"', '"max": 65, "range": "1 to 65"', "beam_size: 65 is refused"),
    (TABLE, '"default": 1024', '"default": 512', "the library: max_input_length: default: expected 512, got 1024"),
    (TABLE, '"default": 1024', '"default": 512', "--help: --max-input-length: default: expected 512, got 1024"),
    (TABLE, '"name": "patience", "section": "search", "rule": "decoding", "engine": "ctranslate2"',
     '"name": "patience", "section": "search", "rule": "decoding", "engine": "marian"', "patience: 64 is refused"),
    (TABLE, '"flag": "--min-length"', '"flag": "--least-length"', "--help: --least-length: is missing"),
    (TABLE, '"flag": "--shortlist"', '"flag": null', "--help: --shortlist: is not in capi/options.json"),
]


def faults(root):
    result = subprocess.run([sys.executable, CHECK, root, *sys.argv[2:]], capture_output=True, text=True)
    if result.returncode not in (0, 1) or result.stderr:
        sys.exit(f"check_options.py: {result.stderr}")
    return result.returncode, result.stdout


def main():
    source, missed = pathlib.Path(sys.argv[1]).resolve(), []
    built = len(sys.argv) > 2
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for name in FILES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, root / name)
        (root / "tests").mkdir()
        (root / "tests" / "data").symlink_to(source / "tests" / "data")
        if faults(root) != (0, "\n"):
            missed.append(f"the files as they are: {faults(root)[1]}")
        for name, right, wrong, message in WRONG_BUILT if built else WRONG:
            text = (root / name).read_text(encoding="utf-8")
            if right not in text:
                missed.append(f"{name}: has no \"{right}\" to change")
            (root / name).write_text(text.replace(right, wrong, 1), encoding="utf-8")
            code, said = faults(root)
            if code != 1 or message not in said:
                missed.append(f"{name} with \"{wrong}\" for \"{right}\": expected \"{message}\", got: {said}")
            (root / name).write_text(text, encoding="utf-8")
    print("\n".join(missed))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
