# SPDX-License-Identifier: Apache-2.0
"""The package's README.md: what the model is, made of, worth, and bad at."""
import json
from pathlib import Path

import options as settings
from data import load_pairs, tier_a
from mono import sources
from package import load_package, training_record

# The measurements of bench/noise_sets.py, and the part of them that the card shows.
NOISY = Path(__file__).resolve().parents[2] / "bench" / "results" / "2026-11-24-noise-sets.json"
NOISES = "capitals", "title case", "small letters", "no end marks", "typographic", "emoji", "tags", "mixed"
GPU_KILOWATTS = 0.7       # the most that an H100 takes
KILOGRAMS_PER_KWH = 0.4   # of carbon dioxide, where electricity is about as the world's mean
DEVICES = {"cpu": "two CPU cores", "cuda": "one GPU"}

TEXT = """---
language: [de, en]
license: CC-BY-SA-4.0
pipeline_tag: translation
---

# German-English and English-German, tiny

A translation model for both directions in one, small enough to come with the library. It handles everyday sentences,
and of encyclopedic prose the gist; for serious work load a larger published model.

| | |
|---|---|
| architecture | Marian transformer, {encoder}+{decoder} layers, d_model {d}, feed-forward {ffn}, {heads} heads, ReLU |
| vocabulary | SentencePiece unigram, {vocab} pieces, shared by both languages and both sides |
| parameters | {parameters:,} |
| files | Hugging Face MarianMT layout, float16, {size:.1f} MB |
| trained on | {trained} |
| energy | {energy} |
| languages | the first source token says which: `>>de<<` to German, `>>en<<` to English |

Any engine that reads MarianMT models can use it:

```python
from transformers import MarianMTModel, MarianTokenizer
model, tokenizer = MarianMTModel.from_pretrained(folder), MarianTokenizer.from_pretrained(folder)
output = model.generate(**tokenizer([">>de<< How are you?"], return_tensors="pt"))
```

## Scores

Measured on held-out sets that no training sentence occurs in. Those of tatoeba-heldout resemble the training data
closely; laser-tatoeba, other sentences from the same site, says more about new text. The
sentences of flores-dev (FLORES-200 of the NLLB team, CC-BY-SA 4.0) and ntrex128 are encyclopedic and news prose.

| set | direction | beams | BLEU | chrF |
|---|---|---|---|---|
{scores}

`{bleu}`, `{chrf}`

{copies}{text_layer}{samples}## What it is bad at

- Long sentences and several clauses: it loses or repeats parts. Texts should be split into sentences first.
- Rare words and names, which it replaces with more frequent ones of the same kind, sometimes with confidence.
- News, law, science: most of what it knows of them are translations by a larger model, with that model's mistakes. A
  wrong translation can read well.
- ALL CAPITALS: words that it knows in small letters become strings of syllables. Nor does it know German nouns again
  that are written small.
- German "Sie" and "du": it chooses without knowing who speaks.
- Its literature is from before 1930, with the attitudes of that time.

## Data and attribution

Made by `models/recipe` from these sources, whose authors and translators are thanked and hereby attributed. The
sentences were filtered and deduplicated. The weights are offered under CC-BY-SA 4.0, the most demanding of these
licences.

| source | pairs | domain | licence | origin |
|---|---|---|---|---|
{sources}
{texts}"""

TEXTS = """
Text in one language, which earlier weights and a larger model translated:

| language | source | sentences at most | domain | licence | origin |
|---|---|---|---|---|---|
"""


def text_sources(record):
    """The sources of mono.tsv, where the weights come from them."""
    if not record.get("texts"):
        return ""
    rows = ((language, name, f"{row['most']:,}", row["domain"], row["licence"], row["origin"])
            for (language, name), row in sources().items())
    return TEXTS + "".join(f"| {' | '.join(row)} |\n" for row in rows)


COPIES = """The same sentences as people also write them: all capitals (also expected in the translation), small
letters, without end marks (nor expected), with curly quotes and apostrophes. In brackets what that changes:

| set | direction | beams | BLEU | chrF |
|---|---|---|---|---|
{rows}

"""


TEXT_LAYER = """With Dragoman's text layer (not `--raw`), {lines} sentences of each set, beam {beam}: BLEU of clean
sentences, and what noisy copies lose of it (`bench/noise_sets.py`); below 0: nothing, the copy is luckier.
"Mixed" draws one of eleven kinds for each sentence:

| set | clean | {kinds} |
|---|{columns}
{rows}

"""


