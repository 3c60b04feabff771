// SPDX-License-Identifier: Apache-2.0
// The panels at the side, documents, and what the browser keeps.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test, { after } from "node:test";
import { choose, settled, stop, translate, translation, url, withPage } from "./browser.mjs";

after(stop);
const open = (page, id) => page.click(`[data-opens=${id}]`);
const close = (page) => page.keyboard.press("Escape");
const file = (name, content, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(content) });

test("terms are used, exported and imported", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, "Where is the station?", 3);
    assert.doesNotMatch(await translation(page), /Haltepunkt/);
    await open(page, "glossary");
    await page.fill("#term-source", "station");
    await page.fill("#term-target", "Haltepunkt");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#glossary-pair").textContent(), /English → German · 1 term$/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#terms-export")]);
    assert.equal(await readFile(await download.path(), "utf8"), "station\tHaltepunkt\n");
    await page.setInputFiles("#terms-file", file("more.tsv", "source\ttarget\nhouse\tHütte\ncar\tKutsche\n"));
    await page.waitForFunction(() => document.querySelectorAll("#terms li").length === 3);
    await close(page);
    await page.waitForFunction(() => /Haltepunkt/.test(document.getElementById("translation").textContent));
    await settled(page, 3);
    assert.equal(await page.locator("#mirror .term").textContent(), "station");
    await page.reload();
    await translate(page, "The station is near.", 3);
    assert.match(await translation(page), /Haltepunkt/);
    await open(page, "glossary");
    await page.setInputFiles("#terms-file", file("broken.tsv", "one\ttwo\nlonely\n"));
    await page.waitForFunction(() => document.getElementById("notice").textContent);
    assert.match(await page.locator("#notice").textContent(), /Line 2 .* lonely/);
}));

test("the history is kept, opened, cleared and turned off", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, "The weather is nice today.", 4);
    await page.waitForTimeout(2500);
    await page.fill("#source", "");
    await open(page, "history");
    await page.locator("#past button").click();
    assert.equal(await page.locator("#source").inputValue(), "The weather is nice today.");
    await settled(page, 4);
    await open(page, "history");
    await page.uncheck("#history-on");
    await page.click("#history-clear");
    assert.match(await page.locator("#past").textContent(), /Nothing here yet/);
    await close(page);
    await translate(page, "Nobody keeps this.", 3);
    await page.waitForTimeout(2500);
    assert.equal(await page.evaluate(() => localStorage.getItem("dragoman.history")), null);
}));

test("appearance and language of the page last", () => withPage({ locale: "de-DE" }, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    assert.equal(await page.locator("#copy").getAttribute("aria-label"), "Übersetzung kopieren");
    await open(page, "settings");
    await page.selectOption("#theme", "dark");
    await page.selectOption("#ui-language", "ar");
    await page.reload();
    await page.waitForSelector("#to option", { state: "attached" });
    assert.notEqual(await paper(), light);
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
    assert.equal(await page.locator("#show-text").textContent(), "نص");
}));

test("plurals are right in every language", () => withPage({}, async (page) => {
    const counts = async (code, text) => {
        await page.evaluate((language) => localStorage.setItem("dragoman.language", JSON.stringify(language)), code);
        await page.reload();
        await page.fill("#source", text);
        return await page.locator("#count").textContent();
    };
    assert.equal(await counts("en", "a"), "1 character");
    assert.equal(await counts("en", "ab"), "2 characters");
    assert.equal(await counts("fr", "a"), "1 caractère");
    assert.equal(await counts("es", "abc"), "3 caracteres");
    assert.equal(await counts("ar", "ab"), "حرفان");
    assert.equal(await counts("ar", "abc"), "3 أحرف");
    assert.equal(await counts("de", "𝒳é"), "2 Zeichen");
}));

test("a document is translated, and comes back", () => withPage({ allowed: [/status of 4/] }, async (page) => {
    await choose(page, "en", "de");
    await page.click("#show-documents");
    assert.match(await page.locator("#formats").textContent(), /\.docx/);
    await page.setInputFiles("#file", file("letter.txt", "The house is big.\nThe water is cold.\n"));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#documents .primary")]);
    assert.equal(download.suggestedFilename(), "letter_de.txt");
    assert.match(await readFile(await download.path(), "utf8"), /Haus.*\n.*Wasser/);
    await page.setInputFiles("#file", file("picture.xyz", "no document"));
    await page.waitForFunction(() => /Failed/.test(document.getElementById("documents").textContent));
}));

test("a document that is dropped can be cancelled", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    const removed = page.waitForRequest((request) => request.method() === "DELETE");
    await page.evaluate(() => {
        const files = new DataTransfer();
        const line = (_, i) => "<p>Sentence number " + i + " speaks of the " + i * 7 + " houses of the city.</p>";
        files.items.add(new File([Array.from({ length: 4000 }, line).join("")], "book.html", { type: "text/html" }));
        document.dispatchEvent(new DragEvent("dragover", { dataTransfer: files, bubbles: true }));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true }));
    });
    await page.waitForFunction(() => /Translating| of /.test(document.getElementById("documents").textContent));
    await page.click("#documents button");
    const request = await removed;
    assert.equal((await request.response()).status(), 204);
    assert.equal(await page.locator("#documents li").count(), 0);
}));

test("who runs the service sees its models, and may unload and load them", () => withPage({}, async (page) => {
    await open(page, "models");
    const first = page.locator("#models-here li").first();
    assert.match(await first.textContent(), /en-de.*loaded/);
    await first.getByRole("button", { name: "Unload" }).click();
    await first.getByRole("button", { name: "Load" }).click();
    await first.getByRole("button", { name: "Unload" }).waitFor();
    assert.equal(new URL(url).hostname, "127.0.0.1");
}));
