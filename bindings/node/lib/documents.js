// SPDX-License-Identifier: Apache-2.0
import { call } from "./errors.js";
import { toPath } from "./model.js";
import { native } from "./native.js";
import { options } from "./options.js";
import { watched } from "./tools.js";
import { Translator } from "./translator.js";

export function documentFormat(name = "", content = new Uint8Array()) {
    return call(native.documentFormat, toPath(name), content);
}

/** Calls one of the addon's functions; what `onProgress` throws stops it and comes out of the promise. */
async function translate(run, translator, { format, resume, onProgress, signal, ...given }) {
    if (!(translator instanceof Translator)) {
        throw new TypeError(`translator: expected a Translator, not ${typeof translator}`);
    }
    const chosen = options("translate", { ...translator.defaults, ...given });
    let thrown;
    try {
        return await watched(signal, (watch) => {
            const progress = onProgress && ((done, total) => {
                if (thrown) return;
                try {
                    onProgress(done, total);
                } catch (error) {
                    thrown = { error };
                    native.stop(watch);
                }
            });
            return call(run, translator.handle, chosen, { format, resume: toPath(resume), progress }, watch);
        });
    } catch (error) {
        throw thrown ? thrown.error : error;
    }
}

export async function translateDocument(translator, path, outPath, given = {}) {
    if (path == null || outPath == null) throw new TypeError("path, outPath: expected strings or URLs");
    await translate((handle, ...rest) => native.translateDocument(handle, toPath(path), toPath(outPath), ...rest),
                    translator, given);
}

export async function translateDocumentBytes(translator, content, { name = "", ...given } = {}) {
    return translate((handle, ...rest) => native.translateDocumentBytes(handle, toPath(name), content, ...rest),
                     translator, given);
}
