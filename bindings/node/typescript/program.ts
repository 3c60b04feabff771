// SPDX-License-Identifier: Apache-2.0
// Only compiled. Each line under @ts-expect-error has to be a mistake.
import {
    bench, convert, Device, devices, DragomanError, Language, Model, Span, splitSentences, Translation, Translator,
} from "dragoman";

export async function main(): Promise<void> {
    const model = await Model.load({ device: 0, computeType: "f32" });
    const other: Model = await Model.load("path", { memoryLimitBytes: 1e9 });
    const device: Device = await Device.open({ name: 0, validation: true });
    const third: Model = await Model.load({ device });
    const languages: Language[] = third.targetLanguages;
    console.log(device.memory.heldBytes, languages[0].tag);
    const translator = await model.translator({ targetLanguage: "en", beamSize: 4 });
    const one: Translation = await translator.translate("text", { signal: new AbortController().signal });
    const many: Translation[] = await translator.translate(["a", "b"], { prefixes: [[], ["c"]], priority: 1 });
    const matrix: Float32Array = many[0].attention.data;
    for await (const event of translator.stream(one.text, { partial: true })) {
        const kind: "partial" | "sentence" = event.kind;
        console.log(kind, event.text.length, matrix.length);
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
    // @ts-expect-error a measurement opens a device of its own
    await bench([], { device });
    // @ts-expect-error one text, one translation
    const wrong: Translation[] = await translator.translate("text");
    // @ts-expect-error a side is source or target
    await model.tokenize("text", "left");
    console.log(wrong);
}
