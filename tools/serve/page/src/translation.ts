// SPDX-License-Identifier: Apache-2.0
// A translation as the service tells it, and as the page works with it. Places are UTF-16 units, as in strings.

export type Range = [begin: number, end: number];

export interface ServedSentence {
    source: Range;
    target: Range;
    quality?: number;
    words?: { target: Range; quality: number }[];
    coverage?: { share: number; uncovered_words: number; uncovered?: Range };
    alignment?: { source_words: Range[]; target_words: Range[]; weights: number[][] };
}

export interface ServedTranslation {
    text: string;
    alternatives?: { text: string }[];
    sentences?: ServedSentence[];
    terms?: { source: Range; sentence: number; met: boolean }[];
}

export interface Served {
    from: string;
    to: string;
    detected?: { language: string; confidence: number };
    translations: ServedTranslation[];
}

export interface Word {
    range: Range;
    sentence: number;
    quality?: number;      // of words of a translation
    missing?: boolean;     // of words of a source: in a run that the translation does not reach
    term?: boolean;
    links: { word: Word; weight: number }[];
}

export interface Sentence {
    source: Range;
    target: Range;
    quality?: number;
}

export interface Translation {
    from: string;
    to: string;
    detected: boolean;
    source: string;
    text: string;
    sentences: Sentence[];
    sourceWords: Word[];
    targetWords: Word[];
}

// A run of words that the translation does not reach says something from this length on (docs/coverage.md).
const leastRun = 3;
// A word is linked to the one with the largest weight, and to others from this one on (docs/alignment.md).
const leastWeight = 0.4;

const inside = (inner: Range, outer: Range): boolean => inner[0] >= outer[0] && inner[1] <= outer[1];

function link(sources: Word[], targets: Word[], weights: number[][]): void {
    targets.forEach((target, row) => {
        const values = weights[row] ?? [];
        const most = Math.max(0, ...values);
        values.forEach((weight, column) => {
            const source = sources[column];
            if (!source || weight <= 0 || (weight < most && weight < leastWeight)) return;
            target.links.push({ word: source, weight });
            source.links.push({ word: target, weight });
        });
    });
}

export function read(answer: Served, source: string): Translation {
    const given = answer.translations[0]!;
    const made: Translation = {
        from: answer.from, to: answer.to, detected: answer.detected !== undefined, source, text: given.text,
        sentences: [], sourceWords: [], targetWords: [],
    };
    (given.sentences ?? []).forEach((served, sentence) => {
        const known: Sentence = { source: served.source, target: [...served.target] };
        if (served.quality !== undefined) known.quality = served.quality;
        made.sentences.push(known);
        const qualities = new Map((served.words ?? []).map((word) => [word.target[0], word.quality]));
        const run = (served.coverage?.uncovered_words ?? 0) >= leastRun ? served.coverage?.uncovered : undefined;
        const terms = (given.terms ?? []).filter((term) => term.sentence === sentence && term.met);
        const sources = (served.alignment?.source_words ?? []).map((range): Word => ({
            range: [...range], sentence, links: [], missing: run !== undefined && inside(range, run),
            term: terms.some((term) => inside(range, term.source)),
        }));
        const ranges = served.alignment?.target_words ?? (served.words ?? []).map((word) => word.target);
        const targets = ranges.map((range): Word => {
            const quality = qualities.get(range[0]);
            const word: Word = { range: [...range], sentence, links: [] };
            if (quality !== undefined) word.quality = quality;
            return word;
        });
        link(sources, targets, served.alignment?.weights ?? []);
        made.sourceWords.push(...sources);
        made.targetWords.push(...targets);
    });
    return made;
}

function segmented(text: string, language: string, begin: number, sentence: number): Word[] {
    if (!("Segmenter" in Intl)) return [];
    return [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)]
        .filter((segment) => segment.isWordLike)
        .map(({ index, segment }) => ({ range: [begin + index, begin + index + segment.length], sentence, links: [] }));
}

// Another translation takes the place of a sentence's. What was known of its words was of the one before.
export function replaceSentence(translation: Translation, index: number, text: string): void {
    const [begin, end] = translation.sentences[index]!.target;
    const shift = text.length - (end - begin);
    const move = (item: { target: Range } | { range: Range }): void => {
        const range = "target" in item ? item.target : item.range;
        if (range[0] < end) return;
        range[0] += shift;
        range[1] += shift;
    };
    translation.sentences.forEach((sentence, i) => i !== index && move(sentence));
    const source = translation.sentences[index]!.source;
    translation.sentences[index] = { source, target: [begin, begin + text.length] };
    translation.targetWords.forEach(move);
    translation.text = translation.text.slice(0, begin) + text + translation.text.slice(end);
    const others = translation.targetWords.filter((word) => word.sentence !== index);
    const place = others.findIndex((word) => word.sentence > index);
    others.splice(place < 0 ? others.length : place, 0, ...segmented(text, translation.to, begin, index));
    translation.targetWords = others;
    for (const word of translation.sourceWords) {
        if (word.sentence === index) Object.assign(word, { links: [], missing: false });
    }
}
