// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** How probable a model finds a translation that was given. */
public final class Score {
    private final List<String> tokens;
    private final Matrix logProbs;
    private final List<Span> ranges;

    Score(ScoresCalls scores, long pair, Places places) {
        this.tokens = scores.tokens(pair);
        this.logProbs = scores.logProbs(pair);
        this.ranges = scores.ranges(pair, places);
    }

    /**
     * The tokens that were scored, end token last.
     *
     * @return the value
     */
    public List<String> tokens() {
        return tokens;
    }

    /**
     * One row: the natural log-probability of each of them.
     *
     * @return the value
     */
    public Matrix logProbs() {
        return logProbs;
    }

    /**
     * Of a text: the place in it that each token stands for; the end's is empty.
     *
     * @return the value
     */
    public List<Span> ranges() {
        return ranges;
    }
}
