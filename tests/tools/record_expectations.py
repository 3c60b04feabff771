# SPDX-License-Identifier: Apache-2.0
"""Records what CTranslate2 (CPU, float32) makes of a model: translations under many options, and scores.

Decisions that hang by a hair are left out: a sentence is kept only when copies of the model whose weights are
disturbed by about 1e-5 give the same tokens in the same order.
"""
import json
import math

import ctranslate2


def open_model(path):
    return ctranslate2.Translator(str(path), device="cpu", compute_type="float32", inter_threads=1, intra_threads=1)


def rounded(value):
    return float(f"{value:.7g}")


def translate(translator, source, prefix, options):
    # One sentence a call: in a batch, CTranslate2's first step of a CPU beam search takes the attention (and with it
    # the coverage penalty) of another sentence, and one sentence's prefix changes the first step of those without.
    options = {"return_scores": True, **options}
    out = []
    for i, tokens in enumerate(source):
        target_prefix = [prefix[i]] if prefix and prefix[i] else None
        result = translator.translate_batch([tokens], target_prefix=target_prefix, **options)[0]
        attention = None
        if options.get("return_attention"):
            attention = [[[round(float(x), 6) for x in row] for row in rows] for rows in result.attention]
        out.append({
            "hypotheses": [list(tokens) for tokens in result.hypotheses],
            "scores": [rounded(score) for score in result.scores],
            "attention": attention,
        })
    return out


def follows_bias(translator, source, prefix, options, tokens, score):
    """Whether a score is what forced scores make of it, for some number of steps at which the bias was on."""
    beta = options["prefix_bias_beta"]
    for start in (0, 1):  # 1: models that take the prefix' first token as their start token
        favoured = prefix[start:]
        forced = translator.score_batch([source], [prefix[:start] + tokens])[0].log_probs
        same = 0
        while same < min(len(favoured), len(tokens)) and favoured[same] == tokens[same]:
            same += 1
        total = sum(math.log((1 - beta) * math.exp(x) + beta) for x in forced[:same]) + sum(forced[same:])
        length = len(forced) ** options.get("length_penalty", 1)
        if any(abs((total + n * math.log(1 - beta)) / length - score) < 5e-5 * max(1, abs(score))
               for n in range(len(favoured) - same + 1)):
            return True
    return False


def contradicts_itself(translator, source, prefix, options, result):
    """Whether CTranslate2's own forced scores disagree with its alternatives or biased translations.

    With a prefix of two tokens and more it feeds the prefix at once, which goes wrong for models that start from a
    zero embedding or have relative positions. Biased decoding takes logarithms of rounded probabilities.
    """
    if options.get("prefix_bias_beta"):
        return not all(follows_bias(translator, source, prefix, options, tokens, score)
                       for tokens, score in zip(result["hypotheses"], result["scores"]))
    if not options.get("return_alternatives") or not prefix:
        return False
    # Models without a start token of their own take the prefix' first token as such and do not give it back.
    starts = all(tokens[:len(prefix)] != prefix for tokens in result["hypotheses"])
    first = len(prefix) - starts
    for tokens, score in zip(result["hypotheses"], result["scores"]):
        if score == 0:
            continue
        forced = translator.score_batch([source], [prefix[:1] + tokens if starts else tokens])[0].log_probs
        ended = len(tokens) < options.get("max_decoding_length", 256)
        rest = forced[first + 1:] if ended else forced[first + 1:len(tokens)]
        expected = forced[first]
        if rest:
            expected += sum(rest) / len(rest) ** options.get("length_penalty", 1)
        if abs(expected - score) > 1e-3:
            return True
    return False


def stable(reference, other):
    return reference["hypotheses"] == other["hypotheses"]


