# SPDX-License-Identifier: Apache-2.0
"""Pairs with what must come through unchanged: placeholders, tags, addresses, numbers with units."""
import re

WORD = re.compile(r"(?<![\w{<%])[A-Z][a-z]{2,}(?![\w}>])")
NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w.,]*\d|\w)")
PLACEHOLDERS = ("{0}", "{1}", "{name}", "{count}", "%s", "%d", "%1$s", "$name", "{{value}}", "%(user)s", "[[1]]",
                "<x0/>", "__VAR1__", "https://example.com/{n}", "www.example.org", "user{n}@example.com",
                "file_{n}.txt", "#{n}")
TAGS = ("b", "i", "em", "strong", "a", "span", "code", "u")
UNITS = "km", "m", "cm", "kg", "g", "l", "%", "°C", "km/h", "€", "MB", "GB", "kWh"


def shared(pattern, a, b):
    """What the pattern finds exactly once on each side, alike."""
    found = [pattern.findall(x) for x in (a, b)]
    return [w for w in found[0] if found[0].count(w) == 1 == found[1].count(w) and a.count(w) == 1 == b.count(w)]


def placeholder(a, b, choose):
    """In the place of a name or a number that both sides have."""
    names = shared(WORD, a, b) + shared(NUMBER, a, b)
    if not names:
        return None
    name = names[choose.integers(len(names))]
    mark = PLACEHOLDERS[choose.integers(len(PLACEHOLDERS))].replace("{n}", str(choose.integers(1, 9999)))
    return a.replace(name, mark), b.replace(name, mark)


def other_number(a, b, choose):
    """Another number in its place, with decimals and a unit at times."""
    numbers = shared(NUMBER, a, b)
    if not numbers:
        return None
    old = numbers[choose.integers(len(numbers))]
    whole = str(choose.integers(0, 10 ** choose.integers(1, 6)))
    return a.replace(old, whole), b.replace(old, whole)


def tagged(a, b, choose):
    """The sentence, or a name in it, within tags."""
    tag = TAGS[choose.integers(len(TAGS))]
    names = shared(WORD, a, b)
    if names and choose.random() < 0.6:
        name = names[choose.integers(len(names))]
        return tuple(x.replace(name, f"<{tag}>{name}</{tag}>") for x in (a, b))
    return f"<{tag}>{a}</{tag}>", f"<{tag}>{b}</{tag}>"


def labelled(a, b, choose):
    """A mark before or after the sentence, or a quantity in brackets, which German writes with a comma."""
    if choose.random() < 0.5:
        mark = PLACEHOLDERS[choose.integers(len(PLACEHOLDERS))].replace("{n}", str(choose.integers(1, 9999)))
        return (f"{mark}: {a}", f"{mark}: {b}") if choose.random() < 0.5 else (f"{a} {mark}", f"{b} {mark}")
    whole, part = choose.integers(0, 500), choose.integers(0, 100)
    unit = UNITS[choose.integers(len(UNITS))]
    return f"{a} ({whole}.{part} {unit})", f"{b} ({whole},{part} {unit})"


KINDS = placeholder, placeholder, other_number, other_number, tagged, labelled


def with_markup(english, german, choose):
    """The pair with one such change, or None where the kind drawn does not fit it."""
    return KINDS[choose.integers(len(KINDS))](english, german, choose)
