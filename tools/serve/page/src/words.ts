// SPDX-License-Identifier: Apache-2.0
// Words of the two texts as elements: the translation itself, and the mirror that lies behind the field of the source.
import type { Range, Word } from "./translation";

// A word's estimated probability below which it is marked. Right words mostly have more.
const unsure = 0.4;
const doubtful = 0.2;

const elements = new WeakMap<Word, HTMLElement>();
const words = new WeakMap<Element, Word>();

export const elementOf = (word: Word): HTMLElement | undefined => elements.get(word);
export const wordOf = (element: Element | null): Word | undefined => element ? words.get(element) : undefined;

export function marksOf(word: Word): string {
    const names = ["w"];
    if (word.quality !== undefined && word.quality < doubtful) names.push("q2");
    else if (word.quality !== undefined && word.quality < unsure) names.push("q1");
    if (word.missing) names.push("missing");
    if (word.term) names.push("term");
    return names.join(" ");
}

// Fills an element with a text whose words have elements of their own. The text content is the text, to the character.
export function showWords(element: HTMLElement, text: string, list: readonly Word[]): void {
    const parts: (Node | string)[] = [];
    let at = 0;
    for (const word of list) {
        const [begin, end]: Range = word.range;
        if (begin < at || end > text.length) continue;  // of a text that is no longer there
        if (begin > at) parts.push(text.slice(at, begin));
        const span = document.createElement("span");
        span.className = marksOf(word);
        span.textContent = text.slice(begin, end);
        elements.set(word, span);
        words.set(span, word);
        parts.push(span);
        at = end;
    }
    parts.push(text.slice(at));
    element.replaceChildren(...parts);
}

// The words that stay what they are while the source is edited behind them: those before the first change.
export function unchangedWords(list: readonly Word[], before: string, now: string): Word[] {
    let same = 0;
    while (same < before.length && before[same] === now[same]) same++;
    return list.filter((word) => word.range[1] <= same);
}
