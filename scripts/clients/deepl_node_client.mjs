// SPDX-License-Identifier: Apache-2.0
// DeepL's library for JavaScript against a running service: deepl_node_client.mjs URL
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { report, call, throws, BOAT, BOOT, HAT, HUT, versionOf } from "./checks.mjs";

const deepl = createRequire(process.env.CLIENT_MODULES + "/")("deepl-node");
const client = new deepl.DeepLClient("none", { serverUrl: process.argv[2].replace(/\/$/, "") });
const entries = new deepl.GlossaryEntries({ entries: { boat: "Kahn" } });
const texts = (answers) => answers.map((each) => each.text);

async function document() {
    const folder = mkdtempSync(join(tmpdir(), "deepl-node-"));
    try {
        const from = join(folder, "hat.txt"), to = join(folder, "hut.txt");
        writeFileSync(from, `${HAT}\n`);
        await client.translateDocument(from, to, "en", "de");
        return readFileSync(to, "utf8");
    } finally {
        rmSync(folder, { recursive: true });
    }
}

async function glossary() {
    const made = await client.createGlossary("one", "en", "de", entries);
    const { text } = await client.translateText(BOAT, "en", "de", { glossary: made });
    await client.deleteGlossary(made);
    return text.includes("Kahn");
}

async function severalPairs() {
    const back = new deepl.GlossaryEntries({ entries: { Kahn: "barge" } });
    const made = await client.createMultilingualGlossary("two", [
        { sourceLangCode: "en", targetLangCode: "de", entries }, { sourceLangCode: "de", targetLangCode: "en", entries: back }]);
    const changed = await client.updateMultilingualGlossaryDictionary(made, {
        sourceLangCode: "en", targetLangCode: "de", entries: new deepl.GlossaryEntries({ entries: { hat: "Kappe" } }) });
    const listed = (await client.listMultilingualGlossaries()).some((each) => each.glossaryId === made.glossaryId);
    await client.deleteMultilingualGlossary(made);
    return [made.dictionaries.length, changed.dictionaries.find((each) => each.sourceLangCode === "en").entryCount, listed];
}

await call("a list", async () => texts(await client.translateText([HAT, BOAT], "en", "de")), [HUT, BOOT]);
await call("source unknown", async () => (await client.translateText(HAT, null, "de")).detectedSourceLang, "en");
await call("tags stay", async () => (await client.translateText(`<b>${HAT}</b>`, "en", "de", { tagHandling: "html" })).text,
           `<b>${HUT}</b>`);
await call("usage", async () => (await client.getUsage()).character.count > 0, true);
await call("languages", async () => (await client.getTargetLanguages()).some((each) => each.code === "de"), true);
await call("a glossary", glossary, true);
await call("a glossary of two pairs", severalPairs, [2, 2, true]);
await call("a document", document, `${HUT}\n`);
await throws("an unknown language", () => client.translateText(HAT, "en", "zz"), /target_lang/);
report("npm deepl-node", versionOf("deepl-node"));
