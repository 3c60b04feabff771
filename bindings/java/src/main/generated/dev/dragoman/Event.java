// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.List;

/** What has become of a sentence while its text is being translated. Sentences may come in any order. */
public final class Event {
    private final EventKind kind;
    private final long input;
    private final long sentence;
    private final String source;
    private final Span sourceSpan;
    private final String text;
    private final List<String> tokens;
    private final float score;
    private final long done;
    private final long total;

    Event(ByteBuffer raw, String given) {
        this.kind = Numbered.of(EventKind.values(), raw.getInt(Offsets.EVENT_KIND));
        this.input = raw.getLong(Offsets.EVENT_INPUT);
        this.sentence = raw.getLong(Offsets.EVENT_SENTENCE);
        this.text = Reading.string(raw, Offsets.EVENT_TEXT);
        this.tokens = Reading.tokens(raw, Offsets.EVENT_TOKENS);
        this.score = raw.getFloat(Offsets.EVENT_SCORE);
        this.done = raw.getLong(Offsets.EVENT_DONE);
        this.total = raw.getLong(Offsets.EVENT_TOTAL);
        this.sourceSpan = new Places(given).span(raw, Offsets.EVENT_SOURCE);
        this.source = sourceSpan.of(given);
    }

    /**
     * SENTENCE: it is translated; PARTIAL: the best translation so far, and the next may differ.
     *
     * @return the value
     */
    public EventKind kind() {
        return kind;
    }

    /**
     * Which of the texts, from 0.
     *
     * @return the value
     */
    public long input() {
        return input;
    }

    /**
     * Which of its sentences, from 0.
     *
     * @return the value
     */
    public long sentence() {
        return sentence;
    }

    /**
     * The sentence; empty for tokens.
     *
     * @return the value
     */
    public String source() {
        return source;
    }

    /**
     * Where it is in its text.
     *
     * @return the value
     */
    public Span sourceSpan() {
        return sourceSpan;
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
     * Its tokens; none with discardTokens.
     *
     * @return the value
     */
    public List<String> tokens() {
        return tokens;
    }

    /**
     * 0 unless returnScores was set, and of PARTIAL.
     *
     * @return the value
     */
    public float score() {
        return score;
    }

    /**
     * Sentences translated so far.
     *
     * @return the value
     */
    public long done() {
        return done;
    }

    /**
     * Of so many; 0 while that is not known.
     *
     * @return the value
     */
    public long total() {
        return total;
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
