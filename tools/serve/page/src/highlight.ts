// SPDX-License-Identifier: Apache-2.0
// Lights up a word and those that belong to it on the other side: for the pointer, the caret and the arrow keys.
import { find } from "./dom";
import { percent, t } from "./i18n";
import type { Translation, Word } from "./translation";
import { elementOf, wordOf } from "./words";

const said = find("said");
const status = find("status");
const source = find<HTMLTextAreaElement>("source");
const target = find("translation");

let translation: Translation | null = null;
let lit: HTMLElement[] = [];
let current: Word | null = null;  // of the translation, where the arrow keys are

export function setTranslation(made: Translation | null): void {
    translation = made;
    current = null;
    clear();
}

export const currentWord = (): Word | null => current;

export function clear(): void {
    for (const element of lit) element.classList.remove("on", "at");
    lit = [];
    said.textContent = "";
}

// What a word is linked to, in words.
function describe(word: Word, ofSource: boolean): string {
    if (!translation) return "";
    const own = ofSource ? translation.source : translation.text;
    const other = ofSource ? translation.text : translation.source;
    const isolate = (text: string, [begin, end]: Word["range"]): string => `\u2068${text.slice(begin, end)}\u2069`;
    const name = isolate(own, word.range);
    const others = word.links.map((one) => one.word.range).sort((a, b) => a[0] - b[0]);
    const names = others.map((range) => isolate(other, range)).join(", ");
    const parts = [names ? t("word.links", { word: name, others: names }) : t("word.alone", { word: name })];
    if (word.quality !== undefined) parts.push(t("translation.quality", { percent: percent(word.quality) }));
    return parts.join(" · ");
}

function show(word: Word, ofSource: boolean, aloud: boolean): void {
    clear();
    const own = elementOf(word);
    if (!own) return;
    own.classList.add("at");
    lit.push(own);
    for (const one of word.links) {
        const element = elementOf(one.word);
        if (!element) continue;
        element.classList.add("on");
        lit.push(element);
    }
    said.textContent = describe(word, ofSource);
    if (aloud) status.textContent = said.textContent;
}

function showAt(word: Word | undefined, ofSource: boolean): void {
    if (word) show(word, ofSource, false);
    else if (current) show(current, false, false);
    else clear();
}

// The mirror lies behind the field, so the word under the pointer is found by its place.
function underPointer(event: PointerEvent): Word | undefined {
    const hits = document.elementsFromPoint(event.clientX, event.clientY);
    return wordOf(hits.find((element) => element.matches("#mirror .w")) ?? null);
}

function atCaret(): void {
    if (document.activeElement !== source || !translation || source.value !== translation.source) return;
    const place = source.selectionStart;
    const word = translation.sourceWords.find(({ range }) => range[0] <= place && place <= range[1]);
    showAt(word, true);
}

function step(event: KeyboardEvent): void {
    const list = translation?.targetWords ?? [];
    const forward = getComputedStyle(target).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const at = current ? list.indexOf(current) : -1;
    const places: Record<string, number> = { [forward]: at + 1, [back]: at - 1, Home: 0, End: list.length - 1 };
    const place = places[event.key];
    if (place === undefined || event.altKey || event.ctrlKey || event.metaKey || !list.length) return;
    event.preventDefault();
    current = list[Math.min(list.length - 1, Math.max(0, place))]!;
    show(current, false, true);
    elementOf(current)?.scrollIntoView({ block: "nearest" });
}

target.addEventListener("pointermove", (event) => showAt(wordOf((event.target as Element).closest(".w")), false));
target.addEventListener("pointerleave", () => showAt(undefined, false));
target.addEventListener("keydown", step);
target.addEventListener("blur", () => { current = null; clear(); });
source.addEventListener("pointermove", (event) => showAt(underPointer(event), true));
source.addEventListener("pointerleave", () => showAt(undefined, true));
document.addEventListener("selectionchange", atCaret);
