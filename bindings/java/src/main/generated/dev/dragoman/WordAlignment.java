// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Words of a sentence and of its translation, and how much they belong together. */
public final class WordAlignment {
    private final List<Span> sourceSpans;
    private final List<Span> targetSpans;
    private final Matrix weights;

    WordAlignment(ResultCalls result, long input, long rank, long place, Places source, Places target) {
        this.sourceSpans = result.sourceWords(input, rank, place, source);
        this.targetSpans = result.targetWords(input, rank, place, target);
        this.weights = result.sentenceAlignment(input, rank, place);
    }

    /**
     * Words in the plain source; none unless returnAlignment was set.
     *
     * @return the value
     */
    public List<Span> sourceSpans() {
        return sourceSpans;
    }

    /**
     * Words in the hypothesis's plain text.
     *
     * @return the value
     */
    public List<Span> targetSpans() {
        return targetSpans;
    }

    /**
     * Rows are target words, columns source words. The weights of a row add up to 1.
     *
     * @return the value
     */
    public Matrix weights() {
        return weights;
    }
}
