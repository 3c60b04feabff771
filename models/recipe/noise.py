# SPDX-License-Identifier: Apache-2.0
"""Pairs as people also write them: capitals, titles, no full stop, typographic quotes."""
import re

ENDS = ".!?"
QUOTED = {"en": r"“\1”", "de": r"„\1“"}


def capitals(source, target, language):
    return source.upper(), target.upper()


def title(source, target, language):
    """A heading; German ones are written like sentences, and so are targets in either language."""
    return " ".join(word[:1].upper() + word[1:] for word in source.split(" ")), target


def small(source, target, language):
    return source.lower(), target


def open_end(source, target, language):
    """Both sides without their end mark, where both have the same single one."""
    alike = source[-1:] == target[-1:] and source[-1:] in ENDS and source[-2:-1] not in ENDS
    return (source[:-1], target[:-1]) if alike and len(source) > 1 and len(target) > 1 else (source, target)


def typographic(source, target, language):
    """Curly quotes in the source; targets keep plain ones, as everywhere."""
    return re.sub(r'"([^"]*)"', QUOTED[language], source).replace("'", "’"), target


# Kind and how often it is drawn. Most sentences have no quotes to change.
KINDS = (capitals, 0.2), (title, 0.15), (small, 0.15), (open_end, 0.25), (typographic, 0.25)


def vary(source, target, language, draw):
    """draw: a random number from 0 to below 1, which chooses the kind."""
    for kind, share in KINDS:
        draw -= share
        if draw < 0:
            break
    return kind(source, target, language)
