// SPDX-License-Identifier: Apache-2.0
import { enums } from "./enums.js";
import { InvalidArgumentError } from "./errors.js";
import { native } from "./native.js";

export const ALL_HEADS = native.allHeads;

const handles = { glossary: "Glossary", memory: "TranslationMemory" };

const known = Object.fromEntries(Object.entries(native.optionNames).map(([kind, names]) => [kind, new Set(names)]));

/** Checks names and turns words into the C library's numbers. */
export function options(kind, given, ...others) {
    const result = {};
    for (const [name, value] of Object.entries(given ?? {})) {
        if (others.includes(name)) continue;
        if (!known[kind].has(name)) throw new TypeError(`${name}: there is no such option`);
        if (name in enums && value != null) {
            const place = enums[name].indexOf(value);
            if (place < 0) {
                throw new InvalidArgumentError(`${name} is '${value}': expected one of ${enums[name].join(", ")}`);
            }
            result[name] = place;
        } else if (name in handles && value != null) {
            if (value.handle === undefined) {
                throw new TypeError(`${name}: expected a ${handles[name]}, not ${typeof value}`);
            }
            result[name] = value.handle;
        } else {
            result[name] = value;
        }
    }
    return result;
}

/** Options of several kinds that came together, one object for each kind. */
export function optionsOfKinds(kinds, given, renamed = {}) {
    const parts = Object.fromEntries(kinds.map((kind) => [kind, {}]));
    for (const [name, value] of Object.entries(given)) {
        const [kind, own] = renamed[name] ?? [kinds.find((kind) => known[kind].has(name)) ?? kinds[0], name];
        parts[kind][own] = value;
    }
    return kinds.map((kind) => options(kind, parts[kind]));
}

/** Texts that are not Unicode would silently become others on the way to UTF-8. */
export function checkTexts(texts) {
    for (const [place, text] of texts.entries()) {
        if (typeof text !== "string") throw new TypeError(`texts[${place}]: expected a string, not ${typeof text}`);
        const lone = /\p{Surrogate}/u.exec(text);
        if (lone) throw new InvalidArgumentError(`texts[${place}]: a lone surrogate at ${lone.index}`);
    }
}
