# SPDX-License-Identifier: Apache-2.0
"""One corpus of --sentences, shared among the engines, with the default model: the tool translates all of it in one
process, then each engine its share while processes of every kind are killed. Each row has to come once, in its place,
and as the tool has it."""
import importlib.util
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).with_name("engines")
# Of each program: the module that it needs, its share, how often each kind of process is killed where --kills is 20, and
# in how many parts its rows lie.
SHARES = {"on_files.py": ("pyarrow", 0.4, 1, 40), "on_slurm.py": ("pyarrow", 0.2, 2, 24),
          "on_ray.py": ("ray", 0.2, 2, 24), "on_spark.py": ("pyspark", 0.2, 2, 32)}


def run(trial):
    lines = trial.corpus_sentences()
    if not lines:
        trial.note("a corpus", "not tried: --sentences names none")
        return
    folder, beam_size = trial.new_folder("corpus"), trial.options.beam_size
    beam = ["--beam-size", beam_size] if beam_size else []
    (folder / "all.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [trial.tool, "translate", "--to", "de", "--compute-type", "float32", "-i", "all.txt", "-o", "tool.txt"]
    command += ["--beam", beam_size] if beam_size else []
    seconds, cpu, code, _ = trial.run(command, cwd=folder)
    trial.note(f"{len(lines)} sentences, the tool: seconds, of the processor", f"{seconds:.0f}, {cpu:.0f}", code == 0)
    made = (folder / "tool.txt").read_text(encoding="utf-8").split("\n")[:-1]
    programs = {program: rest for program, (module, *rest) in SHARES.items() if importlib.util.find_spec(module)}
    for program in SHARES.keys() - programs.keys():
        trial.note(program, f"{SHARES[program][0]} is not installed")
    whole, begin, kills = sum(share for share, *_ in programs.values()), 0, 0
    for program, (share, times, parts) in programs.items():
        last = program == list(programs)[-1]
        end = len(lines) if last else begin + round(len(lines) * share / whole)
        work = trial.new_folder(program.removesuffix(".py"))
        for name, part in (("sentences.txt", lines), ("expected.txt", made)):
            (work / name).write_text("".join(f"{line}\n" for line in part[begin:end]), encoding="utf-8")
        result = work / "result.json"
        _, _, code, said = trial.run([
            sys.executable, FOLDER / program, "--tool", trial.tool, "--work", work, "--sentences",
            work / "sentences.txt", "--expected", work / "expected.txt", *beam, "--kills",
            max(1, round(times * trial.options.kills / 20)), "--parts", parts, "--json", result])
        found = json.loads(result.read_text()) if result.exists() else {"said": said[-300:]}
        kills += sum(found.get("killed", {}).values())
        found["tool_seconds"] = round(seconds * (end - begin) / len(lines), 1)
        trial.note(found.pop("engine", program), ", ".join(f"{name} {value}" for name, value in found.items()),
                   code == 0)
        begin = end
    trial.note("kills in all, full disks among them", kills)
