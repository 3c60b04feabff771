// SPDX-License-Identifier: Apache-2.0
// Translations of the past, in this browser only.
import { button, find, make, setLanguage } from "./dom";
import { interfaceLanguage, onLanguage, t } from "./i18n";
import { languages } from "./languages";
import { keep, kept } from "./store";

interface Past {
    from: string;
    to: string;
    source: string;
    text: string;
    time: number;
}

const most = 100;
const longest = 20_000;  // characters of a text that is kept
const calm = 2_000;      // milliseconds after which a translation is no longer one on the way

const on = find<HTMLInputElement>("history-on");
let timer = 0;
let open: (past: Past) => void = () => undefined;

const list = (): Past[] => kept<Past[]>("history", []);

// What continues the text of the last entry replaces it.
function add(past: Past): void {
    const entries = list();
    const last = entries[0];
    const continued = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
    if (last && last.to === past.to && continued(past.source, last.source)) entries.shift();
    // Where the browser has no room for all, the oldest ones go.
    for (let all = [past, ...entries].slice(0, most); all.length && !keep("history", all);) {
        all = all.slice(0, Math.floor(all.length / 2));
    }
}

export function remember(past: Omit<Past, "time">): void {
    clearTimeout(timer);
    if (!on.checked || !past.source.trim() || past.source.length > longest) return;
    timer = setTimeout(() => add({ ...past, time: Date.now() }), calm);
}

export function showHistory(): void {
    const entries = list();
    const time = new Intl.DateTimeFormat(interfaceLanguage(), { dateStyle: "medium", timeStyle: "short" });
    find("past").replaceChildren(...entries.map((past) => {
        const source = make("p", { textContent: past.source });
        const text = make("p", { textContent: past.text, className: "pale" });
        setLanguage(source, past.from);
        setLanguage(text, past.to);
        const facts = `${languages.name(past.from)} → ${languages.name(past.to)} · ${time.format(past.time)}`;
        const below = make("p", { className: "pale", textContent: facts });
        return make("li", {}, make("div", { className: "main" }, source, text, below),
            button("↩", () => open(past), t("history.open")));
    }));
    if (!entries.length) find("past").append(make("li", { className: "pale", textContent: t("history.empty") }));
    find<HTMLButtonElement>("history-clear").disabled = !entries.length;
}

on.checked = kept("history-on", true);
on.addEventListener("change", () => {
    keep("history-on", on.checked);
    clearTimeout(timer);
});
find("history-clear").addEventListener("click", () => {
    clearTimeout(timer);
    keep("history", null);
    showHistory();
});
onLanguage(showHistory);

export const onPast = (listener: (past: Past) => void): void => { open = listener; };
