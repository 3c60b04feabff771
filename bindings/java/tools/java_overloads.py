# SPDX-License-Identifier: Apache-2.0
"""Methods without their last options: what is left out has its default. Those of classes by hand are found in the
sources; each goes into the class that theirs extends."""
from __future__ import annotations

import pathlib
import re

from java_docs import javadoc

METHOD = re.compile(r"  /\*\*\n(?P<doc>(?:   \*.*\n)+?)   \*/\n  public (?P<static>static )?(?P<type>[\w<>.\[\]]+) (?P<name>\w+)\("
                    r"(?P<given>[^()]*)\) \{")


def without(name: str, result: str, given: list[str], static: bool, owner: str, doc: str, tags: list[str]) -> str:
    """One for each number of options that can be left out. `given` are types with names."""
    out, left = "", list(given)
    while left and re.match(r"\w+Options ", left[-1]):
        left.pop()
        own = [one.split()[-1] for one in left]
        missing = [f"{one.split()[0]}.DEFAULTS" for one in given[len(left):]]
        said = [tag for tag in tags if not tag.startswith("@param") or tag.split()[1] in own]
        call = f"{owner if static else f'(({owner}) this)'}.{name}({', '.join([*own, *missing])})"
        out += ("\n" + javadoc(f"{doc} What is not given has its default.", 4, tuple(said)) +
                f"    public {'static ' if static else ''}{result} {name}({', '.join(left)}) {{\n"
                f"        {'' if result == 'void' else 'return '}{call};\n    }}\n")
    return out


def by_hand(folder: pathlib.Path) -> dict[str, str]:
    """For each class that others extend, the methods for it."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.java")):
        text = path.read_text(encoding="utf-8")
        base = re.search(rf"public final class {path.stem} extends (\w+Calls) ", text)
        for one in METHOD.finditer(text) if base else ():
            lines = re.sub(r"^   \* ?", "", one["doc"], flags=re.M)
            doc, *tags = re.split(r"\n+(?=@)", lines.strip())
            given = [" ".join(each.split()) for each in re.split(r",(?![^<]*>)", one["given"]) if each.strip()]
            made = without(one["name"], one["type"], given, bool(one["static"]), path.stem, " ".join(doc.split()),
                           [" ".join(tag.split()) for tag in tags])
            found[base[1]] = found.get(base[1], "") + made
    return {base: made for base, made in found.items() if made}
