// SPDX-License-Identifier: Apache-2.0
"use strict";

const { toPath } = require("./model.js");
const { CALL, options } = require("./options.js");
const { Translator } = require("./translator.js");

const made = new Map();

/** One translator for each model, made when it is first asked for. */
async function defaultTranslator(model) {
    const name = toPath(model) ?? "";
    const found = await made.get(name);
    if (found && !found.closed) return found;
    if (!found || (await made.get(name)) === found) {
        const promise = Translator.create({ model });
        made.set(name, promise);
        promise.catch(() => made.delete(name));
    }
    return made.get(name);
}

async function translate(texts, { model, ...given } = {}) {
    options("translate", given, ...CALL, "glossary", "memory");  // before a model is loaded
    return (await defaultTranslator(model)).translate(texts, given);
}

module.exports = { defaultTranslator, translate };
