// SPDX-License-Identifier: Apache-2.0
"use strict";

const { enums } = require("./enums.js");
const { InvalidArgumentError } = require("./errors.js");
const { native } = require("./native.js");

const ALL_HEADS = native.allHeads;

/** Of a call, not of the C library's options. */
const CALL = ["prefixes", "priority", "signal", "onProgress", "ahead", "partial"];

const handles = {
    glossary: "a Glossary, the path of a file, or an object or Map of terms and what they become",
    memory: "a TranslationMemory or the path of its file",
};
const short = { to: "targetLanguage", from: "sourceLanguage" };

/** What a value is, for a person. */
const kindOf = (value) => (value === null || typeof value !== "object" ? String(value === null ? null : typeof value)
    : value.constructor?.name ?? "object");

/** How many letters have to be changed, at most 3. */
function distance(left, right) {
    let row = Array.from({ length: right.length + 1 }, (_, place) => place);
    for (let at = 1; at <= left.length; ++at) {
        const next = [at];
        for (let place = 1; place <= right.length; ++place) {
            next[place] = Math.min(row[place] + 1, next[place - 1] + 1,
                row[place - 1] + (left[at - 1].toLowerCase() === right[place - 1].toLowerCase() ? 0 : 1));
        }
        row = next;
    }
    return row.at(-1);
}

function unknown(name, names) {
    const near = names.map((one) => [distance(name, one), one]).filter(([far]) => far <= Math.max(1, name.length / 4))
        .sort(([left], [right]) => left - right).slice(0, 3).map(([, one]) => one);
    const meant = near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ".";
    const all = [...new Set(names)].sort().join(", ");
    return new TypeError(`${name}: there is no such option${meant} There are ${all}`);
}

/** Options with their whole names: `to` and `from` are short for languages. */
function spelled(given) {
    const result = { ...given };
    for (const [name, whole] of Object.entries(short)) {
        if (!(name in result)) continue;
        if (result[whole] != null && result[name] != null) {
            throw new TypeError(`${name} is '${result[name]}' and ${whole} '${result[whole]}': they are the same option`);
        }
        result[whole] ??= result[name];
        delete result[name];
    }
    return result;
}

const known = Object.fromEntries(Object.entries(native.optionNames).map(([kind, names]) => [kind, new Set(names)]));

/** Names of options that another addon has. */
const learn = (kind, names) => { known[kind] ??= new Set(names); };

/** Checks names and turns words into the C library's numbers. */
function options(kind, given, ...others) {
    const result = {};
    const whole = known[kind].has("targetLanguage") ? spelled(given) : given ?? {};
    for (const [name, value] of Object.entries(whole)) {
        if (others.includes(name)) continue;
        if (!known[kind].has(name)) throw unknown(name, [...known[kind], ...others]);
        if (name in enums && value != null) {
            const place = enums[name].indexOf(value);
            if (place < 0) {
                throw new InvalidArgumentError(`${name} is '${value}': expected one of ${enums[name].join(", ")}`);
            }
            result[name] = place;
        } else if (name in handles && value != null) {
            if (value.handle === undefined) {
                throw new TypeError(`${name}: expected ${handles[name]}, not ${kindOf(value)}`);
            }
            result[name] = value.handle;
        } else if (name === "endTokens" && typeof value === "string") {
            throw new TypeError("endTokens: expected an array of tokens, not a string");
        } else if (name === "suppressSequences" && value != null) {
            result[name] = asSequences(value, name);
        } else {
            result[name] = value;
        }
    }
    return result;
}

/** Options of several kinds that came together, one object for each kind. */
function optionsOfKinds(kinds, given, renamed = {}) {
    const parts = Object.fromEntries(kinds.map((kind) => [kind, {}]));
    for (const [name, value] of Object.entries(spelled(given))) {
        const [kind, own] = renamed[name] ?? [kinds.find((kind) => known[kind].has(name)), name];
        if (kind === undefined) throw unknown(name, kinds.flatMap((each) => [...known[each]]));
        parts[kind][own] = value;
    }
    return kinds.map((kind) => options(kind, parts[kind]));
}

/** Texts that are not Unicode would silently become others on the way to UTF-8. */
function checkTexts(texts, what = "texts", first = 0) {
    for (const [place, text] of texts.entries()) {
        const at = `${what}[${first + place}]`;
        if (typeof text !== "string") throw new TypeError(`${at}: expected a string, not ${kindOf(text)}`);
        const lone = /\p{Surrogate}/u.exec(text);
        if (lone) throw new InvalidArgumentError(`${at}: a lone surrogate at ${lone.index}`);
    }
}

/** What can be gone through, and not byte by byte or letter by letter. */
function checkIterable(items, what, expected) {
    const goes = items != null && typeof items !== "string" && (items[Symbol.iterator] ?? items[Symbol.asyncIterator]);
    if (!goes || ArrayBuffer.isView(items) || items instanceof Map) {
        throw new TypeError(`${what}: expected ${expected}, not ${kindOf(items)}`);
    }
}

/** The texts of an iterable; a string is one text. */
function asTexts(texts, what = "texts") {
    if (typeof texts !== "string") checkIterable(texts, what, "a string or an iterable of strings");
    const list = typeof texts === "string" ? [texts] : [...texts];
    checkTexts(list, what);
    return list;
}

/** Sequences of tokens. */
function asSequences(sequences, what, first = 0) {
    checkIterable(sequences, what, "sequences of tokens");
    return Array.from(sequences, (tokens, place) => {
        checkIterable(tokens, `${what}[${first + place}]`, "a sequence of tokens");
        return [...tokens];
    });
}

module.exports = {
    ALL_HEADS, CALL, asSequences, asTexts, checkIterable, checkTexts, learn, options, optionsOfKinds, spelled,
};
