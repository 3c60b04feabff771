#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""registries_test.py DRAGOMAN SOURCE: every registry, played by a local server, through the command line tool."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from played import Played

SOURCE, TOOL = pathlib.Path(sys.argv.pop()), sys.argv.pop()
DATA = SOURCE / "tests/data"
STUDENT = json.loads((DATA / "marian/int8-firefox/expected.json").read_text())["texts"][0]
OPUS = json.loads((DATA / "marian/opus/expected.json").read_text())["texts"][0]
ARGOS = json.loads((DATA / "toy-text/argos.json").read_text())[0]
SENTENCES = DATA / "encoders/labse"
HUB = json.loads((DATA / "huggingface/shared/expected.json").read_text())["texts"][0]


class Registries(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        self.played = Played(DATA, SOURCE / "models/registries")
        self.addCleanup(self.played.close)
        self.environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        for name in ("DRAGOMAN_MODEL", "HF_TOKEN", "DRAGOMAN_OFFLINE"):
            self.environment.pop(name, None)
        for kind in ("DATA", "CACHE", "CONFIG"):
            self.environment[f"XDG_{kind}_HOME"] = str(self.home / kind.lower())
        self.environment.update(HOME=str(self.home), HF_HOME=str(self.home / "hub"), HF_ENDPOINT=self.played.url)
        for registry in set(self.played.lists) - {"hf"}:  # a mirror of which gets no token
            self.environment[f"DRAGOMAN_MIRROR_{registry.upper().replace('-', '_')}"] = self.played.url

    def run_tool(self, *words, code=0, **more):
        ran = subprocess.run([TOOL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                             env={**self.environment, **more})
        self.assertEqual(ran.returncode, code, f"{words}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def models(self, *words, code=0):
        """The JSON lines that `dragoman models` prints."""
        ran = self.run_tool("models", *words, "--json", "--no-progress", code=code)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def translated(self, name, text, *more):
        return self.run_tool("translate", "--model", name, *more, "--text", text).stdout.strip()

    def test_firefox(self):
        self.played.publish_firefox("de", "en", "3.0")
        self.played.publish_firefox("de", "en", "3.1")
        self.played.publish_firefox("de", "en", "4.0")                        # a major version that nobody can read
        self.played.publish_firefox("de", "en", "3.2a1", filter_expression="env.channel != 'release'")
        offered = self.models("search", "de", "en", "--registry", "firefox")
        self.assertEqual([(one["name"], one["version"], one["license"]) for one in offered],
                         [("firefox:de-en", "3.1", "MPL-2.0")])
        self.assertEqual(len(offered[0]["files"]), 3)
        self.assertEqual((offered[0]["installed"], "path" in offered[0]), (False, False))
        kept = self.models("download", "firefox:de-en")[-1]
        found = self.models("search", "de", "en", "--registry", "firefox")[0]
        self.assertEqual((found["installed"], found["path"], found["owner"]), (True, kept["path"], "dragoman"))
        self.assertEqual({file["proof"] for file in kept["files"]}, {"published"})
        self.assertEqual(self.translated("firefox:de-en", STUDENT["text"]), STUDENT["translation"])
        self.assertEqual(self.models("verify", "firefox:de-en"), [{"model": "firefox:de-en", "right": True}])
        file = pathlib.Path(kept["path"]) / kept["files"][0]["name"]
        file.write_bytes(file.read_bytes()[:-1])
        wrong = self.models("verify", "firefox:de-en", code=1)[0]
        self.assertIn(file.name, wrong["problem"])

    def test_argos_has_no_hashes_and_says_so(self):
        self.played.publish_argos("en", "pb")
        offered = self.models("search", "en", "pt-BR", "--registry", "argos")
        self.assertEqual(offered[0]["name"], "argos:en_pb")
        self.assertEqual(offered[0]["to"], ["pt-BR"])
        kept = self.models("download", "argos:en_pb")[-1]
        self.assertIn("first use", {file["proof"] for file in kept["files"]})
        self.assertIn("argos:en_pb: no hash of its files is published",
                      self.run_tool("models", "download", "argos:en_pb", "--again").stderr)
        self.assertEqual(self.translated("argos:en_pb", ARGOS["text"]), ARGOS["translation"])

    def test_other_bytes_of_a_version_without_hashes(self):
        path = self.played.publish_argos("en", "pb")
        self.models("download", "argos:en_pb")
        self.played.pages[path] = self.played.pages[path] + b"x"  # an archive all the same
        error = self.run_tool("models", "download", "argos:en_pb", "--again", code=1).stderr
        self.assertIn("as it first came on", error)
        self.assertEqual(self.translated("argos:en_pb", ARGOS["text"]), ARGOS["translation"])
        self.run_tool("models", "remove", "argos:en_pb")
        self.models("download", "argos:en_pb")

    def test_sizes_that_no_list_has(self):
        path = self.played.publish_argos("en", "pb")
        text = f"{len(self.played.pages[path]) / 1e3:.1f} kB"
        words = ("translate", "--from", "en", "--to", "pt-BR", "--text", "x")
        self.assertIn(text, self.run_tool(*words, code=1).stderr)
        self.assertIn(text, self.run_tool("models", "show", "argos:en_pb").stdout)
        self.played.refuse[path] = [503] * 9
        self.assertIn("unknown size", self.run_tool(*words, code=1).stderr)
        self.assertNotIn(text, self.run_tool(*words, "--offline", code=1).stderr)

    def test_languages_spelt_otherwise(self):
        self.played.publish_firefox("de", "en")
        kept = self.models("download", "firefox:deu_eng")[-1]
        self.assertEqual((kept["name"], kept["installed"]), ("firefox:de-en", True))
        self.assertEqual(self.models("path", "firefox:de_en"), [{"path": kept["path"]}])
        self.assertEqual(self.translated("firefox:ger-eng", STUDENT["text"]), STUDENT["translation"])

    def test_the_page_of_languages_is_made_of_lists(self):
        self.played.publish_firefox("is", "en")
        self.played.publish_argos("en", "pb")
        self.played.publish_argos("es", "pt")
        page = self.home / "page.md"
        marks = [f"<!-- {part}: {end} -->\n" for part in ("by registry", "by language")
                 for end in ("made by models/registries/make_languages.py", "end")]
        page.write_text("before\n" + "between\n".join(marks) + "behind\n")
        made = subprocess.run([sys.executable, SOURCE / "models/registries/make_languages.py", TOOL, page],
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        lines = page.read_text().splitlines()
        self.assertIn("| Icelandic (`is`) |  | `firefox`, 0 MB |", lines)
        self.assertIn("| Portuguese, Brazil (`pt-BR`) | `argos` |  |", lines)
        self.assertIn("| Spanish to Portuguese (`es` to `pt`) | `argos` |", lines)
        self.assertEqual([line.split("|")[1:4] for line in lines if line.startswith("| `")],
                         [[" `argos` ", " 2 ", " 4 "], [" `firefox` ", " 1 ", " 2 "]])
        self.assertEqual((lines[0], lines[-1]), ("before", "behind"))

    def test_opus_and_tatoeba(self):
        self.played.publish_opus("de-en", "2019-01-01")
        self.played.publish_opus("de-en", "2020-02-26")
        self.played.publish_tatoeba("deu-eng", "de-en", 0.5)
        names = [one["name"] for one in self.models("search", "de", "en")]
        self.assertEqual(sorted(names), ["opus:de-en", "tatoeba:deu-eng"])
        for name in names:
            self.models("download", name)
            self.assertEqual(self.translated(name, OPUS["text"]), OPUS["translation"])
        # Its files name no languages; the registry does.
        found = self.run_tool("translate", "-v", "--from", "de", "--to", "en", "--text", OPUS["text"])
        self.assertEqual(found.stdout.strip(), OPUS["translation"])
        self.assertIn("dragoman: model: tatoeba:deu-eng", found.stderr)  # whose quality is measured
        self.assertIn('"fr" is not one of the model\'s languages: en', self.run_tool(
            "translate", "--model", "opus:de-en", "--to", "fr", "--text", "x", code=2).stderr)
        self.assertIn("2020-02-26", self.models("show", "opus:de-en")[0]["version"])

    def test_students_of_translatelocally_and_hplt(self):
        for registry in ("translatelocally", "hplt"):
            with self.subTest(registry):
                self.played.publish_student(registry, "cs", "en")
                name = f"{registry}:cs-en-tiny"
                self.models("download", name)
                self.assertEqual(self.translated(name, STUDENT["text"]), STUDENT["translation"])

    def test_hub(self):
        self.played.publish_hub("toys/opus-mt-aa-bb")
        shown = self.models("show", "hf:toys/opus-mt-aa-bb")[0]
        self.assertEqual(shown["license"], "cc-by-4.0")
        self.environment["HF_TOKEN"] = "hf_" + "x" * 34
        self.models("download", "hf:toys/opus-mt-aa-bb")
        self.assertEqual(self.translated("hf:toys/opus-mt-aa-bb", HUB["text"]), HUB["translation"])
        with_token = {server for server, _, headers in self.played.requests if "authorization" in headers}
        asked = {server for server, _, _ in self.played.requests}
        self.assertEqual((asked, with_token), ({"first", "second"}, {"first"}), "a token never travels to another host")

    def test_a_model_of_the_hub_is_found_by_its_languages(self):
        files = {file.name: file.read_bytes() for file in (DATA / "huggingface/shared").iterdir()}
        settings = json.loads(files["tokenizer_config.json"])
        files["tokenizer_config.json"] = json.dumps(
            {**settings, "source_lang": "isl", "target_lang": "fao"}).encode()
        self.played.publish_hub("toys/opus-mt-is-fo", files=files)
        self.models("download", "hf:toys/opus-mt-is-fo")
        listed = self.models("list")[0]
        self.assertEqual((listed["from"], listed["to"]), (["is"], ["fo"]))
        # It is chosen, and then says that it has toy languages.
        ran = self.run_tool("translate", "-v", "--from", "is", "--to", "fo", "--text", HUB["text"], code=2)
        self.assertIn("dragoman: model: hf:toys/opus-mt-is-fo", ran.stderr)
        self.assertEqual(self.translated("hf:toys/opus-mt-is-fo", HUB["text"]), HUB["translation"])

    def sentence_files(self):
        """By their paths: two of them lie in folders that modules.json names."""
        return {str(file.relative_to(SENTENCES)): file.read_bytes() for file in SENTENCES.rglob("*")
                if file.is_file() and file.name != "vectors.json"}

    def check_vector(self, name):
        case = json.loads((SENTENCES / "vectors.json").read_text())[0]
        said = self.run_tool("embed", "--compute-type", "float32", "--model", name, "--json", case["text"]).stdout
        for found, wanted in zip(json.loads(said)["vector"], case["model"], strict=True):
            self.assertAlmostEqual(found, wanted, delta=1e-4)

    def test_encoder_of_sentences(self):
        files = self.sentence_files()
        self.assertLessEqual({"1_Pooling/config.json", "2_Dense/config.json", "2_Dense/pytorch_model.bin"}, set(files))
        self.played.publish_hub("toys/labse", files={**files, "onnx/model.onnx": b"other", "onnx/config.json": b"{}"})
        kept = self.models("download", "hf:toys/labse")[-1]
        self.assertEqual({file["name"] for file in kept["files"]}, set(files))
        self.run_tool("info", "hf:toys/labse")
        self.check_vector("hf:toys/labse")
        self.models("verify", "hf:toys/labse")
        self.run_tool("models", "remove", "hf:toys/labse")
        self.assertEqual(self.models("list"), [])

    @unittest.skipIf(os.name == "nt", "links need a privilege")
    def test_encoder_of_sentences_in_the_hubs_own_cache(self):
        files = self.sentence_files()
        repository, commit = self.home / "hub/hub/models--toys--labse", "0" * 39 + "1"
        for number, (name, data) in enumerate(files.items()):
            blob, link = repository / f"blobs/{number}", repository / "snapshots" / commit / name
            for file in (blob, link):
                file.parent.mkdir(parents=True, exist_ok=True)
            blob.write_bytes(data)
            link.symlink_to(os.path.relpath(blob, link.parent))
        (repository / "refs").mkdir()
        (repository / "refs/main").write_text(commit)
        self.run_tool("info", "hf:toys/labse")
        self.check_vector("hf:toys/labse")
        listed = self.models("list")[0]
        self.assertEqual((listed["owner"], listed["bytes"]), ("huggingface", sum(map(len, files.values()))))
        self.assertEqual(self.played.requests, [])
        (repository / "snapshots" / commit / "1_Pooling/config.json").unlink()  # another program took only some files
        self.played.publish_hub("toys/labse", files=files)
        self.assertEqual(self.models("download", "hf:toys/labse")[-1]["owner"], "dragoman")
        self.check_vector("hf:toys/labse")

    def test_refusals_of_the_hub(self):
        self.played.publish_hub("toys/gated", gated=True)
        for path in [path for path in self.played.pages if "gated/resolve" in path]:
            self.played.refuse[path] = [403] * 20
        error = self.run_tool("models", "download", "hf:toys/gated", "--yes", code=1).stderr
        self.assertIn("accept", error)
        self.assertIn("/toys/gated", error)
        error = self.run_tool("models", "show", "hf:toys/none", code=1).stderr
        self.assertIn("toys/none", error)
        self.assertIn("there is no repository or revision of this name", error)

    def test_servers_that_are_busy(self):
        path = self.played.publish_argos("en", "de")
        self.played.refuse = {path: [429, 503], self.played.list_path("argos"): [500]}
        self.models("download", "argos:en_de")
        self.assertTrue(self.models("list")[0]["installed"])

    def test_nothing_here_can(self):
        self.played.publish_firefox("de", "en")
        self.played.publish_firefox("en", "fr")
        words = ("translate", "--from", "de", "--to", "fr", "--text", STUDENT["text"])
        refused = self.run_tool(*words, code=1).stderr
        for part in ("firefox:de-en", "firefox:en-fr", "MPL-2.0", "Mozilla", "kB", "--yes"):
            self.assertIn(part, refused)
        self.assertEqual(self.models("list"), [])
        translated = json.loads(self.run_tool(*words, "--yes", "--json").stdout)
        self.assertEqual(translated["models"], ["firefox:de-en", "firefox:en-fr"])
        self.played.close()  # from here on without a network
        self.assertTrue(self.run_tool(*words, "--offline").stdout.strip())
        for languages in (("de", "de"), ("ZU", "zu")):
            self.assertIn(f"--from and --to are both {languages[0]}", self.run_tool(
                "translate", "--from", languages[0], "--to", languages[1], "--text", "x", code=1).stderr)
        self.assertIn("no model on this machine", self.run_tool("translate", "--from", "de", "--to", "zu", "--offline",
                                                                "--text", "x", code=1).stderr)

    def test_the_model_that_ships_needs_nobody(self):
        program = self.home / "app.po"
        program.write_text('msgid "%s files, 100%% done"\nmsgstr ""\n')
        self.run_tool("translate", str(program), "--output", str(self.home / "app.de.po"), "--to", "de")
        self.run_tool("translate", "--to", "de", "--text", "Good morning! How are you today?")
        words = ("translate", "--from", "en", "--to", "de", "--text", "Good morning!", "-v", "--json")
        ran = self.run_tool(*words)
        models = json.loads(ran.stdout)["models"]
        self.assertTrue(pathlib.Path(models[0]).is_dir())
        self.assertIn(f"dragoman: model: {models[0]}\n", ran.stderr)
        self.assertEqual(json.loads(self.run_tool(*words, DRAGOMAN_MODEL=models[0]).stdout)["models"], models)
        self.assertEqual(self.played.requests, [])
        self.played.publish_firefox("en", "fr")
        refused = self.run_tool("translate", "--to", "fr", "--text", "Good morning! How did you sleep, my friend?", code=1)
        self.assertIn("firefox:en-fr", refused.stderr)

    def test_names_that_are_not_here(self):
        self.played.publish_firefox("de", "en")
        error = self.run_tool("translate", "--model", "firefox:de-een", "--text", "x", code=2).stderr
        self.assertIn("firefox:de-een", error)
        self.assertIn("firefox:de-en", error.replace("de-een", ""))
        error = self.run_tool("translate", "--model", "firefox:de-en", "--text", "x", code=1).stderr
        self.assertIn("--yes", error)

    def test_offline_asks_nobody(self):
        self.played.publish_firefox("de", "en")
        self.models("search", "de", "en")
        self.played.requests.clear()
        for environment in ({}, {"DRAGOMAN_OFFLINE": "1"}):
            flag = [] if environment else ["--offline"]
            error = self.run_tool("models", "download", "firefox:de-en", *flag, code=1, **environment).stderr
            self.assertIn("--offline", error)
        self.assertEqual(self.played.requests, [])

    def test_update(self):
        self.played.publish_firefox("de", "en", "3.0")
        self.models("download", "firefox:de-en")
        self.assertEqual(self.models("update")[-1], {"models": 1, "updated": 0, "failed": 0})
        self.played.publish_firefox("de", "en", "3.4")
        self.assertEqual(self.models("update")[-1], {"models": 1, "updated": 1, "failed": 0})
        self.assertEqual(self.models("list")[0]["version"], "3.4")

    def test_update_goes_on_behind_a_model_that_is_gone(self):
        names = [f"hf:toys/{letter}" for letter in "abc"]
        for name in names:
            self.played.publish_hub(name[3:])
        self.models("download", *names)
        newer = "0" * 39 + "2"
        for name in names[1:]:
            self.played.publish_hub(name[3:], commit=newer)
        self.played.remove_hub("toys/a")
        for path in [path for path in self.played.pages if path.startswith(f"/toys/b/resolve/{newer}/")]:
            del self.played.pages[path]
        said = self.models("update", code=1)
        self.assertEqual(said[-1], {"models": 3, "updated": 1, "failed": 2})
        told = {one["model"]: one["problem"] for one in said if "problem" in one}
        self.assertEqual(sorted(told), names[:2])
        for problem in told.values():
            self.assertIn("404", problem)
        self.assertEqual([one["version"] == newer for one in self.models("list")], [False, False, True])
        ran = self.run_tool("models", "update", "--no-progress", code=1)
        self.assertEqual([name in ran.stderr for name in names], [True, True, False])
        self.assertEqual(self.models("update", names[2])[-1], {"models": 1, "updated": 0, "failed": 0})
        said = self.models("update", "hf:toys/none", names[2], code=1)
        self.assertEqual([said[0]["model"], said[-1]], ["hf:toys/none", {"models": 1, "updated": 0, "failed": 1}])

    def test_update_converts_what_was_converted(self):
        types = {"firefox:de-en": "keep", "firefox:en-fr": "q8"}
        for name in types:
            self.played.publish_firefox(*name[8:].split("-"), "3.0")
        for name, kind in types.items():
            self.models("download", name, "--convert", kind)
        for name in types:
            self.played.publish_firefox(*name[8:].split("-"), "3.4")
        ran = self.run_tool("models", "update", "--no-progress")
        self.assertIn("2 of 2", ran.stdout)
        for one in self.models("list"):
            self.assertEqual((one["version"], [file["proof"] for file in one["files"]]),
                             ("3.4", ["converted " + types[one["name"]]]))
            self.assertIn(f"{one['name']}: converted to {types[one['name']]}", ran.stderr)
            self.assertEqual(pathlib.Path(one["path"]).suffix, ".gguf")
            self.models("verify", one["name"])
            self.assertTrue(self.translated(one["name"], STUDENT["text"]))
        self.assertEqual(self.translated("firefox:de-en", STUDENT["text"]), STUDENT["translation"])
        self.assertEqual(self.models("update")[-1], {"models": 2, "updated": 0, "failed": 0})

    def test_one_of_several_names_fails(self):
        self.played.publish_firefox("de", "en")
        names = ("hf:toys/none", "firefox:de-en")
        self.assertEqual([one["name"] for one in self.models("show", *names, code=1)], ["firefox:de-en"])
        self.assertEqual(self.models("download", *names, code=1)[-1]["installed"], True)
        self.assertEqual(self.models("verify", *names, code=1), [{"model": "firefox:de-en", "right": True}])
        ran = self.run_tool("models", "path", *names, code=1)
        self.assertIn("hf:toys/none", ran.stderr)
        self.assertIn("de-en", ran.stdout)
        self.run_tool("models", "remove", *names, code=1)
        self.assertEqual(self.models("list"), [])

    def test_one_gguf_instead(self):
        self.played.publish_firefox("de", "en")
        kept = json.loads(self.run_tool("models", "download", "firefox:de-en", "--convert", "keep", "--json",
                                        "--no-progress").stdout.splitlines()[-1])
        self.assertEqual([pathlib.Path(file["name"]).suffix for file in kept["files"]], [".gguf"])
        self.assertEqual(self.translated("firefox:de-en", STUDENT["text"]), STUDENT["translation"])
        self.models("verify", "firefox:de-en")

    def test_two_at_once(self):
        self.played.publish_argos("en", "de")
        runs = [subprocess.Popen([TOOL, "models", "download", "argos:en_de", "--no-progress"], env=self.environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for _ in range(4)]
        said = [run.communicate(timeout=300)[0] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 4, said)
        brought = [path for _, path, headers in self.played.requests
                   if path.endswith(".argosmodel") and headers.get("range") != "bytes=0-0"]  # which asks for its size
        self.assertEqual(len(brought), 1)

    def test_remove_and_path(self):
        self.played.publish_firefox("de", "en")
        self.models("download", "firefox:de-en")
        path = pathlib.Path(self.run_tool("models", "path", "firefox:de-en").stdout.strip())
        self.assertTrue(path.is_relative_to(self.run_tool("models", "path").stdout.strip()))
        self.run_tool("models", "remove", "firefox:de-en")
        self.assertFalse(path.exists())
        self.assertIn("not on this machine", self.run_tool("models", "remove", "firefox:de-en", code=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
