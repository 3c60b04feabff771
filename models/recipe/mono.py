# SPDX-License-Identifier: Apache-2.0
"""Text in one language, for back-translation: the sources of mono.tsv, and nothing that is held out."""
import collections
import gzip
from pathlib import Path

import numpy as np

from data import held_out_keys, key, load_dev, load_pairs
from options import LANGUAGES


def sources():
    """{(language, source id): row}"""
    found = {}
    for line in (Path(__file__).parent / "mono.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, name, most, domain, licence, origin = line.split("\t")
            found[language, name] = dict(most=int(most), domain=domain, licence=licence, origin=origin)
    return found


def capped(rows, language, choose):
    """At most as many of each source as mono.tsv says, at random."""
    most, places = sources(), collections.defaultdict(list)
    for i, (_, name) in enumerate(rows):
        if (language, name) in most:
            places[name].append(i)
    kept = [choose.permutation(p)[:most[language, name]["most"]] for name, p in sorted(places.items())]
    return [rows[i] for i in sorted(np.concatenate(kept).tolist())] if kept else []


def load_mono(options, log):
    """{language: [(sentence, source id)]}, empty lists where there is no such text."""
    forbidden = held_out_keys(options.test) | {key(side) for row in load_dev(options) for side in row[:2]}
    pairs, found = load_pairs(options), {}
    for side, language in enumerate(LANGUAGES):
        path = options.data / f"mono.{language}.tsv.gz"
        seen, rows, held = {key(p[side]) for p in pairs}, [], 0
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as f:
                for line in f:
                    text, name = line.rstrip("\n").split("\t")
                    k = key(text)
                    held += k in forbidden
                    if k and k not in forbidden and k not in seen:
                        seen.add(k)
                        rows.append((text, name))
        found[language] = capped(rows, language, np.random.default_rng(options.seed))
        log(f"text in {language}: {len(found[language])} sentences of {len(rows)} new ones; {held} dropped as held out")
    return found