def text_layer():
    """What the tool makes of noisy copies, from the committed file; empty where there is none."""
    if not NOISY.exists():
        return ""
    results = json.loads(NOISY.read_text(encoding="utf-8"))
    rows = []
    for name, of_set in results.items():
        by_noise = {row["noise"]: row for row in of_set["rows"]}
        lost = [by_noise[kind]["best_bleu"] - by_noise[kind]["bleu"] for kind in NOISES]
        rows.append(f"| {name} | {by_noise['none']['bleu']:.1f} | " + " | ".join(f"{x:.1f}" for x in lost) + " |")
    first = next(iter(results.values()))
    return TEXT_LAYER.format(lines=first["lines"], beam=first["beam"], kinds=" | ".join(NOISES),
                             columns="---:|" * (1 + len(NOISES)), rows="\n".join(rows))


def plain_rows(results):
    return "\n".join(f"| {r['set']} | {r['direction']} | {r['beams']} | {r['bleu']:.1f} | {r['chrf']:.1f} |"
                     for r in results if ", " not in r["set"])


def copies(results):
    """The sets that evaluate.py changed, beside the unchanged ones."""
    by_name = {(r["set"], r["direction"], r["beams"]): r for r in results}
    rows = []
    for r in results:
        plain = by_name.get((r["set"].split(", ")[0], r["direction"], r["beams"]))
        if ", " in r["set"] and plain:
            scores = (f"{r[key]:.1f} ({r[key] - plain[key]:+.1f})" for key in ("bleu", "chrf"))
            rows.append(f"| {r['set']} | {r['direction']} | {r['beams']} | {' | '.join(scores)} |")
    return COPIES.format(rows="\n".join(rows)) if rows else ""


def history(record, pairs):
    """Data, steps and time, also of the weights that these began with."""
    def time_of(part):
        return f"{part['steps']:,} steps in {part['seconds'] / 3600:.1f} hours on {DEVICES[part['device']]}"
    text = f"{pairs:,} sentence pairs, tier A of the sources below"
    if record.get("texts"):
        text += f", and machine translations of {sum(row['most'] for row in sources().values()):,} sentences at most"
    text += f"; {time_of(record)}"
    if record.get("before"):
        text += f", with its teacher, after {time_of(record['before'])}"
    mixed = record.get("mixed_in", 0)
    before = "those before" if record.get("before") else "the release before"
    verb = "count" if record.get("before") else "counts"
    return text + (f"; the weights are a mean with {before}, which {verb} {mixed:g}" if mixed else "")


def energy(record):
    if record["device"] != "cuda":
        return "not measured: spare time of a CPU"
    used = GPU_KILOWATTS * record["seconds"] / 3600
    return (f"at most {used:.2f} kWh for the GPU ({record['seconds'] / 60:.0f} minutes), about "
            f"{used * KILOGRAMS_PER_KWH:.2f} kg of CO2; the spare time of a CPU was not measured")


def write_card(options, log):
    package = options.out
    record = training_record(package)
    pairs = load_pairs(options)
    used = {}
    for *_, source in pairs:
        used[source] = used.get(source, 0) + 1
    rows = [f"| {name} | {used[name]:,} | {row['domain']} | {row['licence']} | {row['origin']} |"
            for name, row in tier_a().items() if row["weight"] > 0 and name in used]
    results = json.loads((options.run_dir / "evaluation.json").read_text(encoding="utf-8"))
    evaluation = (options.run_dir / "evaluation.md").read_text(encoding="utf-8")
    samples = evaluation[evaluation.index("\n## ") + 1:] if "\n## " in evaluation else ""
    model = load_package(package)
    card = TEXT.format(
        encoder=settings.ENCODER_LAYERS, decoder=settings.DECODER_LAYERS, d=settings.D_MODEL,
        ffn=" and ".join(map(str, sorted(set(model.ffn), reverse=True))),
        heads=settings.HEADS, vocab=settings.VOCAB_SIZE, parameters=sum(p.numel() for p in model.parameters()),
        size=sum(p.stat().st_size for p in package.iterdir() if p.name != "README.md") / 1e6,
        trained=history(record, sum(n for name, n in used.items() if tier_a()[name]["weight"] > 0)),
        energy=energy(record), scores=plain_rows(results), copies=copies(results), text_layer=text_layer(),
        bleu=results[0]["bleu_signature"], chrf=results[0]["chrf_signature"], samples=samples + "\n" if samples else "",
        sources="\n".join(rows), texts=text_sources(record))
    (package / "README.md").write_text(card, encoding="utf-8")
    log(f"wrote {package / 'README.md'}")
