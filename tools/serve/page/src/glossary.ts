// SPDX-License-Identifier: Apache-2.0
// Terms for translations from one language to another, kept in this browser.
import { button, download, find, make, setLanguage } from "./dom";
import { onLanguage, t } from "./i18n";
import { languages } from "./languages";
import { say } from "./notice";
import { keep, kept } from "./store";
import { readTerms, TableError, type Term, writeTerms } from "./tsv";

const form = find<HTMLFormElement>("term-form");
const source = find<HTMLInputElement>("term-source");
const target = find<HTMLInputElement>("term-target");
const file = find<HTMLInputElement>("terms-file");

let onChange: () => void = () => undefined;
// What the panel shows, also when another language is detected meanwhile.
let pair: [from: string, to: string] = ["", ""];

const nameOf = (from: string, to: string): string => `glossary.${from}.${to}`;

export const termsFor = (from: string, to: string): Term[] => from && to ? kept<Term[]>(nameOf(from, to), []) : [];

const current = (): Term[] => termsFor(...pair);

// A source has one translation: the last one given.
function store(terms: readonly Term[]): void {
    const unique = [...new Map(terms).entries()];
    if (!keep(nameOf(...pair), unique.length ? unique : null)) tell(t("glossary.full"));
    showTerms();
    onChange();
}

// The panel is above what is said on the page.
function tell(text: string): void {
    find<HTMLDialogElement>("glossary").close();
    say(text);
}

export function showGlossary(): void {
    pair = [languages.source(), languages.to()];
    showTerms();
}

function showTerms(): void {
    const [from, to] = pair;
    const terms = current();
    const names = pair.map((tag) => tag ? languages.name(tag) : t("language.detect")).join(" → ");
    find("glossary-pair").textContent = `${names} · ${t("glossary.count", { count: terms.length })}`;
    setLanguage(source, from);
    setLanguage(target, to);
    for (const element of form.elements) (element as HTMLInputElement).disabled = !from;
    file.disabled = !from;
    find<HTMLButtonElement>("terms-export").disabled = find<HTMLButtonElement>("terms-clear").disabled = !terms.length;
    find("terms").replaceChildren(...terms.map(([term, translation], place) => {
        const left = make("bdi", {}, term);
        const right = make("bdi", {}, translation);
        return make("li", {}, make("span", { className: "main" }, left, " → ", right),
            button(t("remove"), () => store(current().filter((_, i) => i !== place)), t("glossary.remove", { term })));
    }));
}

async function importFile(): Promise<void> {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    try {
        store([...current(), ...readTerms(await chosen.text())]);
    } catch (error) {
        if (!(error instanceof TableError)) throw error;
        tell(t("glossary.line", { line: error.line, text: error.text.slice(0, 80) }));
    }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

form.addEventListener("submit", (event) => {
    event.preventDefault();
    const term: Term = [oneLine(source.value), oneLine(target.value)];
    if (!term[0] || !term[1]) return;
    store([...current(), term]);
    form.reset();
    source.focus();
});
file.addEventListener("change", () => void importFile());
find("terms-export").addEventListener("click", () => {
    const name = `terms-${pair.join("-")}.tsv`;
    download(name, new Blob([writeTerms(current())], { type: "text/tab-separated-values" }));
});
find("terms-clear").addEventListener("click", () => store([]));
onLanguage(showTerms);

export const onGlossary = (listener: () => void): void => { onChange = listener; };
