// SPDX-License-Identifier: Apache-2.0
// Only compiled. Each line under @ts-expect-error has to be a mistake.
import {
    ALL_HEADS, BadModelError, bench, benchTokens, CancelledError, ClosedError, convert, describe, Device, DeviceInfo,
    DeviceLostError, deviceMemory, devices, documentFormat, DragomanError, features, FileError, hasFeature, Hypothesis, InternalError,
    InvalidArgumentError, Language, Memory, Model, ModelInfo, models, PublishedModel, Registry, NoDeviceError, OutOfMemoryError, Score, Sentence, Span,
    splitSentences, Stats, StreamEvent, TextOrPair, TokenList, TranslateOptions, translateDocument,
    translateDocumentBytes, Translation, Translator, UnsupportedError, version,
} from "dragoman";

export async function main(): Promise<void> {
    const model = await Model.load({ device: 0, computeType: "f32" });
    const other: Model = await Model.load("path", { memoryLimitBytes: 1e9 });
    const device: Device = await Device.open({ name: 0, validation: true });
    const third: Model = await Model.load({ device });
    const languages: Language[] = third.targetLanguages;
    console.log(device.memory.heldBytes, languages[0]?.tag);
    const translator = await model.translator({ targetLanguage: "en", beamSize: 4 });
    const one: Translation = await translator.translate("text", { signal: new AbortController().signal });
    const many: Translation[] = await translator.translate(["a", "b"], { prefixes: [[], ["c"]], priority: 1 });
    const matrix: Float32Array | undefined = many[0]?.attention.data;
    for await (const event of translator.stream(one.text, { partial: true })) {
        const kind: "partial" | "sentence" = event.kind;
        console.log(kind, event.text.length, matrix?.length);
    }
    for await (const item of translator.translateAll(new Set(["a"]), { ahead: 2 })) console.log(item.hypotheses);
    const spans: Span[] = splitSentences("text", { language: "de" });
    for await (const event of translator.stream(new Set(["a"]), { ahead: 2, partial: true })) console.log(event.total);
    const tokens: string[] = await other.tokenize("text");
    const places: Span[] = [...(await other.tokenize("text")).ranges, ...one.ranges, ...one.sourceRanges];
    console.log(places);
    const lists: string[][] = await other.tokenize(["text"], "target");
    console.log(spans, tokens, lists, (await devices()).map((device) => device.kind === "cpu"));
    await convert(null, "model.gguf", { weightType: "q8", replace: true });
    const report = await bench(["text"], { model: "path", device: 0, beamSize: 4, repeat: 2 });
    console.log(report.throughput.seconds.median);
    try {
        await translator.close();
    } catch (error) {
        if (error instanceof DragomanError) console.log(error.code.length);
    }

    // @ts-expect-error no such option
    await translator.translate("text", { beemSize: 2 });
    // @ts-expect-error not a word for it
    await Model.load({ computeType: "f8" });
    // @ts-expect-error no such type
    await convert(null, "model.gguf", { weightType: "q5" });
    // @ts-expect-error made by load()
    new Model();
    // @ts-expect-error made by open()
    new Device();
    // @ts-expect-error made by create()
    new Translator();
    // @ts-expect-error made by translate()
    new Translation();
    // @ts-expect-error a measurement opens a device of its own
    await bench([], { device });
    // @ts-expect-error one text, one translation
    const wrong: Translation[] = await translator.translate("text");
    // @ts-expect-error a side is source or target
    await model.tokenize("text", "left");
    // @ts-expect-error a prefix is a sequence of tokens
    translator.translateAll([["text", "prefix"]]);
    // @ts-expect-error what was translated does not change
    one.source = "text";
    console.log(wrong);
}

export async function everyMemberOfDevices(): Promise<void> {
    const device = await Device.open();
    const info: DeviceInfo = device.info;
    const memory: Memory = await deviceMemory(info.index);
    const held: number = device.memory.heldBytes + memory.budgetBytes + memory.limitBytes + memory.peakBytes;
    console.log(held, info.uuid.length, info.apiVersion.length, info.f16 && info.unifiedMemory, memory.measured);
    await device.trim();
    await device.close();
}

export async function everyMemberOfModels(): Promise<void> {
    const bytes = new Uint8Array(8);
    const model = await Model.fromFiles({ "model.bin": bytes, "config.json": new URL("file:///config.json") });
    await Model.fromFiles(new Map([["model.bin", bytes.buffer]]), { cacheDir: "-" });
    await Model.fromFiles(bytes, { device: "NVIDIA" });
    await Model.fromFiles({ "model.bin": new Blob([bytes]) });
    await Model.load(new URL("file:///model"));
    const info: ModelInfo = model.info;
    const described: ModelInfo = await describe();
    const same: Language[] = [...model.sourceLanguages, ...info.sourceLanguages, ...described.targetLanguages];
    console.log(same.map(({ tag, code, name }) => tag + code + name), model.device.name, model.memory.usedBytes);
    const list: TokenList = await model.tokenize("text", "source");
    const text: string = await model.detokenize(list);
    const texts: string[] = await model.detokenize([list, ["a"]], "target");
    console.log(text, texts, list.ranges);
    await model.close();
}

