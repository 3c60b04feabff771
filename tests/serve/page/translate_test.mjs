// SPDX-License-Identifier: Apache-2.0
// Translating in the page, by the service with the model that ships.
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { choose, settled, stop, translate, translation, url, withPage } from "./browser.mjs";

after(stop);
const text = "The house is big. My brother wants to buy a new car.";

test("translates while somebody types, in pieces", () => withPage({}, async (page) => {
    const requests = [];
    page.on("request", (request) => {
        if (request.url().endsWith("/v1/translate")) requests.push(JSON.parse(request.postData()));
    });
    await choose(page, "en", "de");
    await page.locator("#source").pressSequentially("The house is big.", { delay: 20 });
    await settled(page, 4);
    assert.match(await translation(page), /Haus.* groß/);
    assert.ok(requests.length < 8, `${requests.length} requests for 17 keys`);
    assert.equal(requests.at(-1).stream, true);
    assert.equal(await page.locator("#status").textContent(), "Translation: " + await translation(page));
}));

test("what is outdated is cancelled", () => withPage({}, async (page) => {
    const failed = [];
    page.on("requestfailed", (request) => failed.push(request.url()));
    await choose(page, "en", "de");
    // Different ones: equal sentences are translated once.
    const sentence = (_, i) => `Sentence number ${i} is a long one about the ${7 * i} houses of the city.`;
    await page.fill("#source", Array.from({ length: 100 }, sentence).join(" "));
    await page.waitForFunction(() => document.getElementById("busy").classList.contains("on"));
    await page.waitForTimeout(50);
    await page.fill("#source", "The cat sleeps.");
    await page.waitForFunction(() => /Katze/.test(document.getElementById("translation").textContent)
        && document.getElementById("translation").textContent.length < 60);
    await settled(page, 3);
    assert.ok(failed.some((address) => address.endsWith("/v1/translate")), "no request was aborted");
}));

test("detects the language, and translates into another one than the text's", () => withPage({}, async (page) => {
    await translate(page, "Ich möchte morgen mit dem Zug nach Hamburg fahren.", 5);
    assert.equal(await page.locator("#from option:checked").textContent(), "German (detected)");
    assert.equal(await page.locator("#to").inputValue(), "en");
    await page.fill("#source", "");
    await translate(page, "My brother wants to buy a new house in the town.", 5);
    await page.waitForFunction(() => document.getElementById("to").value === "de");
    await settled(page, 5);
    assert.match(await translation(page), /Bruder.*Haus/);
}));

test("swaps languages and texts", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, "The house is big.", 4);
    const german = await translation(page);
    await page.click("#swap");
    assert.equal(await page.locator("#source").inputValue(), german);
    await settled(page, 4);
    assert.equal(await page.locator("#from").inputValue(), "de");
    assert.match(await translation(page), /house/);
}));

test("the address says what to begin with", () => withPage(
    { address: `${url}?source=de&target=en&q=Guten%20Morgen%2C%20wie%20geht%20es%20dir%3F` }, async (page) => {
        await settled(page, 3);
        assert.equal(await page.locator("#from").inputValue(), "de");
        assert.match(await translation(page), /morning/i);
    }));

test("the pointer lights up words that belong together", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, text, 8);
    await page.locator("#translation .w", { hasText: "Haus" }).hover();
    assert.deepEqual(await page.locator("#mirror .w.on").allTextContents(), ["house"]);
    assert.match(await page.locator("#said").textContent(), /Haus.*house.*Confidence/);
    const word = await page.locator("#mirror .w", { hasText: "brother" }).boundingBox();
    await page.mouse.move(word.x + word.width / 2, word.y + word.height / 2);
    assert.deepEqual(await page.locator("#translation .w.on").allTextContents(), ["Bruder"]);
}));

test("arrow keys go through the words, and the caret lights up the source's", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, text, 8);
    await page.locator("#translation").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const words = await page.locator("#translation .w").allTextContents();
    assert.equal(await page.locator("#translation .w.at").textContent(), words[1]);
    assert.match(await page.locator("#status").textContent(), new RegExp(words[1]));
    await page.keyboard.press("End");
    assert.equal(await page.locator("#translation .w.at").textContent(), words.at(-1));
    await page.keyboard.press("Alt+Shift+E");
    await page.evaluate(() => document.getElementById("source").setSelectionRange(5, 5));
    await page.waitForSelector("#mirror .w.at");
    assert.equal(await page.locator("#mirror .w.at").textContent(), "house");
}));

test("a click on a word shows other translations, and one replaces it", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, text, 8);
    const before = await translation(page);
    await page.locator("#translation .w", { hasText: "Bruder" }).click();
    await page.waitForSelector("#choices-list button:nth-child(1) mark");
    assert.match(await page.locator("#choices-source").textContent(), /^My brother/);
    const other = page.locator("#choices-list li:nth-child(2) button");
    const chosen = await other.textContent();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#choices").isVisible(), false);
    await page.locator("#translation").focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await other.waitFor();
    await page.locator("#choices-list li:nth-child(2) button").press("Enter");
    const now = await translation(page);
    assert.ok(now.endsWith(chosen) && now !== before, now);
    assert.ok(now.startsWith(before.split(".")[0]), "the first sentence has changed");
}));

test("marks uncertain words, and not by colour alone", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, "The gnarl besmears the quibbled zyx, and the thingummy frobs its whatsit.", 8);
    const marked = page.locator("#translation .q1, #translation .q2");
    assert.ok(await marked.count() > 0, "no word is marked in a sentence of nonsense");
    const line = (element) => getComputedStyle(element).textDecorationLine;
    assert.equal(await marked.first().evaluate(line), "underline");
    assert.equal(await page.locator("#legend").isVisible(), true);
    await page.keyboard.press("Alt+Shift+M");
    assert.equal(await marked.first().evaluate(line), "none");
    assert.equal(await page.locator("#legend").isVisible(), false);
}));