def option_sets(words, rare):
    """name -> (options, sentences, prefix length per sentence). words: a common output token and two more."""
    a, b, c = words
    return {
        "greedy": ({"beam_size": 1}, 20, None),
        "beam4": ({"beam_size": 4}, 20, None),
        "defaults": ({}, 6, None),
        "beam4_n4": ({"beam_size": 4, "num_hypotheses": 4}, 8, None),
        "beam5_length_0": ({"beam_size": 5, "length_penalty": 0, "num_hypotheses": 3}, 6, None),
        "beam5_length_0.6": ({"beam_size": 5, "length_penalty": 0.6, "num_hypotheses": 3}, 6, None),
        "beam4_coverage": ({"beam_size": 4, "coverage_penalty": 0.3, "num_hypotheses": 2}, 6, None),
        "beam3_coverage_length_0": ({"beam_size": 3, "coverage_penalty": 0.2, "length_penalty": 0,
                                     "num_hypotheses": 3}, 4, None),
        "greedy_repetition": ({"beam_size": 1, "repetition_penalty": 1.3}, 6, None),
        "beam3_repetition": ({"beam_size": 3, "repetition_penalty": 1.2, "num_hypotheses": 3}, 6, None),
        "greedy_ngram2": ({"beam_size": 1, "no_repeat_ngram_size": 2}, 6, None),
        "beam4_ngram1": ({"beam_size": 4, "no_repeat_ngram_size": 1, "num_hypotheses": 2}, 4, None),
        "beam4_ngram3": ({"beam_size": 4, "no_repeat_ngram_size": 3, "num_hypotheses": 2}, 6, None),
        "greedy_suppress": ({"beam_size": 1, "suppress_sequences": [[a], [b, c]]}, 6, None),
        "beam3_suppress": ({"beam_size": 3, "suppress_sequences": [[a], [b, c], [c, b, a]]}, 6, None),
        "greedy_prefix": ({"beam_size": 1}, 8, [2, 0, 3, 1]),
        "beam3_prefix": ({"beam_size": 3, "num_hypotheses": 3}, 8, [3, 0, 1, 5]),
        "beam3_prefix_attention": ({"beam_size": 3, "return_attention": True}, 3, [2, 0, 1]),
        "beam3_bias_0.5": ({"beam_size": 3, "prefix_bias_beta": 0.5, "num_hypotheses": 2}, 8, [2, 0, 4, 1]),
        "beam1_bias_0.9": ({"beam_size": 1, "prefix_bias_beta": 0.9}, 6, [3, 0, 2]),
        "beam2_bias_0.05": ({"beam_size": 2, "prefix_bias_beta": 0.05}, 6, [3, 1, 2]),
        "greedy_min": ({"beam_size": 1, "min_decoding_length": 9}, 6, None),
        "beam3_min": ({"beam_size": 3, "min_decoding_length": 9, "num_hypotheses": 2}, 6, None),
        "beam3_max": ({"beam_size": 3, "max_decoding_length": 5, "num_hypotheses": 3}, 6, None),
        "greedy_max": ({"beam_size": 1, "max_decoding_length": 4}, 6, None),
        "beam3_patience": ({"beam_size": 3, "patience": 2, "num_hypotheses": 6}, 6, None),
        "alternatives": ({"beam_size": 1, "num_hypotheses": 6, "return_alternatives": True}, 5, None),
        "alternatives_prefix": ({"beam_size": 1, "num_hypotheses": 5, "return_alternatives": True}, 5, [2, 1, 0]),
        "alternatives_beam_prob": ({"beam_size": 3, "num_hypotheses": 8, "return_alternatives": True,
                                    "min_alternative_expansion_prob": 0.02}, 5, [1, 0, 3]),
        "beam4_disable_unk": ({"beam_size": 4, "disable_unk": True}, 4, None),
        "beam3_end_token": ({"beam_size": 3, "end_token": a, "return_end_token": True}, 6, None),
        "beam3_end_tokens": ({"beam_size": 3, "end_token": [a, rare], "num_hypotheses": 2}, 4, None),
        "beam2_return_end": ({"beam_size": 2, "return_end_token": True}, 4, None),
        "beam3_input_cut": ({"beam_size": 3, "max_input_length": 4, "return_attention": True}, 4, None),
        "greedy_attention": ({"beam_size": 1, "return_attention": True}, 4, None),
        "beam4_attention": ({"beam_size": 4, "num_hypotheses": 2, "return_attention": True}, 4, None),
        "beam4_everything": ({"beam_size": 4, "num_hypotheses": 2, "length_penalty": 0.8, "coverage_penalty": 0.1,
                              "repetition_penalty": 1.1, "no_repeat_ngram_size": 3, "suppress_sequences": [[b, b]],
                              "min_decoding_length": 4, "return_attention": True}, 5, [1, 0]),
    }