export async function everyMemberOfTranslators(): Promise<void> {
    const options: TranslateOptions = {
        search: "marian", earlyStopping: "never", attentionHead: ALL_HEADS, suppressSequences: [["a", "b"]],
        endTokens: ["."], splitSentences: false,
    };
    const translator = await Translator.create({ ...options, model: "path" });
    await Translator.create({ model: null });
    const found = await translator.translateTokens([["a"]], { onProgress: (done, total) => console.log(done / total) });
    await translator.translate("text", { prefixes: ["a"] });
    const items: TextOrPair[] = ["text", ["text", ["a"]], ["text", null], ["text"]];
    async function* texts() {
        yield* items;
    }
    for await (const item of translator.translateAll(texts(), { onProgress: (done: number) => console.log(done) }))
        console.log(item.text);
    for await (const event of translator.stream(items)) {
        const { kind, input, sentence, source, sourceSpan, text, tokens, score, done, total }: StreamEvent = event;
        console.log(kind, input, sentence, source, sourceSpan, text, tokens, score, done, total);
    }
    for await (const event of translator.stream(["a"], { prefixes: [["b"]], priority: 1 })) console.log(event.kind);
    const scores: Score[] = await translator.score([["a"]], [["b"]], { maxInputLength: 10 });
    const stats: Stats = await translator.stats();
    console.log(found, scores[0]?.tokens, scores[0]?.logProbs.length, stats.sentences, translator.model.info.path);
    await translator.resetStats();
    await translator.trim();
    await translator.close();
}

export async function everyMemberOfModelsByName(signal: AbortSignal): Promise<void> {
    const offered = await models.search("de", null, { registries: ["firefox"], offline: true, refresh: false, signal });
    const problems: string[] = offered.problems;
    const all: PublishedModel[] = [...await models.list(), ...await models.route("de", "fr"),
        ...await models.installedRoute("de", "fr"), await models.show("firefox:de-en", { again: true })];
    const kept = await models.download("firefox:de-en", { parallel: 2, onProgress: ({ model, file, note, doneBytes,
        totalBytes }) => console.log(model, file, note, doneBytes / totalBytes) });
    console.log(problems, all.map(({ files }) => files[0]?.sha256), kept.path.length, kept.from.join());
    await models.verify(kept.name);
    await models.keepFile(kept.name, new URL("file:///model.gguf"));
    await models.remove(kept.name);
    const registries: Registry[] = await models.registries();
    console.log(await models.clean(7) / 1e6, registries[0]?.id, models.folder().length);
    await Translator.create({ model: "firefox:de-en", download: true });
    await Model.load("firefox:de-en", { download: { signal } });
    // @ts-expect-error no such option
    await models.search("de", "en", { ofline: true });
}

export function everyMemberOfTranslations(translation: Translation): void {
    const hypotheses: Hypothesis[] = [translation, ...translation.hypotheses];
    for (const { source, text, tokens, sourceTokens, ranges, sourceRanges, score, attention, sentences } of hypotheses) {
        const places: Span[] = [...ranges, ...sourceRanges];
        const { data, rows, cols } = attention;
        console.log(source, text, [...tokens, ...sourceTokens], places, score, data[rows * cols - 1], sentences.length);
    }
    for (const sentence of translation.sentences) {
        const same: Sentence = sentence;
        console.log(`${same}`, same.source, same.text, same.tokens, same.sourceTokens, same.ranges, same.sourceRanges);
        const all: Span[] = [same.sourceSpan, same.targetSpan, same.sourceTokenSpan, same.targetTokenSpan];
        console.log(all, same.score, same.attention.rows);
    }
}

export async function everyFunction(error: unknown, translator: Translator): Promise<void> {
    const { signal } = new AbortController();
    await translateDocument(translator, "a.docx", new URL("file:///b.docx"), { beamSize: 1, resume: "kept", signal });
    const bytes: Uint8Array = await translateDocumentBytes(translator, new Uint8Array(), {
        name: "a.po", format: documentFormat("a.po") ?? "po", onProgress: (done, total) => console.log(done, total),
    });
    console.log(bytes.length);
    const report = await benchTokens([["a"]], { repeat: 1, seed: 2, ceilings: false, computeType: "f16", signal });
    await convert("path", new URL("file:///model.gguf"), { signal });
    console.log(report.latency, version.length, features().length, hasFeature("jobs.partial"), describe("path"));
    const kinds = [
        BadModelError, CancelledError, ClosedError, DeviceLostError, FileError, InternalError, InvalidArgumentError,
        NoDeviceError, OutOfMemoryError, UnsupportedError,
    ];
    for (const kind of kinds) {
        const made: DragomanError = new kind("message");
        if (error instanceof kind) console.log(made.code, error.code, error.message);
    }
}
