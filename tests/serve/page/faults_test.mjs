// SPDX-License-Identifier: Apache-2.0
// What goes wrong: said by name, with a way on. KEYED_URL is a service that needs the key "one", below a prefix.
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { checkAccess, choose, settled, stop, translate, translation, url, withPage } from "./browser.mjs";

after(stop);
const failures = [/Failed to load resource/];
const notice = (page) => page.locator("#notice p").textContent();

// Answers the next requests to translate with an error.
async function refuse(page, status, code, headers = {}) {
    await page.route("**/v1/translate", (route) => route.fulfill({
        status, headers, contentType: "application/json",
        body: JSON.stringify({ error: { code, message: "the reason" } }),
    }));
}

const named = {
    503: ["busy", /The service is busy\. \(the reason\)/], 429: ["too_many_requests", /Too many requests/],
    500: ["failed", /The service failed/], 400: ["unsupported_pair", /No model leads/],
    413: ["too_large", /larger than/],
};

for (const [status, [code, said]] of Object.entries(named)) {
    test(`an answer of ${status} is said, and tried again`, () => withPage({ allowed: failures }, async (page) => {
        await refuse(page, Number(status), code);
        await choose(page, "en", "de");
        await page.fill("#source", "The house is big.");
        await page.waitForSelector("#notice.bad");
        assert.match(await notice(page), said);
        await checkAccess(page, code);
        await page.unroute("**/v1/translate");
        await page.getByRole("button", { name: "Try again" }).click();
        await settled(page, 4);
        assert.match(await translation(page), /Haus/);
        assert.equal(await page.locator("#notice").isVisible(), false);
    }));
}

test("where the service says when, it is tried again by itself", () => withPage({ allowed: failures }, async (page) => {
    await refuse(page, 503, "busy", { "Retry-After": "2" });
    await choose(page, "en", "de");
    await page.fill("#source", "The house is big.");
    await page.waitForSelector("#notice.bad");
    assert.match(await notice(page), /Next try in 2 seconds\./);
    await page.unroute("**/v1/translate");
    await settled(page, 4);
}));

test("a stream that breaks off is an error, not a translation", () => withPage({ allowed: failures }, async (page) => {
    await page.route("**/v1/translate", (route) => route.fulfill({
        contentType: "text/event-stream",
        body: 'event: sentence\ndata: {"input":0,"sentence":0,"source":[0,4],"text":"Half"}\n\n'
            + 'event: error\ndata: {"error":{"code":"failed","message":"the device was lost"}}\n\n',
    }));
    await choose(page, "en", "de");
    await page.fill("#source", "The house is big.");
    await page.waitForSelector("#notice.bad");
    assert.match(await notice(page), /The service failed\. \(the device was lost\)/);
}));

test("a service that is away is said, and the page opens", () => withPage({ allowed: failures }, async (page) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.waitForSelector("#to option", { state: "attached" });
    const gone = (route) => route.abort("connectionrefused");
    await page.context().route("**/v1/**", gone);
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector("#notice.bad");
    assert.match(await notice(page), /cannot be reached/);
    await page.context().setOffline(false);
    await page.context().unroute("**/v1/**", gone);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector("#to option", { state: "attached" });
    await choose(page, "en", "de");
    await translate(page, "The house is big and very old.", 4);
}));

const keyed = { address: process.env.KEYED_URL, allowed: failures };

test("below a prefix, with a key that is kept for the tab only", () => withPage(keyed, async (page) => {
    await page.waitForSelector("#notice.bad");
    assert.match(await notice(page), /needs a valid API key/);
    await page.getByRole("button", { name: "Enter a key" }).click();
    await page.fill("#key", "wrong");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await choose(page, "en", "de");
    await page.fill("#source", "The house is big.");
    await page.waitForSelector("#notice.bad");
    await page.waitForFunction(() => /wrong/.test(document.getElementById("notice").textContent));
    await page.getByRole("button", { name: "Enter a key" }).click();
    await page.fill("#key", "one");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await settled(page, 4);
    assert.match(await translation(page), /Haus/);
    assert.equal(await page.locator("[data-opens=models]").isVisible(), false);
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /one"/);
    assert.notEqual(new URL(process.env.KEYED_URL).pathname, new URL(url).pathname);
}));

test("a text that is too long is not sent", () => withPage(keyed, async (page) => {
    await page.evaluate(() => sessionStorage.setItem("dragoman.key", '"one"'));
    await page.reload();
    await page.waitForSelector("#to option", { state: "attached" });
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.fill("#source", "x".repeat(2001));
    assert.equal(await page.locator("#count").textContent(), "1 character too many");
    await page.waitForTimeout(600);
    assert.deepEqual(requests.filter((address) => address.endsWith("/v1/translate")), []);
}));
