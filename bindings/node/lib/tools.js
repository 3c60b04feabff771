// SPDX-License-Identifier: Apache-2.0
import { deviceOptions } from "./device.js";
import { call } from "./errors.js";
import { toPath } from "./model.js";
import { native } from "./native.js";
import { checkTexts, options, optionsOfKinds } from "./options.js";

/** The promise of work that a signal stops, and the end of the program too. */
export async function watched(signal, start) {
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

export async function convert(path, outPath, { signal, ...given } = {}) {
    if (outPath === undefined || outPath === null) throw new TypeError("outPath: expected a string or a URL");
    const chosen = options("convert", given);
    await watched(signal, (watch) => call(native.convert, toPath(path), toPath(outPath), chosen, watch));
}

async function measure(texts, sources, options) {
    const { signal, model, device, cacheDir, memoryLimitBytes, validation, trustKernels, tune, ...given } = options;
    const on = deviceOptions({ device, cacheDir, memoryLimitBytes, validation, trustKernels, tune });
    // `seed` is that of the random words.
    const [ofModel, ofBench, ofTranslate] =
        optionsOfKinds(["model", "bench", "translate"], given, { samplingSeed: ["translate", "seed"] });
    const json = await watched(signal,
        (watch) => call(native.bench, toPath(model), texts, sources, on, ofModel, ofTranslate, ofBench, watch));
    return JSON.parse(json);
}

export async function bench(texts, given = {}) {
    const list = [...texts ?? []];
    checkTexts(list);
    return measure(list, undefined, given);
}

export async function benchTokens(sources, given = {}) {
    return measure(undefined, [...sources], given);
}
