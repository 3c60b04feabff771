// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** A sentence of a text, or a part of one that was too long, and its translation. */
public final class Sentence {
    private final String source;
    private final Span sourceSpan;
    private final Span sourceTokenSpan;
    private final String text;
    private final Span targetSpan;
    private final Span targetTokenSpan;
    private final float score;
    private final float quality;
    private final String language;
    private final float languageProbability;
    private final Set<SentenceFlag> flags;
    private final List<WordScore> wordQuality;
    private final List<Term> terms;
    private final List<Match> matches;
    private final Matrix attention;
    private final WordAlignment alignment;

    Sentence(ByteBuffer raw, ResultCalls result, long input, long rank, long place, Places source, Places target) {
        this.sourceSpan = source.span(raw, Offsets.SENTENCE_SOURCE_BEGIN);
        this.sourceTokenSpan = Reading.span(raw, Offsets.SENTENCE_SOURCE_TOKEN_BEGIN);
        this.targetSpan = target.span(raw, Offsets.SENTENCE_TARGET_BEGIN);
        this.targetTokenSpan = Reading.span(raw, Offsets.SENTENCE_TARGET_TOKEN_BEGIN);
        this.score = raw.getFloat(Offsets.SENTENCE_SCORE);
        this.quality = raw.getFloat(Offsets.SENTENCE_QUALITY);
        this.language = Reading.cText(raw.getLong(Offsets.SENTENCE_LANGUAGE));
        this.languageProbability = raw.getFloat(Offsets.SENTENCE_LANGUAGE_PROBABILITY);
        this.flags = Numbered.ofBits(SentenceFlag.class, raw.getInt(Offsets.SENTENCE_FLAGS));
        this.source = sourceSpan.of(source.text);
        this.text = targetSpan.of(target.text);
        this.alignment = new WordAlignment(result, input, rank, place, source, target);
        this.wordQuality = Reading.words(result.wordQuality(input, rank, place), alignment.targetSpans());
        this.terms = Reading.list(result.termCount(input, rank, place), term -> result.term(input, rank, place, term, at -> new Term(at, source)));
        this.matches = Reading.list(result.matchCount(input, place), match -> result.match(input, place, match, Match::new));
        this.attention = result.sentenceAttention(input, rank, place);
    }

    /**
     * The sentence.
     *
     * @return the value
     */
    public String source() {
        return source;
    }

    /**
     * Where it is in the plain source.
     *
     * @return the value
     */
    public Span sourceSpan() {
        return sourceSpan;
    }

    /**
     * Its tokens among the source tokens.
     *
     * @return the value
     */
    public Span sourceTokenSpan() {
        return sourceTokenSpan;
    }

    /**
     * The translation.
     *
     * @return the value
     */
    public String text() {
        return text;
    }

    /**
     * Where it is in the hypothesis's plain text.
     *
     * @return the value
     */
    public Span targetSpan() {
        return targetSpan;
    }

    /**
     * Its tokens among the hypothesis's.
     *
     * @return the value
     */
    public Span targetTokenSpan() {
        return targetTokenSpan;
    }

    /**
     * 0 unless returnScores was set.
     *
     * @return the value
     */
    public float score() {
        return score;
    }

    /**
     * How good the translation probably is, 0 to 1; 0 unless returnQuality was set.
     *
     * @return the value
     */
    public float quality() {
        return quality;
    }

    /**
     * As BCP 47 has it, with sourceLanguage "auto"; else empty.
     *
     * @return the value
     */
    public String language() {
        return language;
    }

    /**
     * Of that language; 0 to 1.
     *
     * @return the value
     */
    public float languageProbability() {
        return languageProbability;
    }

    /**
     * What a reader should know of it.
     *
     * @return the value
     */
    public Set<SentenceFlag> flags() {
        return flags;
    }

    /**
     * How probable it is that each word of the translation is right; none unless returnQuality was set.
     *
     * @return the value
     */
    public List<WordScore> wordQuality() {
        return wordQuality;
    }

    /**
     * Terms of the glossary that it has.
     *
     * @return the value
     */
    public List<Term> terms() {
        return terms;
    }

    /**
     * Segments of the memory that are like it, the most similar first.
     *
     * @return the value
     */
    public List<Match> matches() {
        return matches;
    }

    /**
     * Rows are target tokens, columns source tokens; none unless returnAttention was set.
     *
     * @return the value
     */
    public Matrix attention() {
        return attention;
    }

    /**
     * Which words belong together; none unless returnAlignment was set.
     *
     * @return the value
     */
    public WordAlignment alignment() {
        return alignment;
    }

    @Override
    public String toString() {
        return text;
    }
}
