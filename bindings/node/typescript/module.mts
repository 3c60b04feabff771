// SPDX-License-Identifier: Apache-2.0
// Only compiled, as a module; program.ts is compiled as CommonJS.
import { defaultTranslator, detectLanguages, Translation, Translator, translate } from "dragoman";

const one: Translation = await translate("text", { to: "de", glossary: { a: "b" }, memory: "memory.sqlite" });
const many: Translation[] = await translate(new Set(["a"]), { to: "de", from: "en", model: new URL("file:///model") });
const shared: Translator = await defaultTranslator();
const text: string = JSON.stringify([one, ...many]) + `${one}`;
const guesses = await detectLanguages("text", { expected: "de" });
console.log(text, guesses[0]?.tag, (await detectLanguages(["text"]))[0]?.[0]?.tag, shared.closed);
for await (const { kept, delta } of shared.stream("text", { to: "de", partial: true })) console.log(kept, delta);
for await (const item of shared.translateAll("text", { glossary: new Map([["a", "b"]]) })) console.log(item.toJSON());
const dispose: () => Promise<void> = shared[Symbol.asyncDispose];
console.log(dispose, (await shared.scoreTexts("a", "b")).tokens);

// @ts-expect-error no such option
await translate("text", { too: "de" });
// @ts-expect-error no glossary
await translate("text", { glossary: 3 });
