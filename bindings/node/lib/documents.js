// SPDX-License-Identifier: Apache-2.0
"use strict";

const { call } = require("./errors.js");
const { toPath } = require("./model.js");
const { native } = require("./native.js");
const { options } = require("./options.js");
const { watched } = require("./tools.js");
const { inside, Translator } = require("./translator.js");

function documentFormat(name = "", content = new Uint8Array()) {
    return call(native.documentFormat, toPath(name), content);
}

const INTERVAL = 50;  // milliseconds between two looks at how far it is

/** Calls one of the addon's functions; what `onProgress` throws stops it and comes out of the promise. */
async function translate(run, translator, { format, resume, onProgress, signal, ...given }) {
    if (!(translator instanceof Translator)) {
        throw new TypeError(`translator: expected a Translator, not ${typeof translator}`);
    }
    const { handle, chosen: choose } = inside(translator);
    const chosen = options("translate", await choose(given));
    let thrown, seen, timer;
    const tell = (watch) => {
        const [done, total] = native.progress(watch);
        if (thrown || seen === done || done > total) return;
        seen = done;
        try {
            onProgress(done, total);
        } catch (error) {
            thrown = { error };
            native.stop(watch);
        }
    };
    try {
        return await watched(signal, async (watch) => {
            if (onProgress) timer = setInterval(tell, INTERVAL, watch);
            const result = await call(run, handle, chosen, { format, resume: toPath(resume) }, watch);
            if (onProgress) tell(watch);
            if (thrown) throw thrown.error;
            return result;
        });
    } catch (error) {
        throw thrown ? thrown.error : error;
    } finally {
        clearInterval(timer);
    }
}

async function translateDocument(translator, path, outPath, given = {}) {
    if (path == null || outPath == null) throw new TypeError("path, outPath: expected strings or URLs");
    await translate((handle, ...rest) => native.translateDocument(handle, toPath(path), toPath(outPath), ...rest),
                    translator, given);
}

async function translateDocumentBytes(translator, content, { name = "", ...given } = {}) {
    return translate((handle, ...rest) => native.translateDocumentBytes(handle, toPath(name), content, ...rest),
                     translator, given);
}

module.exports = { documentFormat, translateDocument, translateDocumentBytes };
