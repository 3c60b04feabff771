// SPDX-License-Identifier: Apache-2.0
"use strict";

const { readFile } = require("node:fs/promises");
const { fileURLToPath } = require("node:url");

const { onDevice } = require("./device.js");
const { call, InvalidArgumentError } = require("./errors.js");
const { asyncDispose, native } = require("./native.js");
const { asSequences, asTexts, checkTexts, options } = require("./options.js");
const { pairs, places } = require("./results.js");

const toPath = (path) => (path instanceof URL ? fileURLToPath(path) : path);
const secret = Symbol("made by load()");

class Model {
    #handle;
    constructor(key, handle) {
        if (key !== secret) throw new TypeError("use Model.load()");
        this.#handle = handle;
    }
    static async load(path, given) {
        if (path && typeof path === "object" && !(path instanceof URL)) [path, given] = [undefined, path];
        const { fetched } = require("./models.js");  // which needs this module
        const { download, ...rest } = given ?? {};
        return new Model(secret, await fetched(path, download, () => onDevice(rest,
            (options, device) => call(native.loadModel, toPath(path), options, device))));
    }
    static async fromFiles(files, given) {
        const list = files instanceof Uint8Array ? [["model", files]]
            : files instanceof Map ? [...files] : Object.entries(files);
        const names = list.map(([name]) => name);
        const contents = await Promise.all(list.map(async ([, content]) => {
            if (content instanceof URL) return readFile(content);
            if (content instanceof ArrayBuffer) return new Uint8Array(content);
            if (typeof content?.arrayBuffer === "function") return new Uint8Array(await content.arrayBuffer());
            return content;
        }));
        return new Model(secret, await onDevice(given,
            (options, device) => call(native.loadFiles, names, contents, options, device)));
    }
    /** @internal */
    get handle() {
        return this.#handle;
    }
    get info() {
        return call(native.modelInfo, this.#handle);
    }
    get sourceLanguages() {
        return this.info.sourceLanguages;
    }
    get targetLanguages() {
        return this.info.targetLanguages;
    }
    get device() {
        return call(native.modelDevice, this.#handle);
    }
    get memory() {
        return call(native.modelMemory, this.#handle);
    }
    async translator(given) {
        const { Translator } = require("./translator.js");  // which needs this module
        return Translator.create({ ...given, model: this });
    }
    async tokenize(texts, side = "source") {
        if (typeof texts === "string") return (await this.tokenize([texts], side))[0];
        const list = asTexts(texts);
        const found = await call(native.tokenize, this.#handle, side, list);
        return found.map(({ tokens, ranges }, place) =>
            Object.defineProperty(tokens, "ranges", { value: pairs(places(list[place], ranges)) }));
    }
    hasToken(token, side = "target") {
        return call(native.hasToken, this.#handle, side, token);
    }
    async detokenize(sequences, side = "target") {
        const list = typeof sequences === "string" ? sequences : [...sequences];
        if (Array.isArray(list) && typeof list[0] === "string") return (await this.detokenize([list], side))[0];
        return call(native.detokenize, this.#handle, side, asSequences(list, "tokens"));
    }
    async #embed(texts, { normalize, ...given } = {}) {
        const words = normalize == null ? given : { ...given, normalize: normalize ? "on" : "off" };
        return call(native.embed, this.#handle, texts, options("embed", words));
    }
    async embed(texts, given = {}) {
        if (typeof texts === "string") return (await this.embed([texts], given))[0];
        if (given.pooling === "tokens") throw new InvalidArgumentError("pooling is 'tokens': use embedTokens()");
        const list = asTexts(texts);
        const { all } = await this.#embed(list, given);
        return list.map((_, place) => all.data.subarray(place * all.cols, (place + 1) * all.cols));
    }
    async embedTokens(texts, given = {}) {
        if (typeof texts === "string") return (await this.embedTokens([texts], given))[0];
        const list = asTexts(texts);
        const { all, texts: found } = await this.#embed(list, { ...given, pooling: "tokens" });
        let row = 0;
        return found.map(({ tokens, ranges }, place) => {
            const rows = tokens.length, data = all.data.subarray(row * all.cols, (row + rows) * all.cols);
            row += rows;
            Object.defineProperty(tokens, "ranges", { value: pairs(places(list[place], ranges)) });
            return { tokens, vectors: { data, rows, cols: all.cols } };
        });
    }
    async close() {
        await call(native.closeModel, this.#handle);
    }
    async [asyncDispose]() {
        await this.close();
    }
}

async function describe(path) {
    return call(native.describe, toPath(path));
}

async function devices() {
    return call(native.devices);
}

async function deviceMemory(index) {
    return call(native.deviceMemory, index);
}

async function detectLanguages(texts, { expected = [] } = {}) {
    if (typeof texts === "string") return (await detectLanguages([texts], { expected }))[0];
    return call(native.detectLanguages, asTexts(texts), asTexts(expected, "expected").join(","));
}

function splitSentences(text, { language = "", joinLines = false } = {}) {
    checkTexts([text]);
    return pairs(places(text, call(native.splitSentences, text, language, joinLines)));
}

module.exports = { toPath, Model, describe, devices, deviceMemory, detectLanguages, splitSentences };
