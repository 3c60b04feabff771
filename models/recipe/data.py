# SPDX-License-Identifier: Apache-2.0
"""Reads the corpus: tier A sources only, and nothing that is held out."""
import gzip
import json
from pathlib import Path

TIER_A_PAIRS = 312_705
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


def read_pairs(data, test, log):
    """[(english, german, source id)] in corpus order."""
    sources = tier_a()
    forbidden = held_out_keys(test)
    if not forbidden:
        raise SystemExit(f"no held-out sets in {test}: refusing to train unchecked")
    pairs, seen, leaked, unused = [], 0, 0, 0
    with gzip.open(data / "en-de.tsv.gz", "rt", encoding="utf-8") as f:
        for line in f:
            en, de, source = line.rstrip("\n").split("\t")
            if source not in sources:
                continue
            seen += 1
            if key(en) in forbidden or key(de) in forbidden:
                leaked += 1
            elif sources[source]["weight"] == 0:
                unused += 1
            else:
                pairs.append((en, de, source))
    log(f"tier A: {seen} pairs (expected {TIER_A_PAIRS}); {leaked} dropped as held out "
        f"(checked against {len(forbidden)} sentences); {unused} have weight 0; {len(pairs)} kept")
    return pairs


def prepare(options, log):
    """Corpus to pairs.tsv, once; the marker file makes a cut-off run start over."""
    done = options.training / "pairs.json"
    path = options.training / "pairs.tsv"
    if not done.exists():
        pairs = read_pairs(options.data, options.test, log)
        with open(path, "w", encoding="utf-8") as f:
            f.writelines("\t".join(p) + "\n" for p in pairs)
        done.write_text(json.dumps({"pairs": len(pairs)}) + "\n")
    return path


def load_pairs(options):
    with open(options.training / "pairs.tsv", encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def load_dev(options):
    """The tier A part of dev-mixed, for validation."""
    sources = tier_a()
    columns = [(options.test / f"dev-mixed.en-de.{x}").read_text(encoding="utf-8").splitlines()
               for x in ("en", "de", "src")]
    return [row for row in zip(*columns) if sources.get(row[2], {"weight": 0})["weight"] > 0]
