// SPDX-License-Identifier: Apache-2.0
// Accessibility by axe's rules, in every appearance and with every panel open; keyboard; narrow windows.
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { checkAccess, choose, settled, stop, translate, url, withPage } from "./browser.mjs";

after(stop);
const text = "The house is big, and the gnarl besmears the quibbled zyx. My brother wants to buy a new car.";

async function show(page) {
    await choose(page, "en", "de");
    await translate(page, text, 10);
}

const looks = {
    light: {}, dark: { colorScheme: "dark" }, contrast: { forcedColors: "active" },
    "right to left": { locale: "ar" }, "right to left, dark": { locale: "ar", colorScheme: "dark" },
    phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    "phone, right to left": { locale: "ar", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

for (const [name, options] of Object.entries(looks)) {
    test(`no violations: ${name}`, () => withPage(options, async (page) => {
        await checkAccess(page, "empty");
        await show(page);
        await checkAccess(page, "translated");
        await page.locator("#translation .w").nth(1).click();
        await page.waitForSelector("#choices-list mark");
        await checkAccess(page, "other translations");
        await page.keyboard.press("Escape");
        for (const id of ["glossary", "history", "models", "settings", "help"]) {
            await page.click(`[data-opens=${id}]`);
            await page.waitForSelector(`dialog#${id}[open]`);
            if (id === "models") await page.waitForSelector("#models-here button");
            await checkAccess(page, id);
            await page.keyboard.press("Escape");
        }
        await page.click("#show-documents");
        await checkAccess(page, "documents");
        const [content, window] = await page.locator("html").evaluate((html) => [html.scrollWidth, html.clientWidth]);
        assert.equal(content, window, "the page is wider than its window");
    }));
}

test("panes have the language and direction of their texts", () => withPage({ locale: "ar" }, async (page) => {
    await show(page);
    const facts = (id) => page.locator(id).evaluate(
        (element) => [element.dir, element.lang, getComputedStyle(element).textAlign]);
    assert.deepEqual(await facts("html"), ["rtl", "ar", "start"]);
    assert.deepEqual(await facts("#source"), ["ltr", "en", "start"]);
    assert.deepEqual(await facts("#translation"), ["ltr", "de", "start"]);
    assert.deepEqual(await facts("#mirror"), ["ltr", "en", "start"]);
}));

test("the mirror has the very places of the field", () => withPage({}, async (page) => {
    await choose(page, "en", "de");
    await translate(page, "One two three four five six seven eight nine ten. ".repeat(12), 100);
    const box = (id) => page.locator(id).boundingBox();
    assert.deepEqual(await box("#mirror"), await box("#source"));
    const overflow = await page.locator("#source").evaluate((element) => element.scrollHeight - element.clientHeight);
    assert.equal(overflow, 0, "the field scrolls within itself");
}));

const address = `${url}?source=en&target=de&q=${encodeURIComponent(text)}`;

test("everything is reached by keys, in order, with a focus that is seen", () => withPage({ address }, async (page) => {
    await settled(page, 10);
    const reached = [];
    for (let i = 0; i < 24; i++) {
        await page.keyboard.press("Tab");
        const [name, outline] = await page.evaluate(() => {
            const element = document.activeElement;
            return [element.id || element.dataset.opens || element.className, getComputedStyle(element).outlineStyle];
        });
        if (name === "") break;
        reached.push(name);
        assert.notEqual(outline, "none", `the focus on ${name} is not seen`);
    }
    const wanted = ["skip", "show-text", "show-documents", "glossary", "history", "models", "settings", "help", "from",
        "swap", "to", "source", "clear", "translation", "shade", "copy"];
    assert.deepEqual(reached.filter((name) => wanted.includes(name)).slice(0, wanted.length), wanted);
    await page.keyboard.press("Alt+Shift+T");
    assert.equal(await page.evaluate(() => document.activeElement.id), "translation");
}));
