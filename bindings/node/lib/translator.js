// SPDX-License-Identifier: Apache-2.0
import { call, convert, InvalidArgumentError } from "./errors.js";
import { Model } from "./model.js";
import { native } from "./native.js";
import { checkTexts, options } from "./options.js";
import { places, translations } from "./results.js";

const EVENTS = { partial: 1, sentence: 2 };
const secret = Symbol("made by create()");
/** Of a call, not of the C library's options. */
const CALL = ["prefixes", "priority", "signal", "onProgress", "batchSize", "partial"];

/** A queue between events and the loop that reads them. */
class Events {
    #waiting = [];
    #items = [];
    push(item) {
        const reader = this.#waiting.shift();
        if (reader) reader(item);
        else this.#items.push(item);
    }
    next() {
        return this.#items.length > 0 ? Promise.resolve(this.#items.shift())
            : new Promise((resolve) => this.#waiting.push(resolve));
    }
}

export class Translator {
    #handle;
    #model;
    #owned;
    #defaults;
    #running = new Map();
    constructor(key, handle, model, owned, defaults) {
        if (key !== secret) throw new TypeError("use Translator.create()");
        this.#handle = handle;
        this.#model = model;
        this.#owned = owned;
        this.#defaults = defaults;
    }
    static async create({ model, ...defaults } = {}) {
        options("translate", defaults);
        const owned = !(model instanceof Model);
        const loaded = owned ? await Model.load(model) : model;
        try {
            return new Translator(secret, await call(native.createTranslator, loaded.handle), loaded, owned, defaults);
        } catch (error) {
            if (owned) await loaded.close();
            throw error;
        }
    }
    get model() {
        return this.#model;
    }

    /** Submits a job; `onEvent` gets everything but the end, which settles the promise with a result's handle. */
    #run({ texts, sources }, given, events, onEvent) {
        const { prefixes, priority = 0, signal } = given;
        const chosen = options("translate", { ...this.#defaults, ...given }, ...CALL);
        let job;
        const ended = new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(signal.reason);
            const abort = () => native.cancel(job);
            const end = (event) => {
                this.#running.delete(job);
                signal?.removeEventListener("abort", abort);
                if (!event.error) return resolve(event.result);
                const stopped = event.error.code === "cancelled" && signal?.aborted;
                return reject(stopped ? signal.reason : convert(event.error));
            };
            const handler = (event) => {
                if (event.kind === "end") return end(event);
                try {
                    return onEvent?.(event);
                } catch (error) {  // of a caller's function
                    native.cancel(job);
                    return reject(error);
                }
            };
            try {
                job = native.submit(this.#handle, texts, sources, prefixes, chosen, { events, priority }, handler);
            } catch (error) {
                return reject(convert(error));
            }
            signal?.addEventListener("abort", abort, { once: true });
        });
        if (job) this.#running.set(job, ended);
        return ended;
    }

    async translate(texts, given = {}) {
        if (typeof texts === "string") {
            const prefixes = given.prefixes && [given.prefixes];
            return (await this.translate([texts], { ...given, prefixes }))[0];
        }
        const list = [...texts];
        checkTexts(list);
        const { onProgress } = given;
        const result = await this.#run({ texts: list }, given, onProgress ? EVENTS.sentence : 0,
            onProgress && (({ done, total }) => onProgress(done, total)));
        return translations(result, list);
    }

    async translateTokens(sources, given = {}) {
        const { onProgress } = given;
        const result = await this.#run({ sources: [...sources] }, given, onProgress ? EVENTS.sentence : 0,
            onProgress && (({ done, total }) => onProgress(done, total)));
        return translations(result);
    }

    async *translateAll(texts, given = {}) {
        const { batchSize = 64, onProgress, ...rest } = given;
        if (!(Number.isInteger(batchSize) && batchSize > 0)) {
            throw new InvalidArgumentError(`batchSize is ${batchSize}: expected a whole number, at least 1`);
        }
        let done = 0;
        const flush = async function* (translator, batch) {
            const found = await translator.translate(batch, rest);
            onProgress?.((done += batch.length));
            yield* found;
        };
        let batch = [];
        for await (const text of texts) {
            batch.push(text);
            if (batch.length < batchSize) continue;
            yield* flush(this, batch);
            batch = [];
        }
        if (batch.length > 0) yield* flush(this, batch);
    }

    async *stream(texts, given = {}) {
        const list = typeof texts === "string" ? [texts] : [...texts];
        checkTexts(list);
        const stop = new AbortController();
        const abort = () => stop.abort(given.signal.reason);
        if (given.signal?.aborted) abort();
        given.signal?.addEventListener("abort", abort, { once: true });
        const events = new Events();
        const wanted = EVENTS.sentence | (given.partial ? EVENTS.partial : 0);
        const prefixes = typeof texts === "string" && given.prefixes ? [given.prefixes] : given.prefixes;
        const ended = this.#run({ texts: list }, { ...given, prefixes, signal: stop.signal }, wanted,
            (event) => events.push(event));
        ended.then(() => events.push(null), () => events.push(null));
        try {
            for (let event = await events.next(); event; event = await events.next()) {
                const { sourceBegin, sourceEnd, ...rest } = event;
                const sourceSpan = places(list[event.input], [sourceBegin, sourceEnd]);
                yield { ...rest, sourceSpan, source: list[event.input].slice(...sourceSpan) };
            }
            await ended;
        } finally {
            given.signal?.removeEventListener("abort", abort);
            stop.abort();  // when the loop was left early
            ended.catch(() => {});
        }
    }

    async score(sources, targets, given) {
        const handle = await call(native.score, this.#handle, [...sources], [...targets], options("score", given));
        return call(native.scores, handle);
    }
    async stats() {
        return call(native.stats, this.#handle);
    }
    async resetStats() {
        await call(native.resetStats, this.#handle);
    }
    async trim() {
        await call(native.trim, this.#handle);
    }
    async close() {
        const running = [...this.#running];
        for (const [job] of running) native.cancel(job);
        await Promise.allSettled(running.map(([, ended]) => ended));
        await call(native.closeTranslator, this.#handle);
        if (this.#owned) await this.#model.close();
    }
}
