// SPDX-License-Identifier: Apache-2.0
// The page's own texts, in the reader's language.
import ar from "./texts/ar.json";
import de from "./texts/de.json";
import en from "./texts/en.json";
import es from "./texts/es.json";
import fr from "./texts/fr.json";
import { direction } from "./dom";
import { keep, kept } from "./store";

type Key = keyof typeof en;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
type Table = Record<Key, string | Forms>;

const tables: Record<string, Table> = { en, de, fr, es, ar };
export const interfaceLanguages = Object.keys(tables).map((code) => ({ code, name: String(tables[code]!.name) }));

function preferred(): string {
    const asked = [kept("language", ""), ...navigator.languages].map((tag) => tag.split("-")[0]!.toLowerCase());
    return asked.find((code) => code in tables) ?? "en";
}

let language = preferred();
let plurals = new Intl.PluralRules(language);
let names = new Intl.DisplayNames([language], { type: "language", languageDisplay: "standard" });
let numbers = new Intl.NumberFormat(language);
const listeners = new Set<() => void>();

export const interfaceLanguage = (): string => language;

// A text, with values in the places of their names. `count` chooses the form of the plural.
export function t(key: Key, values: Record<string, string | number> = {}): string {
    const entry = tables[language]![key];
    const count = Number(values.count);
    const pattern = typeof entry === "string" ? entry : entry[plurals.select(count)] ?? entry.other ?? "";
    return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? "";
        return typeof value === "number" ? numbers.format(value) : value;
    });
}

export const has = (key: string): key is Key => key in en;

export function languageName(code: string, fallback = code): string {
    try {
        const name = names.of(code);
        return name && name !== code ? name.charAt(0).toLocaleUpperCase(language) + name.slice(1) : fallback;
    } catch {
        return fallback;
    }
}

export const percent = (share: number): string =>
    new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);

export const number = (value: number): string => numbers.format(value);

export function bytes(count: number): string {
    const mebibytes = count / 2 ** 20;
    const maximumFractionDigits = mebibytes < 10 ? 1 : 0;
    const form = new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits });
    return form.format(mebibytes);
}

// "3 minutes": no finer than anybody can tell beforehand.
export function duration(seconds: number): string {
    const minutes = seconds >= 90;
    const value = minutes ? Math.round(seconds / 60) : Math.max(1, Math.round(seconds));
    const unit = minutes ? "minute" : "second";
    return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

// Writes the texts into the page: data-t is an element's text, data-t-label its name, data-t-placeholder a hint.
export function showTexts(root: ParentNode = document): void {
    for (const element of root.querySelectorAll<HTMLElement>("[data-t]")) {
        element.textContent = t(element.dataset.t as Key);
    }
    for (const element of root.querySelectorAll<HTMLElement>("[data-t-label]")) {
        const label = t(element.dataset.tLabel as Key);
        element.setAttribute("aria-label", label);
        if (element.matches("button")) element.title = label;
    }
    for (const element of root.querySelectorAll<HTMLInputElement>("[data-t-placeholder]")) {
        element.placeholder = t(element.dataset.tPlaceholder as Key);
    }
}

function apply(): void {
    document.documentElement.lang = language;
    document.documentElement.dir = direction(language);
    showTexts();
}

export function setInterfaceLanguage(code: string): void {
    if (!(code in tables)) return;
    language = code;
    plurals = new Intl.PluralRules(code);
    names = new Intl.DisplayNames([code], { type: "language", languageDisplay: "standard" });
    numbers = new Intl.NumberFormat(code);
    keep("language", code);
    apply();
    for (const listener of listeners) listener();
}

// Called after the language of the page has changed. What comes back ends that.
export function onLanguage(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

apply();
