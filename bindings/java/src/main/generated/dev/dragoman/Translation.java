// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** The translation of one input: its hypotheses, and what the best of them has. */
public final class Translation {
    private final String source;
    private final String plainSource;
    private final List<String> sourceTokens;
    private final List<Span> sourceRanges;
    private final List<Hypothesis> hypotheses;

    Translation(ResultCalls result, long input, String source) {
        this.source = source;
        this.sourceTokens = result.sourceTokens(input);
        var places = new Places(Reading.plain(result.plainSource(input), () -> source));
        this.plainSource = places.text;
        this.sourceRanges = result.sourceRanges(input, places);
        this.hypotheses = Reading.list(result.hypothesisCount(input), rank -> new Hypothesis(result, input, rank, places));
    }

    /**
     * The text that was given; empty for tokens.
     *
     * @return the value
     */
    public String source() {
        return source;
    }

    /**
     * What all spans of sources are places in: the source; with markup its texts without tags.
     *
     * @return the value
     */
    public String plainSource() {
        return plainSource;
    }

    /**
     * The tokens of the source.
     *
     * @return the value
     */
    public List<String> sourceTokens() {
        return sourceTokens;
    }

    /**
     * What of the plain source each of them stands for; none for an input of tokens.
     *
     * @return the value
     */
    public List<Span> sourceRanges() {
        return sourceRanges;
    }

    /**
     * At least one, the best first.
     *
     * @return the value
     */
    public List<Hypothesis> hypotheses() {
        return hypotheses;
    }

    /**
     * The best hypothesis.
     *
     * @return the value
     */
    public Hypothesis best() {
        return hypotheses.get(0);
    }

    /**
     * The text of the best one.
     *
     * @return the value
     */
    public String text() {
        return best().text();
    }

    /**
     * The sentences of the best one.
     *
     * @return the value
     */
    public List<Sentence> sentences() {
        return best().sentences();
    }

    @Override
    public String toString() {
        return best().toString();
    }
}
