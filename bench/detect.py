#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""detect.py TOOL LANGUAGE=FILE...: how often `dragoman detect` is right on the beginnings of a file's lines, and how
often answers of each probability are; as tables in Markdown."""
import argparse
import json
import subprocess

LENGTHS = 10, 30, 100
BINS = 0.5, 0.6, 0.7, 0.8, 0.9, 1.01


def detect(tool, lines, expected):
    run = subprocess.run([tool, "detect", "--json", *(["--expect", expected] if expected else [])],
                         input="".join(line + "\n" for line in lines), capture_output=True, text=True, check=True)
    answers = [json.loads(line)["languages"] for line in run.stdout.splitlines()]
    assert len(answers) == len(lines), (len(answers), len(lines))
    return [(answer[0]["tag"], answer[0]["probability"]) if answer else ("und", 0.0) for answer in answers]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("tool")
    p.add_argument("files", nargs="+", metavar="LANGUAGE=FILE")
    p.add_argument("--lines", type=int, default=1000, help="of each file")
    arguments = p.parse_args()
    files = dict(each.split("=", 1) for each in arguments.files)
    texts = {language: [line.strip() for line in open(path, encoding="utf-8")][:arguments.lines]
             for language, path in files.items()}
    everything = ",".join(files)
    print("| characters | expected |", " | ".join(files), "| all | unknown |")
    print("|---|---|" + "--:|" * (len(files) + 2))
    answered = []
    for length in LENGTHS:
        for expected in "", everything:
            right = {}
            unknown = count = 0
            for language, lines in texts.items():
                found = detect(arguments.tool, [line[:length] for line in lines], expected)
                right[language] = sum(tag == language for tag, _ in found)
                unknown += sum(tag == "und" for tag, _ in found)
                count += len(found)
                answered += [(bool(expected), tag == language, p) for tag, p in found if tag != "und"]
            shares = [f"{100 * right[each] / len(texts[each]):.1f}" for each in files]
            print(f"| {length} | {expected or 'none'} | {' | '.join(shares)} | {100 * sum(right.values()) / count:.1f} "
                  f"| {100 * unknown / count:.1f} |")
    print("\n| probability | answers | right, % | answers, expected | right, % |\n|---|--:|--:|--:|--:|")
    below = 0.0
    for above in BINS:
        row = f"| {below:.1f} to {min(above, 1):.1f} |"
        for expected in False, True:
            rights = [right for e, right, p in answered if e == expected and below <= p < above]
            row += f" {len(rights)} | {100 * sum(rights) / len(rights):.1f} |" if rights else " 0 | |"
        print(row)
        below = above


if __name__ == "__main__":
    main()
