#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes sentences with numbers of 25 kinds, in English and German, translates them, and prints for each kind how many
translations have the same values, as a Markdown table.

Values are read by rules of this file alone: the library has no part in the judgement. A value may be written in any way
that the target language reads as the same: 1,234.5 is 1.234,5 in German, 3 pm is 15 Uhr or 3 Uhr nachmittags. What names
something (an address, a card, a version) must be there character by character. No digit may be left over.

    number_values.py [--more] [--model FOLDER] [--sentences 5000] [--beam 4] [--seed 1] [--wrong FILE] [--batch 500]
"""
import argparse
import collections
import fractions
import pathlib
import random
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
NUMBER = fractions.Fraction
THIN, NARROW, NO_BREAK = "\u2009", "\u202f", "\u00a0"
MONTHS = {"en": ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                 "November", "December"],
          "de": ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                 "November", "Dezember"]}
SMALL = {"en": "zero one two three four five six seven eight nine ten eleven twelve".split(),
         "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()}
ORDINAL = {"en": "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
           "de": "nullte erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte".split()}


def in_groups(digits, separator, first=3, others=3):
    head, parts = digits, []
    while len(head) > (others if parts else first):
        size = others if parts else first
        parts.insert(0, head[-size:])
        head = head[:-size]
    return separator.join([head] + parts)


# Kinds. Each gives the number as it is written, and what must be read in the translation: a list of demands. A demand is
# ("value", Fraction), ("exact", text), ("time", minutes), ("spoken", (hour, minute)) of either half of the day, ("date",
# (day, month, year)) or ("order", [Fractions]).

def whole(r, low, high):
    return r.randint(low, high)


def mark(language):
    return "." if language == "en" else ","


def other(language):
    return "," if language == "en" else "."


def small_integer(r, _):
    n = whole(r, 2, 12)
    return str(n), [("value", NUMBER(n))]


def integer(r, _):
    n = whole(r, 13, 999)
    return str(n), [("value", NUMBER(n))]


def plain_thousands(r, _):
    n = whole(r, 2101, 9999)
    return str(n), [("value", NUMBER(n))]


def thousands(r, language):
    n = whole(r, 10000, 999999)
    return in_groups(str(n), other(language)), [("value", NUMBER(n))]


def millions(r, language):
    n = whole(r, 1000000, 99999999999)
    return in_groups(str(n), other(language)), [("value", NUMBER(n))]


def places(r, low, high, most=3):
    digits = r.randint(1, most)
    text = "".join(r.choice("0123456789") for _ in range(digits))
    return str(whole(r, low, high)), text if digits < 3 else text[:-1] + r.choice("123456789")


def decimal(r, language):
    head, tail = places(r, 0, 999, 2)
    return head + mark(language) + tail, [("value", NUMBER(head + "." + tail))]


def grouped_decimal(r, language):
    head, tail = places(r, 1000, 9999999, 2)
    return in_groups(head, other(language)) + mark(language) + tail, [("value", NUMBER(head + "." + tail))]


def negative(r, language):
    head, tail = places(r, 1, 99, 1)
    return "-" + head + mark(language) + tail, [("value", -NUMBER(head + "." + tail))]


def percent(r, language):
    text, demands = decimal(r, language)
    return text + ("%" if language == "en" else " %"), demands


def currency(r, language):
    text, demands = r.choice([grouped_decimal, decimal, thousands])(r, language)
    sign = r.choice("$€£")
    return (sign + text if language == "en" else f"{text} {sign}"), demands


def currency_code(r, language):
    text, demands = r.choice([grouped_decimal, decimal])(r, language)
    code = r.choice(["USD", "EUR", "CHF", "GBP"])
    return (f"{code} {text}" if language == "en" else f"{text} {code}"), demands


def thin_groups(r, _):
    n = whole(r, 1000, 9999999)
    return in_groups(str(n), r.choice([THIN, NARROW, NO_BREAK])), [("value", NUMBER(n))]


def other_groups(r, language):
    head, tail = places(r, 1000, 99999999, 2)
    if r.random() < 0.5 or language == "de":
        return in_groups(head, r.choice("'’")) + "." + tail, [("value", NUMBER(head + "." + tail))]
    head = str(whole(r, 100000, 99999999))
    return in_groups(head, ",", 3, 2), [("value", NUMBER(head))]


def hour(r, language):
    hours = whole(r, 0, 23)
    if language == "de":
        return f"{hours} Uhr", [("time", hours * 60)]
    day = r.choice(["am", "pm"] if r.random() < 0.5 else ["a.m.", "p.m."])
    hours = (hours % 12) + (12 if day[0] == "p" else 0)
    return f"{(hours - 1) % 12 + 1} {day}", [("time", hours * 60)]


def clock(r, language):
    hours, minutes = whole(r, 0, 23), whole(r, 1, 59)
    at = [("time", hours * 60 + minutes)]
    if language == "de":
        return f"{hours:02}:{minutes:02} Uhr", at
    if r.random() < 0.3:
        return f"{hours:02}:{minutes:02}", at
    day = r.choice(["am", "a.m."] if hours < 12 else ["pm", "p.m."])
    return f"{(hours - 1) % 12 + 1}:{minutes:02} {day}", at


def a_day(r):
    return whole(r, 1, 28), whole(r, 1, 12), whole(r, 1950, 2029)


def iso_date(r, _):
    day, month, year = a_day(r)
    text = f"{year}-{month:02}-{day:02}"
    return text, [("exact", text)]


def written_date(r, language):
    day, month, year = a_day(r)
    name = MONTHS[language][month - 1]
    text = f"{day}. {name} {year}" if language == "de" else r.choice([f"{name} {day}, {year}", f"{day} {name} {year}"])
    return text, [("date", (day, month, year))]


def address(r, _):
    text = ".".join(str(r.choice([whole(r, 0, 255), whole(r, 100, 255)])) for _ in range(4))
    return text, [("exact", text)]


def version(r, _):
    text = ".".join(str(whole(r, 0, 40)) for _ in range(3))
    return text, [("exact", text)]


def account(r, _):
    if r.random() < 0.5:
        text = in_groups("".join(r.choice("0123456789") for _ in range(16)), " ", 4, 4)
    else:
        text = r.choice(["DE", "AT", "CH", "NL"]) + "".join(r.choice("00123456789") for _ in range(18))
        text = " ".join(text[i:i + 4] for i in range(0, len(text), 4))
    return text, [("exact", text)]


def telephone(r, _):
    def digits(n):
        return "".join(r.choice("00123456789") for _ in range(n))
    text = r.choice([f"+49 {whole(r, 30, 899)} {digits(3)} {digits(2)} {digits(2)}", f"0{whole(r, 30, 899)} {digits(7)}",
                     f"0{whole(r, 30, 899)}/{digits(6)}", f"0{whole(r, 30, 99)} {digits(3)} {digits(2)} {digits(2)}",
                     f"+1-{whole(r, 200, 999)}-{digits(3)}-{digits(4)}", f"+44 20 {digits(4)} {digits(4)}"])
    return text, [("exact", text)]


def fraction(r, _):
    n = whole(r, 3, 16)
    text = f"{whole(r, 1, n - 1)}/{n}"
    return text, [("exact", text)]


def span(r, _):
    a = whole(r, 13, 400)
    b = a + whole(r, 1, 300)
    return f"{a}{r.choice('-–')}{b}", [("order", [NUMBER(a), NUMBER(b)])]


def ordinal(r, language):
    n = whole(r, 2, 99)
    if language == "de":
        return f"{n}.", [("value", NUMBER(n))]
    end = "th" if 10 < n < 14 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{end}", [("value", NUMBER(n))]


def number_list(r, _):
    first, step = whole(r, 1, 700), whole(r, 1, 9)
    numbers = [first + step * i for i in range(whole(r, 20, 30))]
    return ", ".join(map(str, numbers)), [("order", list(map(NUMBER, numbers)))]


def exponent(r, language):
    text, demands = r.choice([decimal, integer])(r, language)
    return text + r.choice([" m²", " km²", " m³", " cm³", " kWh/m²"]), demands


def leading_zeros(r, _):
    text = "0" * whole(r, 1, 3) + str(whole(r, 1, 999))
    return text, [("exact", text)]


def point_decimal(r, language):
    tail = places(r, 0, 9)[1]
    tail = tail if tail.strip("0") else "5"
    return ("." if language == "en" else "0,") + tail, [("value", NUMBER("0." + tail))]


def spoken_time(r, language):
    hours, minutes = whole(r, 1, 12), r.choice([15, 30, 45])
    after = hours % 12 + 1
    names = SMALL[language]
    text = {"en": {15: f"a quarter past {names[hours]}", 30: f"half past {names[hours]}",
                   45: f"a quarter to {names[after]}"},
            "de": {15: f"Viertel nach {spoken_hour(hours)}", 30: f"halb {spoken_hour(after)}",
                   45: f"Viertel vor {spoken_hour(after)}"}}[language][minutes]
    return text, [("spoken", (hours, minutes))]


def spoken_hour(hours):
    return "eins" if hours == 1 else SMALL["de"][hours]


def twelve(r, language):
    noon = r.random() < 0.5
    text = ("12 noon" if noon else "12 midnight") if language == "en" else "12 Uhr mittags" if noon else "0 Uhr"
    return text, [("time", 720 if noon else 0)]


def address_range(r, language):
    text = address(r, language)[0] + r.choice("-–") + address(r, language)[0]
    return text, [("exact", text)]


def grouped_name(r, _):
    figures = "".join(r.choice("123456789") for _ in range(9))
    text = in_groups(figures, " ") if r.random() < 0.5 else f"{figures[:3]} {figures[3:6]} {figures[6:8]}"
    return text, [("exact", text)]


def spaced_date(r, _):
    day, month, year = a_day(r)
    text = r.choice([f"{day}. {month}. {year}", f"{day}.–{day + 1}.{month}.{year}", f"{day}./{day + 1}.{month}."])
    return text, [("exact", text)]


COUNTS = {"en": ["We need {} books for the school.", "There are {} people in the city.", "He sold {} cars last year.",
                 "She has {} photos of the house."],
          "de": ["Wir brauchen {} Bücher für die Schule.", "In der Stadt sind {} Menschen.",
                 "Er hat letztes Jahr {} Autos verkauft.", "Sie hat {} Fotos von dem Haus."]}
AMOUNTS = {"en": ["The value is {} today.", "They measured {} in the water.", "The result was {}, as we hoped.",
                  "Write {} in the table."],
           "de": ["Der Wert ist heute {}.", "Sie haben {} im Wasser gemessen.", "Das Ergebnis war {}, wie wir hofften.",
                  "Schreiben Sie {} in die Tabelle."]}
MONEY = {"en": ["The house costs {} this year.", "I paid {} for the car.", "The bill of {} is too high."],
         "de": ["Das Haus kostet dieses Jahr {}.", "Ich habe {} für das Auto bezahlt.", "Die Rechnung über {} ist zu hoch."]}
TIMES = {"en": ["The train leaves at {} tomorrow.", "We met at {} in front of the school.",
                "The shop opens at {}, and we will be there."],
         "de": ["Der Zug fährt morgen um {} ab.", "Wir haben uns um {} vor der Schule getroffen.",
                "Das Geschäft öffnet um {}, und wir werden da sein."]}
DAYS = {"en": ["The letter of {} has arrived.", "She was born on {} in Berlin.", "The contract ends on {}."],
        "de": ["Der Brief vom {} ist angekommen.", "Sie wurde am {} in Berlin geboren.", "Der Vertrag endet am {}."]}
NAMES = {"en": ["The number is {}.", "Please write {} on the form.", "I found {} in the old file."],
         "de": ["Die Nummer ist {}.", "Bitte schreiben Sie {} auf das Formular.", "Ich habe {} in der alten Akte gefunden."]}
PLACES = {"en": ["He was in the {} place last year.", "This is the {} time that I ask you.", "She lives on the {} floor."],
          "de": ["Er war letztes Jahr auf dem {} Platz.", "Das ist das {} Mal, dass ich Sie frage.",
                 "Sie wohnt im {} Stock."]}
LISTS = {"en": ["Rooms {} are free.", "The winning numbers are {}.", "Pages {} are missing in the book."],
         "de": ["Die Zimmer {} sind frei.", "Die Gewinnzahlen sind {}.", "Die Seiten {} fehlen in dem Buch."]}
AREAS = {"en": ["The garden has {} of grass.", "The tank of {} is too small.", "They use {} every year."],
         "de": ["Der Garten hat {} Rasen.", "Der Tank mit {} ist zu klein.", "Sie verbrauchen jedes Jahr {}."]}

CODES = {"en": ["My tax number is {}.", "Customer no. {} has not paid.", "The account {} is closed."],
         "de": ["Meine Steuernummer ist {}.", "Kundennr. {} hat nicht bezahlt.", "Das Konto {} ist geschlossen."]}
HALVES = {"en": ["We met at {} in front of the school.", "It is {}.", "At {} the train arrived."],
          "de": ["Wir haben uns um {} vor der Schule getroffen.", "Es ist {}.", "Um {} kam der Zug an."]}

KINDS = [("integer up to 12", small_integer, COUNTS), ("integer", integer, COUNTS),
         ("integer of four digits", plain_thousands, COUNTS), ("thousands in groups", thousands, COUNTS),
         ("millions in groups", millions, COUNTS), ("decimal", decimal, AMOUNTS),
         ("decimal with groups", grouped_decimal, AMOUNTS), ("negative", negative, AMOUNTS),
         ("percent", percent, AMOUNTS), ("currency, sign", currency, MONEY), ("currency, code", currency_code, MONEY),
         ("groups with thin spaces", thin_groups, COUNTS), ("Swiss and Indian groups", other_groups, AMOUNTS),
         ("hour", hour, TIMES), ("hour and minute", clock, TIMES), ("ISO date", iso_date, DAYS),
         ("date with month", written_date, DAYS), ("IP address", address, NAMES), ("version", version, NAMES),
         ("IBAN, card", account, NAMES), ("telephone", telephone, NAMES), ("fraction", fraction, AMOUNTS),
         ("range", span, COUNTS), ("list of 20 and more", number_list, LISTS), ("unit with exponent", exponent, AREAS),
         ("ordinal", ordinal, PLACES), ("leading zeros", leading_zeros, NAMES)]
MORE_KINDS = [("decimal without a whole number", point_decimal, AMOUNTS), ("hour in words", spoken_time, HALVES),
              ("noon and midnight", twelve, TIMES), ("range of addresses", address_range, NAMES),
              ("name in groups of three", grouped_name, CODES), ("date with blanks, two days", spaced_date, DAYS)]
JOINED = {"ordinal": "ordinal, leading zeros", "leading zeros": "ordinal, leading zeros",
          "range": "fraction, range", "fraction": "fraction, range"}  # 25 rows


# The judge.

FIGURES = re.compile(r"(?<![\w])[-−–]?\d+(?:[.,'’\u00a0\u2009\u202f ]\d+)*", re.U)


def value_of(text, language):
    """The value of one number as a reader of the language takes it, or None."""
    negative_sign = text[0] in "-−–"
    text = text.lstrip("-−–")
    point, group = (".", ",") if language == "en" else (",", ".")
    spaces = "[\u00a0\u2009\u202f '’]"
    for separator in (re.escape(group), spaces):
        if re.fullmatch(rf"\d{{1,3}}(?:{separator}\d{{3}})+(?:{re.escape(point)}\d+)?", text):
            break
    else:
        # Groups of Swiss and Indian numbers, and plain ones.
        swiss = re.fullmatch(r"\d{1,3}(?:['’]\d{3})+(?:\.\d+)?", text)
        indian = re.fullmatch(rf"\d{{1,2}}(?:{re.escape(group)}\d{{2}})+{re.escape(group)}\d{{3}}", text)
        if swiss:
            point = "."
        elif not indian and not re.fullmatch(rf"\d+(?:{re.escape(point)}\d+)?", text):
            return None
    head, _, tail = text.partition(point)
    number = NUMBER(re.sub(r"\D", "", head) + ("." + tail if tail else ""))
    return -number if negative_sign else number


def values(text, language):
    """[(begin, end, value)] of a text; a run of figures that is no number in the language gives None. Blanks join only
    what they can group."""
    found, at = [], 0
    while match := re.compile(r"\d").search(text, at):
        begin = match.start()
        if begin and text[begin - 1] in "-−–" and (begin == 1 or not text[begin - 2].isalnum()):
            begin -= 1
        whole_run = re.compile(r"[-−–]?\d+(?:[.,'’\u00a0\u2009\u202f ]\d+)*").match(text, begin)
        run = whole_run.group()
        value = value_of(run, language)
        if value is None:  # without what follows a blank
            run = re.match(r"[-−–]?\d+(?:[.,'’]\d+)*", run).group()
            value = value_of(run, language)
        found.append((begin, begin + len(run), value))
        at = begin + len(run)
    return found


def small_word(n, text, language):
    if n != int(n) or not 0 <= n <= 12:
        return False
    words = [SMALL[language][int(n)], ORDINAL[language][int(n)]]
    text = text.lower()
    return any(re.search(r"\b" + word, text) for word in words)


def times(text, language):
    """All readings of the times in a text, in minutes, and the text without them."""
    found = []
    afternoon = r"nachmittags?|abends?|mittags|in the afternoon|in the evening|at night|nachts"
    morning = r"morgens|vormittags?|in the morning|nachts|at night"

    def take(match):
        hours, minutes = int(match["h"]), int(match["m"] or 0)
        day = (match["d"] or "").lower()
        if hours > 24 or minutes > 59:
            return match.group()
        if re.match(r"p\.? ?m|" + afternoon, day) and not (re.match("nachts|at night", day) and hours < 6):
            hours = hours % 12 + 12
        elif re.match(r"a\.? ?m|" + morning, day):
            hours = hours % 12
        found.append(hours % 24 * 60 + minutes)
        return " "
    rest = re.sub(r"(?<!\d)(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))?(?: (?:Uhr|o'clock|o’clock|hours))?"
                  r"(?:\s?(?P<d>[ap]\.? ?m\b\.?|" + afternoon + "|" + morning + r"))?(?![\d])", take, text, flags=re.I)
    if not found:
        lower = text.lower()
        for word, at in (("midnight", 0), ("mitternacht", 0), ("noon", 720), ("mittag", 720)):
            if word in lower:
                found.append(at)
        for n, word in enumerate(SMALL[language]):  # "at three o'clock"
            if n and re.search(rf"\b{word}s? (?:uhr|o'clock|o’clock|[ap]\.?m)", lower):
                late = re.search(r"[ap]\.?m|" + afternoon, lower)
                found.append((n % 12 + (12 if late and late.group()[0] != "a" else 0)) * 60)
    return found, rest


def fault(demands, translation, language):
    """What is wrong with a translation, or None."""
    for kind, wanted in demands:
        if kind == "exact":
            at = translation.find(wanted)
            outside = translation[:at] + " " + translation[at + len(wanted):]
            if at < 0 or re.search(r"\d", outside):
                return "not there, or more digits"
            if re.search(r"[\w+]$", translation[:at]) or re.match(r"\w", translation[at + len(wanted):]):
                return "glued"
        elif kind == "time":
            found, rest = times(translation, language)
            if found != [wanted] or re.search(r"\d", rest):
                return f"times {found}, wanted {wanted}"
        elif kind == "spoken":
            found, rest = times(translation, language)
            hours, minutes = wanted
            after = hours % 12 + 1
            names = SMALL[language] if language == "en" else [spoken_hour(n) if n else "" for n in range(13)]
            words = {"en": {15: f"quarter (past|after) {names[hours]}", 30: f"half past {names[hours]}",
                            45: f"quarter (to|of|before) {names[after]}"},
                     "de": {15: f"Viertel nach {names[hours]}", 30: f"halb {names[after]}",
                            45: f"(Viertel vor|drei ?viertel) {names[after]}"}}[language][minutes]
            in_figures = [at % 720 for at in found] == [(hours * 60 + minutes) % 720] and not re.search(r"\d", rest)
            if not in_figures and (re.search(r"\d", translation) or not re.search(words, translation, re.I)):
                return f"times {found}, wanted {hours}:{minutes}"
        elif kind == "date":
            day, month, year = wanted
            numbers = [str(int(n)) for n in re.findall(r"\d+", translation)]
            named = any(name[:3].lower() in translation.lower() for name in (MONTHS[language][month - 1],))
            expected = [str(day), str(year)] + ([] if named else [str(month)])
            if sorted(numbers) != sorted(expected):
                return f"numbers {numbers}"
        elif kind == "order":
            text = re.sub(r"(?<=\d)[-–](?=\d)", " to ", translation)
            found = [v for _, _, v in values(text, language)]
            if found != wanted:
                return f"values {list(map(str, found))}"
        else:
            found = [v for _, _, v in values(translation, language)]
            if found == [] and small_word(wanted, translation, language):
                continue
            if found != [wanted]:
                return f"values {list(map(str, found))}"
    return None


def sentences(language, count, seed, kinds=None):
    """[(kind, sentence, demands)], the kinds in turn."""
    r = random.Random(f"{language} {seed}")
    made = []
    for i in range(count):
        name, make, frames = (kinds or KINDS)[i % len(kinds or KINDS)]
        text, demands = make(r, language)
        made.append((JOINED.get(name, name), r.choice(frames[language]).format(text).replace("..", "."), demands))
    return made


def translate(options, to, lines):
    command = [options.cli, "translate", "--to", to, "--beam", options.beam, "--output", "-"]
    command += ["--model", options.model] if options.model else []
    output = subprocess.run(list(map(str, command)), input="\n".join(lines) + "\n", check=True, stdout=subprocess.PIPE,
                            text=True).stdout.removesuffix("\n").split("\n")
    if len(output) != len(lines):
        sys.exit(f"{len(lines)} lines gave {len(output)}")
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--cli", type=pathlib.Path, default=HERE.parent / "build/release/bin/dragoman")
    parser.add_argument("--sentences", type=int, default=5000, help="in each direction")
    parser.add_argument("--batch", type=int, default=500, help="lines that go to the tool at a time")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--more", action="store_true", help="other kinds: hours in words, .5, dates with blanks and so on")
    parser.add_argument("--wrong", type=pathlib.Path, help="a file for the translations that changed a value")
    parser.add_argument("--print", action="store_true", help="the sentences alone")
    options = parser.parse_args()
    counts, wrong, seconds = collections.defaultdict(collections.Counter), [], 0.0
    for source, to in (("en", "de"), ("de", "en")):
        made = sentences(source, options.sentences, options.seed, MORE_KINDS if options.more else KINDS)
        if options.print:
            print("\n".join(sentence for _, sentence, _ in made))
            continue
        for begin in range(0, len(made), options.batch):
            part = made[begin:begin + options.batch]
            start = time.monotonic()
            output = translate(options, to, [sentence for _, sentence, _ in part])
            seconds += time.monotonic() - start
            for (kind, sentence, demands), translation in zip(part, output):
                said = fault(demands, translation, to)
                counts[kind][source, "all"] += 1
                counts[kind][source, "equal"] += said is None
                if said:
                    wrong.append(f"{source}-{to}\t{kind}\t{sentence}\t{translation}\t{said}")
    if options.print:
        return
    print("| kind | en-de equal | of | de-en equal | of |\n|---|---:|---:|---:|---:|")
    total = collections.Counter()
    for kind in dict.fromkeys(JOINED.get(name, name) for name, _, _ in
                              (MORE_KINDS if options.more else KINDS)):
        total.update(counts[kind])
        print(f"| {kind} | " + " | ".join(f"{counts[kind][s, 'equal']} | {counts[kind][s, 'all']}" for s in ("en", "de")) +
              " |")
    print("| all | " + " | ".join(f"{total[s, 'equal']} | {total[s, 'all']}" for s in ("en", "de")) + " |")
    equal = sum(total[s, "equal"] for s in ("en", "de"))
    print(f"\nEqual values: {100 * equal / max(1, sum(total[s, 'all'] for s in ('en', 'de'))):.2f} %, {seconds:.0f} s")
    if options.wrong:
        options.wrong.write_text("".join(line + "\n" for line in wrong), encoding="utf-8")


if __name__ == "__main__":
    main()
