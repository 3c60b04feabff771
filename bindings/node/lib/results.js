// SPDX-License-Identifier: Apache-2.0
"use strict";

const { inspect } = require("node:util");

const { call, UnsupportedError } = require("./errors.js");
const { native } = require("./native.js");

/** Places in bytes of the UTF-8 as places in the string. */
function places(text, bytes) {
    if (/^[\0-\x7f]*$/.test(text)) return bytes;
    const data = Buffer.from(text, "utf8");
    const found = new Map();
    let at = 0, unit = 0;
    for (const end of [...new Set(bytes)].sort((left, right) => left - right)) {
        unit += data.toString("utf8", at, end).length;
        at = end;
        found.set(end, unit);
    }
    return bytes.map((end) => found.get(end));
}

const pairs = (flat) => flat.flatMap((value, place) => (place % 2 ? [] : [[value, flat[place + 1]]]));

// The names of dragoman_sentence_flag's bits.
const FLAGS = ["copied", "inTargetLanguage", "inOtherLanguage", "carried", "repeated", "numbers", "mojibake",
    "fromMemory", "unsure", "uncovered"];

class Sentence {
    #owner;
    #place;
    constructor(owner, place, raw, sourceSpan, targetSpan, uncoveredSpan) {
        this.#owner = owner;
        this.#place = place;
        this.sourceSpan = sourceSpan;
        this.targetSpan = targetSpan;
        this.sourceTokenSpan = raw.sourceTokens;
        this.targetTokenSpan = raw.targetTokens;
        this.score = raw.score;
        this.quality = raw.quality;
        this.coverage = raw.coverage;
        this.uncoveredWords = raw.uncoveredWords;
        this.uncoveredSpan = uncoveredSpan;
        this.language = raw.language || undefined;
        this.languageProbability = raw.languageProbability;
        this.flags = FLAGS.filter((_, bit) => raw.flags & (1 << bit));
    }
    get source() {
        return this.#owner.plainSource.slice(...this.sourceSpan);
    }
    get text() {
        return this.#owner.plainText.slice(...this.targetSpan);
    }
    get sourceTokens() {
        return this.#owner.sourceTokens.slice(...this.sourceTokenSpan);
    }
    get tokens() {
        return this.#owner.tokens.slice(...this.targetTokenSpan);
    }
    get sourceRanges() {
        return this.#owner.sourceRanges.slice(...this.sourceTokenSpan);
    }
    get ranges() {
        return this.#owner.ranges.slice(...this.targetTokenSpan);
    }
    get wordQuality() {
        const scores = this.#owner.read(native.resultWordQuality, this.#place).data;
        const spans = scores.length > 0 ? this.alignment.targetSpans : [];
        return spans.map((span, place) => ({ span, score: scores[place] }));
    }
    get terms() {
        const raw = this.#owner.read(native.resultTerms, this.#place);
        if (raw.length === 0) return [];
        const spans = pairs(places(this.#owner.plainSource, raw.flatMap(({ begin, end }) => [begin, end])));
        return raw.map(({ met }, place) => ({ sourceSpan: spans[place], met }));
    }
    get matches() {
        return this.#owner.read(native.resultMatches, this.#place);
    }
    get attention() {
        return this.#owner.read(native.resultSentenceAttention, this.#place);
    }
    get alignment() {
        const owner = this.#owner;
        const words = (function_, text) => {
            const bytes = owner.read(function_, this.#place);
            return bytes.length > 0 ? pairs(places(text, bytes)) : [];
        };
        return {
            sourceSpans: words(native.resultSourceWords, owner.plainSource),
            targetSpans: words(native.resultTargetWords, owner.plainText),
            weights: owner.read(native.resultAlignment, this.#place),
        };
    }
    toString() {
        return this.text;
    }
    toJSON() {
        return this.text;
    }
    [inspect.custom](_depth, options) {
        return `Sentence ${inspect(this.source, options)} -> ${inspect(this.text, options)}`;
    }
}

/** One translation of an input; what it has is read from the library when asked for. */
class Hypothesis {
    #result;
    #input;
    #rank;
    #cache = {};
    constructor(result, input, rank, source) {
        this.#result = result;
        this.#input = input;
        this.#rank = rank;
        this.source = source;
    }
    /** @internal */
    read(function_, sentence) {
        return call(function_, this.#result, this.#input, this.#rank, sentence);
    }
    get text() {
        return (this.#cache.text ??= this.read(native.resultText));
    }
    get plainSource() {
        return (this.#cache.plainSource ??= this.read(native.resultPlainSource) || this.source);
    }
    get plainText() {
        return (this.#cache.plainText ??= this.read(native.resultPlainText) || this.text);
    }
    get tokens() {
        return (this.#cache.tokens ??= this.read(native.resultTokens));
    }
    get sourceTokens() {
        return (this.#cache.sourceTokens ??= this.read(native.resultSourceTokens));
    }
    get ranges() {
        return (this.#cache.ranges ??= this.#ranges(native.resultRanges, () => this.plainText));
    }
    get sourceRanges() {
        return (this.#cache.sourceRanges ??= this.#ranges(native.resultSourceRanges, () => this.plainSource));
    }
    #ranges(function_, text) {
        const bytes = this.read(function_);
        return bytes.length > 0 ? pairs(places(text(), bytes)) : [];
    }
    get score() {
        return this.read(native.resultScore);
    }
    get quality() {
        return this.read(native.resultQuality);
    }
    get attention() {
        return this.read(native.resultAttention);
    }
    get pharaoh() {
        return this.read(native.resultPharaoh);
    }
    get sentences() {
        return (this.#cache.sentences ??= this.#sentences());
    }
    #sentences() {
        const raw = this.read(native.resultSentences);
        if (raw.length === 0) return [];
        const sources = pairs(places(this.plainSource, raw.flatMap((item) => item.source)));
        const targets = pairs(places(this.plainText, raw.flatMap((item) => item.target)));
        const uncovered = pairs(places(this.plainSource, raw.flatMap((item) => item.uncovered)));
        return raw.map((item, place) =>
            new Sentence(this, place, item, sources[place], targets[place], uncovered[place]));
    }
    toString() {
        try {
            return this.text;
        } catch (error) {
            if (!(error instanceof UnsupportedError)) throw error;
            return this.tokens.join(" ");  // of a model without tokenizer
        }
    }
    toJSON() {
        return this.toString();
    }
    [inspect.custom](_depth, options) {
        return `${this.constructor.name} ${inspect(this.toString(), options)}`;
    }
}

class Translation extends Hypothesis {
    #result;
    #input;
    #hypotheses;
    constructor(result, input, source) {
        super(result, input, 0, source);
        this.#result = result;
        this.#input = input;
    }
    get hypotheses() {
        const count = () => call(native.resultHypothesisCount, this.#result, this.#input);
        return (this.#hypotheses ??= Array.from({ length: count() }, (_, rank) =>
            new Hypothesis(this.#result, this.#input, rank, this.source)));
    }
}

function translations(result, sources) {
    const count = call(native.resultCount, result);
    return Array.from({ length: count }, (_, input) => new Translation(result, input, sources?.[input] ?? ""));
}

module.exports = { places, pairs, Sentence, Hypothesis, Translation, translations };