def record(model, disturbed, sources, fixed_prefix=(), limit=32, only=None, extra=()):
    """model, disturbed: translators. fixed_prefix: what every target prefix starts with (language codes).

    Sentences rotate through the sets so that each is seen by several.
    """
    fixed = list(fixed_prefix)
    plain = translate(model, sources, [fixed] * len(sources) if fixed else None,
                      {"beam_size": 1, "max_decoding_length": limit})
    outputs = [result["hypotheses"][0][len(fixed):] for result in plain]
    counts = {}
    for output in outputs:
        for token in output:
            counts[token] = counts.get(token, 0) + 1
    common = sorted(counts, key=lambda token: (-counts[token], token))
    words = (common * 4)[1:4]
    cases, kept, dropped = [], 0, 0

    def add(name, source, prefix, options):
        nonlocal kept, dropped
        expected = translate(model, source, prefix, options)
        others = [translate(other, source, prefix, options) for other in disturbed]
        keep = [i for i in range(len(source))
                if all(stable(expected[i], other[i]) for other in others)
                and not contradicts_itself(model, source[i], prefix[i] if prefix else None, options, expected[i])]
        kept, dropped = kept + len(keep), dropped + len(source) - len(keep)
        if keep:
            cases.append({"name": name, "source": [source[i] for i in keep],
                          "target_prefix": [prefix[i] for i in keep] if prefix else None,
                          "options": options, "expected": [expected[i] for i in keep]})

    for index, (name, (options, amount, lengths)) in enumerate(option_sets(words, common[-1]).items()):
        if only and name not in only:
            continue
        options = {"max_decoding_length": limit, **options}
        first = index * 5 % len(sources)
        chosen = [(first + i) % len(sources) for i in range(min(amount, len(sources)))]
        source = [sources[i] for i in chosen]
        prefix = None
        if lengths:
            # From another sentence's translation, so that the prefix is not what the model would say anyway.
            prefix = [fixed + outputs[(i + 1) % len(sources)][:lengths[n % len(lengths)]]
                      for n, i in enumerate(chosen)]
        elif fixed:
            prefix = [fixed] * len(source)
        add(name, source, prefix, options)
    for name, source, prefix, options in extra:
        add(name, source, prefix, options)
    pairs = [(source, fixed + output) for source, output in zip(sources, outputs)][:6]
    pairs += [(sources[i], fixed + outputs[(i + 1) % len(sources)]) for i in range(4)]
    score = []
    for source, target in pairs:
        result = model.score_batch([source], [target])[0]
        score.append({"source": source, "target": target, "log_probs": [round(x, 6) for x in result.log_probs]})
    print(f"  {kept} sentences kept, {dropped} dropped, lengths {sorted(len(output) for output in outputs)}")
    return {"generator": f"ctranslate2 {ctranslate2.__version__}, CPU, float32", "cases": cases, "score": score}


def save(path, expected):
    """One case and one expected result a line."""
    def dump(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    apart = [f'"apart":{dump(expected["apart"])},'] if "apart" in expected else []
    lines = [f'{{"generator":{dump(expected["generator"])},', *apart, '"cases":[']
    for i, case in enumerate(expected["cases"]):
        head = {key: case[key] for key in ("name", "source", "target_prefix", "options")}
        lines.append(dump(head)[:-1] + ',"expected":[')
        lines.append(",\n".join(dump(result) for result in case["expected"]))
        lines.append("]}" + ("," if i + 1 < len(expected["cases"]) else ""))
    lines += ["]," + '"score":[', ",\n".join(dump(item) for item in expected["score"])]
    if "texts" in expected:
        lines += ["]," + '"texts":[', ",\n".join(dump(item) for item in expected["texts"])]
    lines.append("]}")
    text = "\n".join(lines) + "\n"
    json.loads(text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
