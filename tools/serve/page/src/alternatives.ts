// SPDX-License-Identifier: Apache-2.0
// Other translations of a sentence, at the place of a click.
import { askJson } from "./api";
import { button, find, make, setLanguage } from "./dom";
import { clear } from "./highlight";
import { t } from "./i18n";
import { describe } from "./notice";
import { show, translation } from "./output";
import { replaceSentence, type Served, type Translation } from "./translation";
import { wordOf } from "./words";

const box = find("choices");
const list = find("choices-list");
const sourceText = find("choices-source");
const target = find("translation");
const status = find("status");

let request: AbortController | null = null;
let of: Translation | null = null;  // what the box is about
let back: HTMLElement | null = null;
let onChosen: (made: Translation) => void = () => undefined;

export function closeChoices(): void {
    request?.abort();
    if (box.hidden) return;
    box.hidden = true;
    if (box.contains(document.activeElement)) back?.focus();
}

// What it shows is of a text that is no longer there.
export function closeOutdatedChoices(): void {
    if (!box.hidden && of !== translation()) closeChoices();
}

// The words of a text that another one does not have at that place are marked.
function withDifference(text: string, other: string): DocumentFragment {
    const [words, others] = [text, other].map((one) => one.split(/(?<=\s)/)) as [string[], string[]];
    let begin = 0;
    while (begin < Math.min(words.length, others.length) && words[begin] === others[begin]) begin++;
    let end = 0;
    const rest = Math.min(words.length, others.length) - begin;
    while (end < rest && words[words.length - 1 - end]!.trim() === others[others.length - 1 - end]!.trim()) end++;
    const fragment = document.createDocumentFragment();
    fragment.append(words.slice(0, begin).join(""));
    const middle = words.slice(begin, words.length - end).join("");
    if (middle) fragment.append(make("mark", { textContent: middle }));
    fragment.append(words.slice(words.length - end).join(""));
    return fragment;
}

function place(x: number, y: number): void {
    const width = box.offsetWidth;
    const left = Math.max(16, Math.min(x - width / 3, document.documentElement.clientWidth - width - 16));
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${y + scrollY + 10}px`;
}

function choose(made: Translation, sentence: number, text: string): void {
    replaceSentence(made, sentence, text);
    show(made);
    status.textContent = t("choices.chosen", { text });
    closeChoices();
    target.focus();
    onChosen(made);
}

function fill(made: Translation, sentence: number, texts: string[]): void {
    const [begin, end] = made.sentences[sentence]!.target;
    const present = made.text.slice(begin, end);
    const items = [...new Set([present, ...texts])].map((text) => {
        const item = button("", () => choose(made, sentence, text));
        item.append(withDifference(text, present));
        setLanguage(item, made.to);
        if (text === present) item.setAttribute("aria-current", "true");
        return make("li", {}, item);
    });
    list.replaceChildren(...items);
    if (items.length === 1) list.append(make("li", { className: "pale", textContent: t("choices.none") }));
    list.querySelector<HTMLElement>("button:not([aria-current]), button")?.focus();
}

export async function showChoices(made: Translation, sentence: number, x: number, y: number): Promise<void> {
    request?.abort();
    const own = request = new AbortController();
    of = made;
    back = target;
    const [begin, end] = made.sentences[sentence]!.source;
    const text = made.source.slice(begin, end);
    sourceText.textContent = text;
    setLanguage(sourceText, made.from);
    list.replaceChildren(make("li", { className: "pale", textContent: t("choices.waiting") }));
    clear();
    box.hidden = false;
    box.tabIndex = -1;
    place(x, y);
    box.focus({ preventScroll: true });
    try {
        const body = { text, from: made.from, to: made.to, alternatives: 5 };
        const answer = await askJson<Served>("v1/translate", { method: "POST", body, signal: own.signal });
        const given = answer.translations[0]!;
        fill(made, sentence, [given.text, ...(given.alternatives ?? []).map((one) => one.text)]);
    } catch (error) {
        if (own.signal.aborted) return;
        list.replaceChildren(make("li", {}, describe(error), " ",
            button(t("retry"), () => void showChoices(made, sentence, x, y))));
    }
}

export const onChoice = (listener: (made: Translation) => void): void => { onChosen = listener; };

// The place in a text that a point of the window is at: by the standard, and by what browsers had before.
function caretAt(x: number, y: number): [Node | null, number] {
    const position = document.caretPositionFromPoint?.(x, y);
    if (position) return [position.offsetNode, position.offset];
    const range = document.caretRangeFromPoint?.(x, y);
    return range ? [range.startContainer, range.startOffset] : [null, 0];
}

// A click between words means the sentence there.
function sentenceAt(made: Translation, event: MouseEvent): number {
    const word = wordOf((event.target as Element).closest(".w"));
    if (word) return word.sentence;
    const [node, offset] = caretAt(event.clientX, event.clientY);
    if (!node || !target.contains(node)) return -1;
    const before = document.createRange();
    before.setStart(target, 0);
    before.setEnd(node, offset);
    const at = before.toString().length;
    return made.sentences.findIndex((one) => one.target[0] <= at && at <= one.target[1]);
}

target.addEventListener("click", (event) => {
    const made = translation();
    if (!made || getSelection()?.toString()) return;
    const sentence = sentenceAt(made, event);
    if (sentence >= 0) void showChoices(made, sentence, event.clientX, event.clientY);
});
document.addEventListener("pointerdown", (event) => {
    if (!box.contains(event.target as Node) && !target.contains(event.target as Node)) closeChoices();
});
box.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step || !buttons.length) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]!.focus();
});
