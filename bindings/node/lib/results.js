// SPDX-License-Identifier: Apache-2.0
"use strict";

const { inspect } = require("node:util");

const { call, UnsupportedError } = require("./errors.js");
const { native } = require("./native.js");

const STRIDE = 64;  // of JavaScript's characters

/** A text, and where bytes of its UTF-8 are in the string. To find one costs the same in texts of any length. */
class Places {
    #marks;  // the byte that each stride begins with
    constructor(text) {
        this.text = text;
    }
    of(bytes) {
        this.#marks ??= this.#mark();
        return this.#marks.length === 0 ? bytes : bytes.map((byte) => this.#find(byte));
    }
    #mark() {
        if (/^[\0-\x7f]*$/.test(this.text)) return [];
        const marks = [0];
        for (let stride = 0; this.#begin(stride) < this.text.length; ++stride) {
            const part = this.text.slice(this.#begin(stride), this.#begin(stride + 1));
            marks.push(marks[stride] + Buffer.byteLength(part, "utf8"));
        }
        return marks;
    }
    /** Where a stride begins: not in the middle of a pair of surrogates. */
    #begin(stride) {
        const unit = stride * STRIDE;
        return unit > 0 && this.text.codePointAt(unit - 1) > 0xffff ? unit + 1 : unit;
    }
    #find(byte) {
        let stride = 0;
        for (let end = this.#marks.length; end - stride > 1;) {
            const middle = (stride + end) >> 1;
            if (this.#marks[middle] <= byte) stride = middle;
            else end = middle;
        }
        let unit = this.#begin(stride);
        for (let at = this.#marks[stride]; at < byte && unit < this.text.length;) {
            const code = this.text.codePointAt(unit);
            at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            unit += code < 0x10000 ? 1 : 2;
        }
        return Math.min(unit, this.text.length);
    }
}

/** Places in bytes of the UTF-8 as places in the string. */
const places = (text, bytes) => new Places(text).of(bytes);

// Of a hypothesis, for its sentences.
const sourcePlaces = Symbol("places of the source"), targetPlaces = Symbol("places of the translation");

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
        const spans = pairs(this.#owner[sourcePlaces].of(raw.flatMap(({ begin, end }) => [begin, end])));
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
        return {
            sourceSpans: pairs(owner[sourcePlaces].of(owner.read(native.resultSourceWords, this.#place))),
            targetSpans: pairs(owner[targetPlaces].of(owner.read(native.resultTargetWords, this.#place))),
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
    get [sourcePlaces]() {
        return (this.#cache.sourcePlaces ??= new Places(this.plainSource));
    }
    get [targetPlaces]() {
        return (this.#cache.targetPlaces ??= new Places(this.plainText));
    }
    get tokens() {
        return (this.#cache.tokens ??= this.read(native.resultTokens));
    }
    get sourceTokens() {
        return (this.#cache.sourceTokens ??= this.read(native.resultSourceTokens));
    }
    get ranges() {
        return (this.#cache.ranges ??= this.#ranges(native.resultRanges, () => this[targetPlaces]));
    }
    get sourceRanges() {
        return (this.#cache.sourceRanges ??= this.#ranges(native.resultSourceRanges, () => this[sourcePlaces]));
    }
    #ranges(function_, where) {
        const bytes = this.read(function_);
        return bytes.length > 0 ? pairs(where().of(bytes)) : [];
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
        const sources = pairs(this[sourcePlaces].of(raw.flatMap((item) => item.source)));
        const targets = pairs(this[targetPlaces].of(raw.flatMap((item) => item.target)));
        const uncovered = pairs(this[sourcePlaces].of(raw.flatMap((item) => item.uncovered)));
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

module.exports = { Places, places, pairs, Sentence, Hypothesis, Translation, translations };
