// SPDX-License-Identifier: Apache-2.0
"use strict";

const { call } = require("./errors.js");
const { toPath } = require("./model.js");
const { asyncDispose, native } = require("./native.js");
const { checkTexts, options } = require("./options.js");

const secret = Symbol("made by create()");

class TranslationMemory {
    #handle;
    constructor(key, handle) {
        if (key !== secret) throw new TypeError("use TranslationMemory.create()");
        this.#handle = handle;
    }
    static async create(given = {}) {
        const { path, ...others } = given;
        const all = path === undefined ? others : { ...others, path: toPath(path) };
        return new TranslationMemory(secret, await call(native.createMemory, options("memory", all)));
    }
    /** @internal */
    get handle() {
        return this.#handle;
    }
    async loadTmx(path) {
        return call(native.loadTmx, this.#handle, toPath(path));
    }
    async readTmx(content) {
        checkTexts([content]);
        return call(native.readTmx, this.#handle, content);
    }
    add(sourceLanguage, targetLanguage, source, target) {
        checkTexts([source, target]);
        call(native.addToMemory, this.#handle, sourceLanguage, targetLanguage, source, target);
    }
    async writeTmx(path) {
        await call(native.writeTmx, this.#handle, toPath(path));
    }
    async clear() {
        await call(native.clearMemory, this.#handle);
    }
    get counts() {
        return call(native.memoryCounts, this.#handle);
    }
    async close() {
        await call(native.closeMemory, this.#handle);
    }
    async [asyncDispose]() {
        await this.close();
    }
}

module.exports = { TranslationMemory };
