// SPDX-License-Identifier: Apache-2.0
"use strict";

const { inspect } = require("node:util");

const { call, InvalidArgumentError } = require("./errors.js");
const { toPath } = require("./model.js");
const { asyncDispose, native } = require("./native.js");
const { checkTexts } = require("./options.js");

const secret = Symbol("made by load() or read()");

class Glossary {
    #handle;
    constructor(key, handle) {
        if (key !== secret) throw new TypeError("use Glossary.load() or Glossary.read()");
        this.#handle = handle;
    }
    static async load(path, { sourceLanguage = "", targetLanguage = "" } = {}) {
        return new Glossary(secret, await call(native.loadGlossary, toPath(path), sourceLanguage, targetLanguage));
    }
    static async read(content, { sourceLanguage = "", targetLanguage = "" } = {}) {
        checkTexts([content]);
        return new Glossary(secret, await call(native.readGlossary, content, sourceLanguage, targetLanguage));
    }
    static async of(terms) {
        const lines = Array.from(terms, (pair) => {
            if (!Array.isArray(pair) || pair.length !== 2 || !pair.every((text) => typeof text === "string")) {
                throw new TypeError(`terms: expected pairs of a term and what it becomes, not ${inspect(pair)}`);
            }
            const broken = pair.find((text) => /[\t\r\n]/.test(text));
            if (broken !== undefined) {
                throw new InvalidArgumentError(`terms: ${inspect(broken)} holds a tab or a line break`);
            }
            return ` ${pair.join("\t")}\n`;  // behind a blank, which is cut, no term is taken for a note
        });
        return Glossary.read(`source\ttarget\n${lines.join("")}`);  // nor for a header or for the beginning of TBX
    }
    /** @internal */
    get handle() {
        return this.#handle;
    }
    get size() {
        return call(native.glossarySize, this.#handle);
    }
    async close() {
        await call(native.closeGlossary, this.#handle);
    }
    async [asyncDispose]() {
        await this.close();
    }
}

module.exports = { Glossary };
