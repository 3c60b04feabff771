// SPDX-License-Identifier: Apache-2.0
"use strict";

const { deviceOptions } = require("./device.js");
const { call } = require("./errors.js");
const { toPath } = require("./model.js");
const { native } = require("./native.js");
const { Opened } = require("./opened.js");
const { asSequences, asTexts, options, optionsOfKinds } = require("./options.js");

/** The promise of work that a signal stops, and the end of the program too. */
async function watched(signal, start) {
    signal?.throwIfAborted();
    const watch = native.watch();
    const promise = start(watch);
    const stop = () => native.stop(watch);
    signal?.addEventListener("abort", stop);
    try {
        return await promise;
    } catch (error) {
        throw error.code === "cancelled" && signal?.aborted ? signal.reason : error;
    } finally {
        signal?.removeEventListener("abort", stop);
        native.left(watch);
    }
}

async function convert(path, outPath, { signal, ...given } = {}) {
    if (outPath === undefined || outPath === null) throw new TypeError("outPath: expected a string or a URL");
    const chosen = options("convert", given);
    await watched(signal, (watch) => call(native.convert, toPath(path), toPath(outPath), chosen, watch));
}

async function measure(texts, sources, options) {
    const { signal, model, device, cacheDir, memoryLimitBytes, validation, trustKernels, tune, ...rest } = options;
    const opened = new Opened();
    const given = await opened.resolve(rest);
    const on = deviceOptions({ device, cacheDir, memoryLimitBytes, validation, trustKernels, tune });
    // `seed` is that of the random words.
    const [ofModel, ofBench, ofTranslate] =
        optionsOfKinds(["model", "bench", "translate"], given, { samplingSeed: ["translate", "seed"] });
    try {
        return JSON.parse(await watched(signal,
            (watch) => call(native.bench, toPath(model), texts, sources, on, ofModel, ofTranslate, ofBench, watch)));
    } finally {
        await opened.close();
    }
}

async function bench(texts, given = {}) {
    return measure(asTexts(texts ?? []), undefined, given);
}

async function benchTokens(sources, given = {}) {
    return measure(undefined, asSequences(sources, "sources"), given);
}

module.exports = { watched, convert, bench, benchTokens };
