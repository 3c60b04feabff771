// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { onDevice } from "./device.js";
import { call, InvalidArgumentError } from "./errors.js";
import { native } from "./native.js";
import { checkTexts, options } from "./options.js";
import { pairs, places } from "./results.js";

export const toPath = (path) => (path instanceof URL ? fileURLToPath(path) : path);
const secret = Symbol("made by load()");

export class Model {
    #handle;
    constructor(key, handle) {
        if (key !== secret) throw new TypeError("use Model.load()");
        this.#handle = handle;
    }
    static async load(path, given) {
        if (path && typeof path === "object" && !(path instanceof URL)) [path, given] = [undefined, path];
        return new Model(secret, await onDevice(given,
            (options, device) => call(native.loadModel, toPath(path), options, device)));
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
        const { Translator } = await import("./translator.js");
        return Translator.create({ ...given, model: this });
    }
    async tokenize(texts, side = "source") {
        if (typeof texts === "string") return (await this.tokenize([texts], side))[0];
        checkTexts(texts);
        const found = await call(native.tokenize, this.#handle, side, texts);
        return found.map(({ tokens, ranges }, place) =>
            Object.defineProperty(tokens, "ranges", { value: pairs(places(texts[place], ranges)) }));
    }
    async detokenize(sequences, side = "target") {
        if (typeof sequences[0] === "string") return (await this.detokenize([sequences], side))[0];
        return call(native.detokenize, this.#handle, side, sequences);
    }
    async #embed(texts, { normalize, ...given } = {}) {
        checkTexts(texts);
        const words = normalize == null ? given : { ...given, normalize: normalize ? "on" : "off" };
        return call(native.embed, this.#handle, texts, options("embed", words));
    }
    async embed(texts, given = {}) {
        if (typeof texts === "string") return (await this.embed([texts], given))[0];
        if (given.pooling === "tokens") throw new InvalidArgumentError("pooling is 'tokens': use embedTokens()");
        const { all } = await this.#embed(texts, given);
        return texts.map((_, place) => all.data.subarray(place * all.cols, (place + 1) * all.cols));
    }
    async embedTokens(texts, given = {}) {
        if (typeof texts === "string") return (await this.embedTokens([texts], given))[0];
        const { all, texts: found } = await this.#embed(texts, { ...given, pooling: "tokens" });
        let row = 0;
        return found.map(({ tokens, ranges }, place) => {
            const rows = tokens.length, data = all.data.subarray(row * all.cols, (row + rows) * all.cols);
            row += rows;
            Object.defineProperty(tokens, "ranges", { value: pairs(places(texts[place], ranges)) });
            return { tokens, vectors: { data, rows, cols: all.cols } };
        });
    }
    async close() {
        await call(native.closeModel, this.#handle);
    }
}

export async function describe(path) {
    return call(native.describe, toPath(path));
}

export async function devices() {
    return call(native.devices);
}

export async function deviceMemory(index) {
    return call(native.deviceMemory, index);
}

export async function detectLanguages(texts, { expected = [] } = {}) {
    checkTexts(texts);
    return call(native.detectLanguages, texts, expected.join(","));
}

export function splitSentences(text, { language = "", joinLines = false } = {}) {
    checkTexts([text]);
    return pairs(places(text, call(native.splitSentences, text, language, joinLines)));
}
