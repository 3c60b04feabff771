// SPDX-License-Identifier: Apache-2.0
"use strict";

const { call, convert, InvalidArgumentError } = require("./errors.js");
const { Model } = require("./model.js");
const { asyncDispose, native } = require("./native.js");
const { Opened } = require("./opened.js");
const { asSequences, asTexts, CALL, checkIterable, checkTexts, options, spelled } = require("./options.js");
const { Places, pairs, places, translations } = require("./results.js");

const EVENTS = { partial: 1, sentence: 2 };
const secret = Symbol("made by create()");

/** A queue between the events of a job and the loop that reads them. The job keeps the program alive only while that waits. */
class Events {
    #reader;
    #items = [];
    #job;
    of(job) {
        this.#job = job;
        if (!this.#reader) native.hold(job, false);
    }
    push(item) {
        const reader = this.#reader;
        if (!reader) return this.#items.push(item);
        this.#reader = undefined;
        if (this.#job) native.hold(this.#job, false);
        return reader(item);
    }
    next() {
        if (this.#items.length > 0) return Promise.resolve(this.#items.shift());
        if (this.#job) native.hold(this.#job, true);
        return new Promise((resolve) => { this.#reader = resolve; });
    }
}

/** Gives a job the texts of an iterable, no further than `ahead` in front of its results. */
class Feeder {
    #job;
    #iterator;
    #ahead;
    #sources = [];
    #first = 0;
    #room = () => {};
    #over = false;
    /** What ended it before its time: comes out when what was given before has. */
    failed;
    constructor(texts, ahead) {
        this.#iterator = texts[Symbol.asyncIterator]?.() ?? texts[Symbol.iterator]();
        this.#ahead = ahead;
    }
    async read(job) {
        this.#job = job;
        try {
            while (await this.#readOne());
        } catch (error) {
            this.failed = { error };
        }
        if (this.#over) return;
        this.#over = true;
        call(native.finish, this.#job);
    }
    async #readOne() {
        const { done, value } = await this.#iterator.next();
        if (done || this.#over) return false;
        try {
            const [text, prefix] = Array.isArray(value) ? value : [value];
            checkTexts([text], "texts", this.#next);
            const prefixes = prefix && asSequences([prefix], "prefixes", this.#next);
            while (!this.#over && !this.#feed(text, prefixes)) await new Promise((resolve) => { this.#room = resolve; });
        } catch (error) {
            this.#endIterable();
            throw error;
        }
        return !this.#over;
    }
    get #next() {
        return this.#first + this.#sources.length;
    }
    #feed(text, prefixes) {
        if (this.#sources.length >= this.#ahead) return false;
        try {
            if (call(native.feed, this.#job, [text], prefixes) === 0) return false;
        } catch (error) {  // the addon was given one
            error.message = error.message.replace(/^(texts|prefixes)\[0\]/, (_, name) => `${name}[${this.#next}]`);
            throw error;
        }
        this.#sources.push(new Places(text));
        return true;
    }
    /** The text of an input whose result has not been taken. */
    source(input) {
        return this.#sources[input - this.#first];
    }
    take(count) {
        this.#first += count;
        const taken = this.#sources.splice(0, count);
        this.#room();
        return taken.map(({ text }) => text);
    }
    /** Reads no more, and ends the iterable, which may be waiting for its next. */
    stop() {
        if (this.#over) return;
        this.#over = true;
        this.#room();
        this.#endIterable();
    }
    #endIterable() {
        (async () => { await this.#iterator.return?.(); })().catch(() => {});
    }
}

/** How long the same beginning of two texts is. */
function sameBegin(left, right) {
    let length = 0;
    while (length < left.length && left[length] === right[length]) ++length;
    return (left.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length - 1 : length;  // no half of a character
}

/** `shown`: texts of sentences at work. */
function streamEvent({ sourceBegin, sourceEnd, given, ...event }, source, shown) {
    const sourceSpan = source.of([sourceBegin, sourceEnd]);
    const place = `${event.input} ${event.sentence}`;
    const kept = sameBegin(shown.get(place) ?? "", event.text);
    if (event.kind === "partial") shown.set(place, event.text);
    else shown.delete(place);
    return { ...event, kept, delta: event.text.slice(kept), sourceSpan, source: source.text.slice(...sourceSpan) };
}

/** A translator's handle and its options, for other modules. */
let inside;

class Translator {
    static {
        inside = (translator) => ({ handle: translator.#handle, chosen: (given) => translator.#chosen(given) });
    }
    #handle;
    #model;
    #owned;
    #defaults;
    #running = new Map();
    #opened = new Opened();
    #closed = false;
    constructor(key, handle, model, owned, defaults) {
        if (key !== secret) throw new TypeError("use Translator.create()");
        this.#handle = handle;
        this.#model = model;
        this.#owned = owned;
        this.#defaults = defaults;
    }
    static async create({ model, route, download, ...given } = {}) {
        const defaults = spelled(given);
        options("translate", defaults, "glossary", "memory");
        const owned = !(model instanceof Model);
        if (download && (route !== undefined || !owned)) {
            throw new InvalidArgumentError("download: expected the name of a model beside it, not models that are loaded");
        }
        if (route !== undefined) return Translator.#createRoute(model, route, defaults);
        const loaded = owned ? await Model.load(model, { download }) : model;
        try {
            return new Translator(secret, await call(native.createTranslator, loaded.handle), loaded, owned, defaults);
        } catch (error) {
            if (owned) await loaded.close();
            throw error;
        }
    }
    static async #createRoute(model, route, { sourceLanguage, targetLanguage, ...defaults }) {
        if (model !== undefined) throw new InvalidArgumentError("route: expected no model beside it");
        if (!(route?.length > 0 && Array.from(route).every((each) => each instanceof Model)))
            throw new InvalidArgumentError(`route: expected Models, got ${route}`);
        const handle = await call(native.createRoute, route.map((each) => each.handle), sourceLanguage ?? "",
                                  targetLanguage ?? "");
        return new Translator(secret, handle, route.at(-1), false, defaults);
    }
    get model() {
        return this.#model;
    }
    get closed() {
        return this.#closed;
    }

    /** The translator's options and those of a call, with objects for files that they name; or a promise of those. */
    #chosen(given) {
        return this.#opened.resolve({ ...this.#defaults, ...spelled(given) });
    }

    /**
     * Submits a job, which `onJob` gets; `onEvent` gets everything but the end, which settles the promise with a result's
     * handle. A job that is fed has its results in events.
     */
    #run({ texts, sources, fed }, given, events, onEvent, onJob) {
        const { priority = 0, signal } = given;
        const prefixes = given.prefixes && asSequences(given.prefixes, "prefixes");
        const chosen = options("translate", given, ...CALL);
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
                job = native.submit(this.#handle, texts, sources, prefixes, chosen,
                    { events, priority, fed }, handler);
                onJob?.(job);
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
        const list = asTexts(texts);
        return translations(await this.#all({ texts: list }, given), list);
    }

    async translateTokens(sources, given = {}) {
        return translations(await this.#all({ sources: asSequences(sources, "sources") }, given));
    }

    async #all(inputs, given) {
        const { onProgress } = given;
        const chosen = this.#chosen(given);
        return this.#run(inputs, chosen instanceof Promise ? await chosen : chosen, onProgress ? EVENTS.sentence : 0,
            onProgress && (({ done, total }) => onProgress(done, total)));
    }

    async *translateAll(texts, given = {}) {
        let done = 0;
        for await (const { kind, result, sources } of this.#feed(texts, given, 0)) {
            if (kind !== "result") continue;
            given.onProgress?.((done += sources.length));
            yield* translations(result, sources);
        }
    }

    /** The events of a job that is fed with `texts`; those of kind "result" with their sources. */
    async *#feed(items, given, wanted) {
        const { ahead = 256, signal } = given;
        const texts = typeof items === "string" ? [items] : items;
        checkIterable(texts, "texts", "a string or an iterable of strings");
        if (!(Number.isInteger(ahead) && ahead > 0)) {
            throw new InvalidArgumentError(`ahead is ${ahead}: expected a whole number, at least 1`);
        }
        signal?.throwIfAborted();
        const stop = new AbortController();
        const abort = () => stop.abort(signal.reason);
        const chosen = await this.#chosen(given);
        signal?.throwIfAborted();
        signal?.addEventListener("abort", abort, { once: true });
        const events = new Events();
        const feeder = new Feeder(texts, ahead);
        const ended = this.#run({ texts: [], fed: true }, { ...chosen, signal: stop.signal, prefixes: undefined }, wanted,
            (event) => events.push(event), (job) => {
                events.of(job);
                feeder.read(job).catch((error) => events.push({ error }));
            });
        ended.then(() => events.push(null), (error) => events.push({ error }));
        try {
            for (let event = await events.next(); event; event = await events.next()) {
                if (event.error) throw event.error;
                if (event.kind === "result") event.sources = feeder.take(call(native.resultCount, event.result));
                else event.given = feeder.source(event.input);
                yield event;
            }
            if (feeder.failed) throw feeder.failed.error;
        } finally {
            signal?.removeEventListener("abort", abort);
            feeder.stop();
            stop.abort();  // when the loop was left early
            ended.catch(() => {});
        }
    }

    async *stream(texts, given = {}) {
        if (typeof texts === "string" || (Array.isArray(texts) && !texts.some(Array.isArray))) {
            yield* this.#streamList([texts].flat(), typeof texts === "string" && given.prefixes
                ? { ...given, prefixes: [given.prefixes] } : given);
            return;
        }
        if (given.prefixes) throw new InvalidArgumentError("prefixes: expected none, the texts are not an array of strings");
        const wanted = EVENTS.sentence | (given.partial ? EVENTS.partial : 0);
        const shown = new Map();
        for await (const event of this.#feed(texts, given, wanted)) {
            if (event.kind !== "result") yield streamEvent(event, event.given, shown);
        }
    }

    async *#streamList(list, given) {
        checkTexts(list);
        const chosen = await this.#chosen(given), shown = new Map(), sources = list.map((text) => new Places(text));
        const stop = new AbortController();
        const abort = () => stop.abort(given.signal.reason);
        if (given.signal?.aborted) abort();
        given.signal?.addEventListener("abort", abort, { once: true });
        const events = new Events();
        const wanted = EVENTS.sentence | (given.partial ? EVENTS.partial : 0);
        const ended = this.#run({ texts: list }, { ...chosen, signal: stop.signal }, wanted,
            (event) => events.push(event), (job) => events.of(job));
        ended.then(() => events.push(null), () => events.push(null));
        try {
            for (let event = await events.next(); event; event = await events.next()) {
                yield streamEvent(event, sources[event.input], shown);
            }
            await ended;
        } finally {
            given.signal?.removeEventListener("abort", abort);
            stop.abort();  // when the loop was left early
            ended.catch(() => {});
        }
    }

    async score(sources, targets, given) {
        const handle = await call(native.score, this.#handle, asSequences(sources, "sources"),
                                  asSequences(targets, "targets"), options("score", given));
        return (await call(native.scores, handle)).map(({ tokens, logProbs }) => ({ tokens, logProbs, ranges: [] }));
    }
    async scoreTexts(sources, targets, given) {
        if (typeof sources === "string" && typeof targets === "string") {
            return (await this.scoreTexts([sources], [targets], given))[0];
        }
        const wanted = asTexts(targets, "targets");
        const own = ["sourceLanguage", "targetLanguage"].filter((name) => this.#defaults[name] != null);
        const languages = Object.fromEntries(own.map((name) => [name, this.#defaults[name]]));
        const handle = await call(native.scoreTexts, this.#handle, asTexts(sources, "sources"), wanted,
                                  options("score", { ...languages, ...given }));
        return (await call(native.scores, handle)).map(({ tokens, logProbs, ranges }, place) =>
            ({ tokens, logProbs, ranges: pairs(places(wanted[place], ranges)) }));
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
        this.#closed = true;
        const running = [...this.#running];
        for (const [job] of running) {
            native.hold(job, true);
            native.cancel(job);
        }
        await Promise.allSettled(running.map(([, ended]) => ended));
        await call(native.closeTranslator, this.#handle);
        await this.#opened.close();
        if (this.#owned) await this.#model.close();
    }
    async [asyncDispose]() {
        await this.close();
    }
}

module.exports = { Translator, inside };
