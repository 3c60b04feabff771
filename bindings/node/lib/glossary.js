// SPDX-License-Identifier: Apache-2.0
import { call } from "./errors.js";
import { toPath } from "./model.js";
import { native } from "./native.js";
import { checkTexts } from "./options.js";

const secret = Symbol("made by load() or read()");

export class Glossary {
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
        return Glossary.read([...terms].map(([source, target]) => `${source}\t${target}\n`).join(""));
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
}
