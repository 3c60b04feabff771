// SPDX-License-Identifier: Apache-2.0
// The two menus of languages.
import { askJson } from "./api";
import { find, make } from "./dom";
import { languageName, onLanguage, interfaceLanguage, t } from "./i18n";
import { keep, kept } from "./store";

interface ServedLanguage {
    tag: string;
    name: string;
    targets: string[];
}

const from = find<HTMLSelectElement>("from");
const to = find<HTMLSelectElement>("to");
const swapButton = find<HTMLButtonElement>("swap");

let served: ServedLanguage[] = [];
let detected = "";  // what the last text with "auto" was in
let onChange: () => void = () => undefined;

const nameOf = (tag: string): string => languageName(tag, served.find((one) => one.tag === tag)?.name ?? tag);

const sorted = (tags: string[]): string[] =>
    [...tags].sort((a, b) => nameOf(a).localeCompare(nameOf(b), interfaceLanguage()));

// A served tag for one that an address or a setting has, with or without a region.
function servedTag(given: string): string {
    const wanted = given.toLowerCase();
    return served.find((one) => one.tag.toLowerCase() === wanted)?.tag
        ?? served.find((one) => one.tag.split("-")[0]!.toLowerCase() === wanted.split("-")[0])?.tag ?? "";
}

export const languages = {
    from: (): string => from.value,
    to: (): string => to.value,
    detected: (): string => detected,
    // The language of the source, if it is known.
    source: (): string => from.value === "auto" ? detected : from.value,
    // What is chosen, as an address says it.
    chosen: (): URLSearchParams => new URLSearchParams(to.value ? { source: from.value, target: to.value } : {}),
    name: nameOf,
};

function option(tag: string): HTMLOptionElement {
    return make("option", { value: tag, textContent: nameOf(tag) });
}

function targetsOf(tag: string): string[] {
    const sources = served.filter((one) => tag === "auto" || one.tag === tag);
    const tags = new Set(sources.flatMap((one) => one.targets.filter((target) => target !== one.tag)));
    return sorted([...tags]);
}

function fill(select: HTMLSelectElement, options: HTMLOptionElement[], value: string): void {
    select.replaceChildren(...options);
    select.value = value;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
}

function showDetected(): void {
    const automatic = from.options[0];
    if (!automatic) return;
    automatic.textContent = detected && from.value === "auto"
        ? t("language.detected", { language: nameOf(detected) }) : t("language.detect");
    swapButton.disabled = languages.source() === "";
}

// Only one language may lead to what was chosen before: then it is chosen again.
function show(source: string, target: string): void {
    const automatic = make("option", { value: "auto", textContent: t("language.detect") });
    fill(from, [automatic, ...sorted(served.filter((one) => one.targets.some((tag) => tag !== one.tag))
        .map((one) => one.tag)).map(option)], source);
    fill(to, targetsOf(from.value).map(option), target);
    showDetected();
}

function changed(): void {
    keep("from", from.value);
    keep("to", to.value);
    keep("targets", [...new Set([to.value, ...kept<string[]>("targets", [])])].slice(0, 5));
    showDetected();
    onChange();
}

export function setDetected(tag: string): void {
    detected = tag;
    showDetected();
}

// A text that is in the target's language goes into the one that was chosen before, or into the reader's own.
// False: there is no other.
export function leaveTarget(): boolean {
    const targets = served.find((one) => one.tag === detected)?.targets.filter((tag) => tag !== detected) ?? [];
    const wanted = [...kept<string[]>("targets", []), ...navigator.languages.map(servedTag), ...targets];
    const other = wanted.find((tag) => targets.includes(tag));
    if (!other) return false;
    to.value = other;
    changed();
    return true;
}

export function choose(source: string, target: string): void {
    const chosen = source === "auto" ? "auto" : servedTag(source) || "auto";
    if (chosen !== "auto") detected = "";
    show(chosen, servedTag(target));
    changed();
}

export function swap(): void {
    const source = languages.source();
    if (!source) return;
    choose(to.value, source);
}

// Asks what the service translates. The address may say what to begin with.
export async function loadLanguages(wanted: URLSearchParams): Promise<void> {
    const answer = await askJson<{ languages: ServedLanguage[] }>("v1/languages");
    served = answer.languages;
    const asked = servedTag(wanted.get("source") ?? kept("from", "auto")) || "auto";
    const own = [...navigator.languages, "en"].map(servedTag).find((tag) => tag && tag !== asked) ?? "";
    show(asked, servedTag(wanted.get("target") ?? kept("to", "")) || own);
}

export const onLanguages = (listener: () => void): void => { onChange = listener; };

from.addEventListener("change", () => {
    detected = "";
    const target = to.value;
    fill(to, targetsOf(from.value).map(option), target);
    changed();
});
to.addEventListener("change", changed);
swapButton.addEventListener("click", () => document.dispatchEvent(new CustomEvent("swap")));
onLanguage(() => show(from.value, to.value));
