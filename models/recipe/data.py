# SPDX-License-Identifier: Apache-2.0
"""Reads the corpus: tier A sources only, and nothing that is held out."""
import collections
import gzip
import json
from pathlib import Path

CORPORA = "en-de.tsv.gz", "en-de-more.tsv.gz"   # the second need not be there
# dev-mixed has nothing of encyclopedias: every so many pairs of these sources validate and are not trained on.
VALIDATION = {"mlqe-pe": 30}
# Target text has plain quotes; source text is seen with and without its own.
PLAIN_QUOTES = str.maketrans({c: '"' for c in "“”„»«‟"} | {c: "'" for c in "’‘‚‛´`"})


def tier_a():
    rows = {}
    for line in (Path(__file__).parent / "tier_a.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, pairs, weight, domain, licence, origin = line.split("\t")
            rows[name] = dict(pairs=int(pairs), weight=float(weight), domain=domain,
                              licence=licence, origin=origin)
    return rows


def key(text):
    return "".join(c for c in text.casefold() if c.isalnum())


def held_out_keys(test):
    keys = set()
    for language in ("en", "de"):
        for path in sorted(test.rglob(f"*.{language}")):
            keys.update(key(line) for line in path.read_text(encoding="utf-8").splitlines())
    keys.discard("")
    return keys


def rows(data):
    for name in CORPORA:
        if (data / name).exists() or name == CORPORA[0]:
            with gzip.open(data / name, "rt", encoding="utf-8") as f:
                for line in f:
                    yield line.rstrip("\n").split("\t")


def read_pairs(data, test, log):
    """[(english, german, source id)] in corpus order."""
    sources = tier_a()
    forbidden = held_out_keys(test)
    if not forbidden:
        raise SystemExit(f"no held-out sets in {test}: refusing to train unchecked")
    pairs, seen, leaked, unused = [], 0, 0, 0
    for en, de, source in rows(data):
        if source not in sources:
            continue
        seen += 1
        if key(en) in forbidden or key(de) in forbidden:
            leaked += 1
        elif sources[source]["weight"] == 0:
            unused += 1
        else:
            pairs.append((en, de, source))
    expected = sum(row["pairs"] for row in sources.values())
    log(f"tier A: {seen} pairs (expected {expected}); {leaked} dropped as held out "
        f"(checked against {len(forbidden)} sentences); {unused} have weight 0; {len(pairs)} kept")
    return pairs


def split(pairs):
    """(for training, for validation); a side of the latter is nowhere in the former."""
    number, chosen = collections.Counter(), []
    for pair in pairs:
        number[pair[2]] += 1
        if pair[2] in VALIDATION and number[pair[2]] % VALIDATION[pair[2]] == 0:
            chosen.append(pair)
    keys = {key(side) for pair in chosen for side in pair[:2]}
    return [p for p in pairs if key(p[0]) not in keys and key(p[1]) not in keys], chosen


def write_pairs(path, pairs):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines("\t".join(p) + "\n" for p in pairs)


def prepare(options, log):
    """Corpus to pairs.tsv and validation.tsv, once; the marker file makes a cut-off run start over."""
    done = options.training / "pairs.json"
    path = options.training / "pairs.tsv"
    if not done.exists():
        pairs, validation = split(read_pairs(options.data, options.test, log))
        write_pairs(path, pairs)
        write_pairs(options.training / "validation.tsv", validation)
        done.write_text(json.dumps({"pairs": len(pairs)}) + "\n")
    return path


def load_pairs(options, name="pairs.tsv"):
    with open(options.training / name, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def load_dev(options):
    """The tier A part of dev-mixed, and validation.tsv."""
    sources = tier_a()
    columns = [(options.test / f"dev-mixed.en-de.{x}").read_text(encoding="utf-8").splitlines()
               for x in ("en", "de", "src")]
    mixed = [row for row in zip(*columns) if sources.get(row[2], {"weight": 0})["weight"] > 0]
    return mixed + load_pairs(options, "validation.tsv")
