# SPDX-License-Identifier: Apache-2.0
"""`python -m dragoman.corpus`: the tool's bytes, kills, memory, a full disk, duplicates and shards. Large runs, and
most kills, have a stand-in for the model, since files and processes are what they are about."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

MEMORY_SHARES = (0.1, 0.5, 0.99)
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in"


def program(trial, *arguments, tiny=True):
    model = ["--model", trial.tiny, "--to", "xx", "--compute-type", "f32"] if tiny else ["--to", "de"]
    return [sys.executable, "-m", "dragoman.corpus", *model, *map(str, arguments)]


def with_stand_in(trial):
    return {**trial.environment, "PYTHONPATH": os.pathsep.join([str(STAND_IN), trial.environment["PYTHONPATH"]])}


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def as_the_tool(trial):
    """Equal lines: what the program costs beside the tool, with the start and without it."""
    folder = trial.new_folder("lines")
    texts = trial.english_texts(trial.options.lines)
    found = {}
    for name, lines in (("start", texts[:2]), ("all", texts)):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [trial.tool, "translate", "--to", "de", "-i", f"{name}/a.txt", "-o", f"{name}.txt"]
        found[name] = (trial.run(command, cwd=folder), trial.run(
            program(trial, name, "-o", f"{name}-out", "--outputs", "translation", tiny=False), cwd=folder))
    tool, own = found["all"]
    same = (folder / "all.txt").read_bytes() == (folder / "all-out" / "a.txt").read_bytes()
    trial.note(f"{len(texts)} lines, default model, against the tool's bytes", "equal" if same else "different", same)
    for what, (seconds, cpu, code, said) in (("tool", tool), ("dragoman.corpus", own)):
        trial.note(f"{what}: rows/s, rows per second of the processor",
                   f"{len(texts) / seconds:.1f}, {len(texts) / cpu:.1f}", code == 0)
    starts = [each[1] for each in found["start"]]
    trial.note("seconds of the processor for two lines: tool, dragoman.corpus", f"{starts[0]:.2f}, {starts[1]:.2f}")
    trial.note("rows per second of the processor beside the tool's: with the start, without it",
               f"{tool[1] / own[1]:.3f}, {(tool[1] - starts[0]) / (own[1] - starts[1]):.3f}")


def children_of(number):
    try:
        return [int(each) for each in pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()]
    except OSError:
        return []


def resident(number):
    try:
        status = pathlib.Path(f"/proc/{number}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0


def many_rows(trial, what, count, environment):
    """Throughput of rows, and whether memory grows."""
    folder = trial.new_folder("rows")
    (folder / "in").mkdir()
    texts = trial.tiny_texts(count)
    with open(folder / "in" / "a.jsonl", "w", encoding="utf-8") as file:
        for place, text in enumerate(texts):
            file.write(json.dumps({"id": place, "text": text}) + "\n")
    began = time.monotonic()
    process = subprocess.Popen(program(trial, "in", "-o", "out", "--log", "log"), cwd=folder, env=environment,
                               stderr=subprocess.PIPE)
    journal, found, whole = folder / "out" / ".a.jsonl.journal", [], 0
    while process.poll() is None:
        workers = children_of(process.pid)
        if workers and journal.exists():
            whole = max(whole, journal.stat().st_size)
            found.append((whole, resident(workers[0]), resident(process.pid)))
        time.sleep(0.1)
    seconds = time.monotonic() - began
    rows = [json.loads(line) for line in open(folder / "out" / "a.jsonl", encoding="utf-8")]
    good = process.returncode == 0 and [row["text"] for row in rows] == texts and all(
        row["translation"] for row in rows)
    trial.note(f"{len(texts)} rows, {what}", f"{len(texts) / seconds:.0f} rows/s", good)
    at = [next((sample for sample in found if sample[0] >= share * whole), found[-1]) for share in MEMORY_SHARES]
    trial.note("MiB resident at 10 %, 50 % and the end: worker", ", ".join(f"{sample[1]:.0f}" for sample in at),
               at[2][1] < at[0][1] * 1.15 + 8)
    trial.note("likewise its parent", ", ".join(f"{sample[2]:.0f}" for sample in at), at[2][2] < at[0][2] * 1.15 + 8)


def kills(trial, what, count, most, environment):
    """kill -9 of the worker, of the program, of both, and signals, at random moments."""
    folder = trial.new_folder("kills")
    (folder / "in").mkdir()
    texts = trial.tiny_texts(count)
    third = len(texts) // 3
    for name, part in (("a.jsonl", texts[:third]), ("c.jsonl", texts[2 * third:])):
        (folder / "in" / name).write_text("".join(json.dumps({"text": text}) + "\n" for text in part))
    (folder / "in" / "b.csv").write_text("text\n" + "".join(f'"{text}"\n' for text in texts[third:2 * third]))
    options = ("--outputs", "translation,score,error")
    seconds, _, code, said = trial.run(program(trial, "in", "-o", "whole", *options), cwd=folder, env=environment)
    trial.note(f"{what}: {count} rows that nothing ends", f"{seconds:.1f} s", code == 0)
    counts = {"worker": 0, "program": 0, "SIGTERM": 0, "SIGINT": 0}
    starts = 0
    while sum(counts.values()) < most and starts < 4 * most:
        process = subprocess.Popen(program(trial, "in", "-o", "out", *options), cwd=folder, env=environment,
                                   stderr=subprocess.DEVNULL)
        starts += 1
        while process.poll() is None and sum(counts.values()) < most:
            time.sleep(trial.chance.uniform(0.2, max(seconds / 4, 1.0)))
            kind = trial.chance.choice(list(counts))
            target = children_of(process.pid)[:1] if kind == "worker" else [process.pid]
            if process.poll() is not None or not target:
                continue
            number = getattr(signal, kind, signal.SIGKILL)
            try:
                os.kill(target[0], number)
                counts[kind] += 1
            except ProcessLookupError:
                continue
            if kind != "worker":
                process.wait()
        process.wait()
        names = ("a.jsonl", "b.csv", "c.jsonl")
        if all((folder / "out" / name).exists() for name in names):
            for name in names:  # what is there stays; the rest of the kills needs work
                if sum(counts.values()) < most:
                    os.unlink(folder / "out" / name)
    _, _, code, said = trial.run(program(trial, "in", "-o", "out", *options), cwd=folder, env=environment)
    same = files(folder / "out") == files(folder / "whole")
    trial.note(f"{what}, kills: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()),
               "equal to the run that nothing ended" if same else "different", same and code == 0)


def full_disk(trial):
    """A file system of 1 MiB, for which this must be root."""
    folder, environment = trial.new_folder("full"), with_stand_in(trial)
    (folder / "in").mkdir()
    (folder / "small").mkdir()
    texts = trial.tiny_texts(20_000)
    (folder / "in" / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder / "small"]
    if subprocess.run(mount, capture_output=True).returncode:
        trial.note("a full disk", "not tried: no right to mount")
        return
    try:
        _, _, code, said = trial.run(program(trial, "in", "-o", "small/out"), cwd=folder, env=environment)
        trial.note("a full disk", said.strip().splitlines()[-1].replace(str(folder), ""), code == 6)
        held = (folder / "small" / "out" / ".a.jsonl.journal").stat().st_size
        subprocess.run(["mount", "-o", "remount,size=64m", folder / "small"], check=True)
        _, _, code, _ = trial.run(program(trial, "in", "-o", "small/out", "--log", "log"), cwd=folder, env=environment)
        resumed = [json.loads(line) for line in open(folder / "log") if '"resumed"' in line]
        trial.run(program(trial, "in", "-o", "whole"), cwd=folder, env=environment)
        same = files(folder / "small" / "out") == files(folder / "whole")
        trial.note("with more room it goes on", f"from row {resumed[0]['rows']} ({held} bytes of journal), "
                   + ("equal" if same else "different"), code == 0 and same and resumed[0]["rows"] > 0)
    finally:
        subprocess.run(["umount", folder / "small"], check=False)


def array(trial):
    """A Slurm array, played: tasks with its variables, two at once."""
    folder, environment = trial.new_folder("array"), with_stand_in(trial)
    (folder / "in").mkdir()
    texts = trial.tiny_texts(20_000)
    begin = 0
    for place in range(12):
        count = trial.chance.randint(1, len(texts) // 8)
        (folder / "in" / f"{place}.jsonl").write_text(
            "".join(json.dumps({"text": text}) + "\n" for text in texts[begin:begin + count]))
        begin += count
    trial.run(program(trial, "in", "-o", "whole", "--duplicates", "drop"), cwd=folder, env=environment)
    waiting, running, codes = list(range(5, 9)), [], []
    while waiting or running:
        while waiting and len(running) < 2:
            told = {"ID": waiting.pop(0), "COUNT": 4, "MIN": 5, "MAX": 8, "STEP": 1}
            variables = {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in told.items()}
            running.append(subprocess.Popen(program(trial, "in", "-o", "out", "--duplicates", "drop"), cwd=folder,
                                            env={**environment, **variables}, stderr=subprocess.DEVNULL))
        codes.append(running.pop(0).wait())
    same = files(folder / "out") == files(folder / "whole")
    trial.note("12 parts by 4 tasks of an array, duplicates dropped, against one process",
               "equal" if same else "different", same and codes == [0] * 4)


def run(trial):
    options, plain = trial.options, trial.environment
    parts = {"lines": lambda: as_the_tool(trial), "full": lambda: full_disk(trial), "array": lambda: array(trial),
             "rows": lambda: many_rows(trial, "stand-in", options.rows, with_stand_in(trial)),
             "kills": lambda: kills(trial, "stand-in", 24_000, options.kills, with_stand_in(trial)),
             "model_rows": lambda: many_rows(trial, "tiny model", options.lines, plain),
             "model_kills": lambda: kills(trial, "tiny model", options.lines, max(options.kills // 4, 1), plain)}
    for name, part in parts.items():
        if options.part and name not in options.part:
            continue
        try:
            part()
        except Exception as error:  # noqa: BLE001, the other parts go on
            trial.note(name, f"{type(error).__name__}: {error}", good=False)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    trial.note("MiB resident at most of any process", f"{most:.0f}")
