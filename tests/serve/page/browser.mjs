// SPDX-License-Identifier: Apache-2.0
// A browser for the tests of the page. PAGE_URL is the service's page, CHROMIUM the browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const url = process.env.PAGE_URL;
const rules = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser = null;

export async function start() {
    browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
    return browser;
}

export async function stop() {
    await browser?.close();
    browser = null;
}

// Runs `act` with a page of its own, and fails for what the page complains of: errors, broken policies, other hosts.
export async function withPage(options, act) {
    const { address = url, allowed = [], ready = true, ...context } = options;
    const common = { locale: "en-US", viewport: { width: 1200, height: 800 } };
    const own = await (await start()).newContext({ ...common, ...context });
    const page = await own.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !allowed.some((one) => one.test(message.text()))) {
            complaints.push(message.text());
        }
    });
    page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== new URL(url).origin && origin !== new URL(address).origin && !/^(blob|data):/.test(protocol)) {
            complaints.push(`asked ${request.url()}`);
        }
    });
    try {
        await page.goto(address);
        if (ready) await page.waitForSelector("#to option", { state: "attached" });
        await act(page);
        assert.deepEqual(complaints, []);
    } finally {
        await own.close();
    }
}

// Types a text and waits for its translation, whose words are elements then.
export async function translate(page, text, words = 1) {
    await page.fill("#source", text);
    await settled(page, words);
}

export async function settled(page, words = 1) {
    await page.waitForFunction((least) => document.querySelectorAll("#translation .w").length >= least
        && document.getElementById("translation").getAttribute("aria-busy") === "false", words);
}

export const translation = (page) => page.locator("#translation").textContent();

export async function choose(page, from, to) {
    await page.selectOption("#from", from);
    await page.selectOption("#to", to);
}

// No rule of accessibility is broken: those of WCAG 2.2 A and AA, and axe's best practices.
export async function checkAccess(page, what) {
    // Scripts of the tests are not the page's: its policy does not hold for them.
    await page.evaluate(rules);
    const { violations, passes } = await page.evaluate(
        () => axe.run(document, { resultTypes: ["violations", "passes"] }));
    const describe = (one) => one.nodes.map((node) => `${node.failureSummary} ${node.html}`).join("; ");
    const found = violations.map((one) => `${one.id}: ${describe(one)}`);
    assert.deepEqual(found, [], what);
    assert.ok(passes.length > 15, `${what}: only ${passes.length} rules had something to check`);
    return passes.length;
}
