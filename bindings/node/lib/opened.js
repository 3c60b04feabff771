// SPDX-License-Identifier: Apache-2.0
"use strict";

const { stat } = require("node:fs/promises");
const { resolve } = require("node:path");

const { Glossary } = require("./glossary.js");
const { TranslationMemory } = require("./memory.js");
const { toPath } = require("./model.js");

const isPath = (value) => typeof value === "string" || value instanceof URL;

const isPlain = (value) => typeof value === "object" && value !== null
    && Object.getPrototypeOf(value) === Object.prototype;

/** Glossaries and memories that options name by their paths. A file is read again once it has changed. */
class Opened {
    #kept = new Map();

    /** Options with objects for them, or a promise of those: where nothing has to be opened, a call begins at once. */
    resolve(given) {
        const terms = isPath(given.glossary) || given.glossary instanceof Map || isPlain(given.glossary);
        return terms || isPath(given.memory) ? this.#resolve(given) : given;
    }

    async #resolve(given) {
        const { glossary, memory } = given;
        const found = { ...given };
        if (isPath(glossary)) found.glossary = await this.#glossary(resolve(toPath(glossary)), given);
        else if (glossary instanceof Map) found.glossary = await Glossary.of(glossary);
        else if (isPlain(glossary)) {
            found.glossary = await Glossary.of(Object.entries(glossary));
        }
        if (isPath(memory)) {
            const path = resolve(toPath(memory));
            found.memory = await this.#keep(`memory ${path}`, "", () => TranslationMemory.create({ path }));
        }
        return found;
    }

    async #glossary(path, { sourceLanguage = "", targetLanguage = "" }) {
        const languages = { sourceLanguage: sourceLanguage ?? "", targetLanguage: targetLanguage ?? "" };
        const state = await stat(path).then(({ mtimeMs, size }) => `${mtimeMs} ${size}`, () => "");  // load() says why
        return this.#keep(`glossary ${path} ${languages.sourceLanguage} ${languages.targetLanguage}`, state,
            () => Glossary.load(path, languages));
    }

    #keep(name, state, make) {
        const kept = this.#kept.get(name);
        if (kept?.state === state) return kept.promise;
        const promise = make();
        this.#kept.set(name, { state, promise });
        promise.catch(() => this.#kept.delete(name));
        return promise;
    }

    /** Calls that use them go on. */
    async close() {
        const kept = [...this.#kept.values()];
        this.#kept.clear();
        const made = await Promise.allSettled(kept.map(({ promise }) => promise));
        await Promise.all(made.map(({ value }) => value?.close()));
    }
}

module.exports = { Opened };
