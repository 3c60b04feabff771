// SPDX-License-Identifier: Apache-2.0
// pictures.mjs FOLDER: takes the pictures of docs/serve, from a service at PAGE_URL with the model that ships.
import { choose, settled, start, stop, translate, withPage } from "./browser.mjs";

const folder = process.argv[2];
const english = "My brother wants to buy a new car, but he has no money for it. The gnarl besmears the quibbled zyx. "
    + "We met in the old town yesterday.";
const german = "Der Zug nach Hamburg fährt heute zehn Minuten später ab. "
    + "Bitte achten Sie auf die Durchsagen am Bahnsteig.";

async function take(name, options, act) {
    await withPage(options, async (page) => {
        await act(page);
        await page.waitForTimeout(300);
        await page.screenshot({ path: `${folder}/${name}.png` });
    });
}

async function show(page, text = english) {
    await choose(page, "en", "de");
    await translate(page, text, 10);
}

await start();
const desk = { viewport: { width: 1100, height: 640 } };
await take("page", desk, async (page) => {
    await show(page);
    await page.locator("#translation .w", { hasText: "Auto" }).hover();
});
await take("alternatives", { ...desk, colorScheme: "dark" }, async (page) => {
    await show(page);
    await page.locator("#translation .w", { hasText: "Stadt" }).click();
    await page.waitForSelector("#choices-list mark");
});
await take("phone", { viewport: { width: 390, height: 760 } }, async (page) => {
    await translate(page, german, 5);
    await settled(page, 10);
});
await take("right_to_left", { ...desk, locale: "ar" }, (page) => show(page));
await take("documents", desk, async (page) => {
    await choose(page, "en", "de");
    await page.click("#show-documents");
    const line = (_, i) => `<p>Chapter ${i} speaks of the houses of the city.</p>`;
    const file = (name, lines) => ({
        name, mimeType: "text/html", buffer: Buffer.from(Array.from({ length: lines }, line).join("")),
    });
    await page.setInputFiles("#file", [file("letter.html", 2), file("book.html", 3000)]);
    await page.waitForFunction(() => / left/.test(document.getElementById("documents").textContent)
        && document.querySelector("#documents .primary"), null, { timeout: 120_000 });
});
await take("glossary", desk, async (page) => {
    await show(page, "Where is the station? The train is late.");
    await page.click("[data-opens=glossary]");
    for (const [source, target] of [["station", "Haltepunkt"], ["train", "Bahn"]]) {
        await page.fill("#term-source", source);
        await page.fill("#term-target", target);
        await page.keyboard.press("Enter");
    }
    await settled(page, 4);
});
await stop();
