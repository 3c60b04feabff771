// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** How probable it is that a word of a translation is right. */
public final class WordScore {
    private final Span span;
    private final float score;

    WordScore(Span span, float score) {
        this.span = span;
        this.score = score;
    }

    /**
     * The word, in the hypothesis's plain text.
     *
     * @return the value
     */
    public Span span() {
        return span;
    }

    /**
     * 0 to 1.
     *
     * @return the value
     */
    public float score() {
        return score;
    }
}
