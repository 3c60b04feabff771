// SPDX-License-Identifier: Apache-2.0
// The pane of the translation, and the mirror behind the source.
import { find, setLanguage } from "./dom";
import { onLanguage, t } from "./i18n";
import { setTranslation } from "./highlight";
import type { Piece } from "./live";
import type { Translation } from "./translation";
import { showWords, unchangedWords } from "./words";

const source = find<HTMLTextAreaElement>("source");
const mirror = find("mirror");
const target = find("translation");
const sure = find("sure");

let shown: Translation | null = null;
let text = "";  // what stands in the pane
let whole = true;  // what stands there is `shown`

export const translation = (): Translation | null => whole ? shown : null;
export const translatedText = (): string => text;

// The field is as tall as its mirror, which needs a character after the last line break.
export function showSource(language: string): void {
    const words = shown ? unchangedWords(shown.sourceWords, shown.source, source.value) : [];
    showWords(mirror, source.value, words);
    mirror.append("\n");
    for (const element of [source, mirror]) setLanguage(element, language);
    if (!source.value) source.dir = document.documentElement.dir;
}

// Scores of sentences estimate chrF, whose numbers mislead: good translations have 0.5. A tenth of them has less than
// the first bound, half of them less than the second (docs/quality.md). A text is as sure as its weakest sentence.
const levels = [["level.low", 0.36], ["level.medium", 0.49], ["level.high", Infinity]] as const;

function showQuality(): void {
    const scores = (shown?.sentences ?? []).flatMap((sentence) => sentence.quality ?? []);
    const level = levels.find(([, bound]) => Math.min(...scores) < bound);
    sure.textContent = scores.length && level ? t("translation.level", { level: t(level[0]) }) : "";
}

export function show(made: Translation): void {
    shown = made;
    whole = true;
    text = made.text;
    setTranslation(made);
    setLanguage(target, made.to);
    showWords(target, made.text, made.targetWords);
    showQuality();
    find("legend-term").hidden = !made.sourceWords.some((word) => word.term);
}

// What stands between two sentences of the source, as far as it matters to a reader.
function between(before: Piece | undefined, next: Piece | undefined, asked: string): string {
    if (!before || !next) return " ";
    const gap = asked.slice(before.source[1], next.source[0]);
    return gap.includes("\n") ? gap.replace(/[^\n]/g, "") : gap && " ";
}

// Sentences as they come; what they have not reached yet of the translation before stays behind them, in pale ink.
export function showPieces(pieces: readonly (Piece | undefined)[], asked: string, to: string): void {
    const old = shown && shown.to === to ? shown : null;
    const parts: (Node | string)[] = [];
    whole = false;
    text = "";
    const add = (piece: string, name: string): void => {
        const span = document.createElement("span");
        span.className = name;
        span.textContent = piece;
        parts.push(name ? span : piece);
        text += piece;
    };
    pieces.forEach((piece, i) => {
        if (i > 0) add(between(pieces[i - 1], piece, asked), "");
        if (piece) add(piece.text, piece.done ? "" : "partial");
    });
    const rest = old?.sentences[pieces.length];
    if (old && rest) add(" " + old.text.slice(rest.target[0]), "stale");
    setTranslation(null);
    setLanguage(target, to);
    target.replaceChildren(...parts);
}

export function clearOutput(): void {
    shown = null;
    whole = true;
    text = "";
    setTranslation(null);
    target.replaceChildren();
    showQuality();
}

onLanguage(showQuality);
