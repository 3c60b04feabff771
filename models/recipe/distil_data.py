# SPDX-License-Identifier: Apache-2.0
"""What teacher and student learn from: groups of examples and their shares of the target tokens."""
from fast_batches import Group

LANGUAGES = "en", "de"
TO = {"de": 0, "en": 1}            # prefix of a source in that target language; 2 more where a machine made it


def pair_groups(job, share):
    """Both directions of the pairs and phrases, and what pack.py changed."""
    r, weight = job.rows, job.array("pairs.weight").double()[:len(job.rows["pairs.en"])]
    groups = []
    for target, source in ("de", "en"), ("en", "de"):
        groups += [(Group(r[f"pairs.{source}"], r[f"pairs.{target}"], TO[target], weight), share["pairs"] / 2),
                   (Group(r[f"phrases.{source}"], r[f"phrases.{target}"], TO[target]), share["phrases"] / 2),
                   (Group(r[f"changed.{target}.source"], r[f"changed.{target}.target"], TO[target]),
                    share["changed"] / 2)]
    return groups


def back_groups(job, found, share):
    """Machine-made sources, marked, of real targets. found: {source language of the translation: Translations}"""
    groups = []
    for language, translations in found.items():
        target, source = translations.chosen(job.rows[f"mono.{language}"])
        groups.append((Group(source, target, TO[language] + 2), share / 2))
    return groups


def forward_groups(job, found, pairs, share):
    """Machine-made targets of real sources, in the text, its changed copies, and the pairs."""
    groups, weight = [], job.array("pairs.weight").double()[:len(job.rows["pairs.en"])]
    for language, translations in found.items():
        other = LANGUAGES[1 - LANGUAGES.index(language)]
        groups.append((Group(*translations.chosen(job.rows[f"mono.{language}"]), TO[other]), share["forward"] / 2))
        index = job.array(f"mono.{language}.changed").long()
        changed = job.rows[f"mono.{language}.changed"]
        index = index[:len(changed)]
        keep = (index < len(translations.good)).nonzero()[:, 0]
        keep = keep[translations.good[index[keep]]]
        groups.append((Group(changed[keep], translations.rows[index[keep]], TO[other]), share["changed_text"] / 2))
    for language, translations in pairs.items():
        other = LANGUAGES[1 - LANGUAGES.index(language)]
        good = weight * translations.good
        if good.sum() > 0:
            groups.append((Group(job.rows[f"pairs.{language}"], translations.rows, TO[other], good),
                           share["distilled"] / 2))
    return groups


def dev_groups(job):
    r, dev = job.rows, {}
    for kind in sorted({name.split(".")[1] for name in r if name.startswith("dev.")}):
        dev[kind] = [(Group(r[f"dev.{kind}.{s}"], r[f"dev.{kind}.{t}"], TO[t]), 1.0)
                     for s, t in (("en", "de"), ("de", "en"))]
    return dev
