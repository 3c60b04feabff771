// SPDX-License-Identifier: Apache-2.0
// Published models by their names, in an addon of their own: it is loaded when it is first asked for.
"use strict";

const { call, convert, FileError, InvalidArgumentError, UnsupportedError } = require("./errors.js");
const { toPath } = require("./model.js");
const { modelsAddon } = require("./native.js");
const { asTexts, learn, options } = require("./options.js");

let loaded;

function addon() {
    if (loaded) return loaded;
    try {
        loaded = require(modelsAddon);
    } catch (cause) {
        const message = "published models need libdragoman_models, which this installation of dragoman does not have: "
            + cause.message.split("\n")[0];
        throw Object.assign(new UnsupportedError(message), { cause });
    }
    learn("models", loaded.optionNames);
    process.on("exit", () => loaded.leave());
    return loaded;
}

/** Calls one of the addon's functions; what `onProgress` throws stops it and comes out of the promise. */
async function run(name, texts, { signal, onProgress, registries, ...given } = {}, more = {}) {
    signal?.throwIfAborted();
    const { start, stop } = addon();
    const chosen = { ...options("models", given, "signal", "onProgress", "registries"), ...more };
    if (registries != null) chosen.registries = asTexts(registries, "registries").join(",");
    let running, thrown;
    const tell = onProgress && ((progress) => {
        if (thrown) return;
        try {
            onProgress(progress);
        } catch (error) {
            thrown = { error };
            stop(running);
        }
    });
    const abort = () => stop(running);
    try {
        let promise;
        [promise, running] = call(start, name, texts, chosen, tell);
        signal?.addEventListener("abort", abort);
        const result = await promise;
        if (thrown) throw thrown.error;
        return result;
    } catch (error) {
        if (thrown) throw thrown.error;
        throw error.code === "cancelled" && signal?.aborted ? signal.reason : convert(error);
    } finally {
        signal?.removeEventListener("abort", abort);
    }
}

const words = (text) => text.split(",").filter(Boolean);

async function list(...given) {
    const { models, problems } = await run(...given);
    const found = models.map(({ from, to, ...model }) => ({ ...model, from: words(from), to: words(to) }));
    return Object.defineProperty(found, "problems", { value: problems.split("\n").filter(Boolean) });
}

const one = async (...given) => (await list(...given))[0];

/** The library takes NULL for any language and would take it for a name that is missing. */
function named(name, what = "name") {
    if (typeof name !== "string") throw new TypeError(`${what}: expected a string, not ${name === null ? null : typeof name}`);
    return name;
}

const models = Object.freeze({
    list: async () => list("list", []),
    search: async (from, to, given) => list("search", [from, to], given),
    route: async (from, to, given) => list("route", [from, to], given),
    installedRoute: async (from, to) => list("installedRoute", [from, to]),
    show: async (name, given) => one("show", [named(name)], given),
    download: async (name, given) => one("download", [named(name)], given),
    verify: async (name, given) => { await run("verify", [named(name)], given); },
    keepFile: async (name, file, given) => {
        await run("keepFile", [named(name), named(toPath(file), "file")], given);
    },
    remove: async (name) => { await run("remove", [named(name)]); },
    clean: async (days) => (await run("clean", [], {}, { days })).bytes,
    registries: async () => run("registries", []),
    folder: () => addon().folder(),
});

/** Whether it is the name of a published model, and no path. */
const isName = (model) => typeof model === "string" && /^[a-z][a-z0-9_-]+:./.test(model);

/**
 * Loads a model by `load()`, downloaded before where that is wanted: `download` is true or has the options of
 * models.download(). Without the addon, a model that is on this machine loads all the same.
 */
async function fetched(model, download, load) {
    if (!isName(model)) {
        if (download && model != null) throw new InvalidArgumentError(`download: '${model}' is not the name of a published model`);
        return load();
    }
    if (!download) {
        return load().catch((error) => {
            if (!(error instanceof FileError && error.message.includes("dragoman models download"))) throw error;
            throw new FileError(`${error.message}; so does the option download: true`);
        });
    }
    try {
        addon();
    } catch (error) {
        return load().catch((failed) => { throw failed instanceof FileError ? error : failed; });
    }
    await models.download(model, download === true ? {} : download);
    return load();
}

module.exports = { fetched, models };
