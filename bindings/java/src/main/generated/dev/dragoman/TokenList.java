// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** The tokens of a text, and the place that each of them stands for there. */
public final class TokenList {
    private final List<String> tokens;
    private final List<Span> ranges;

    TokenList(List<String> tokens, List<Span> ranges) {
        this.tokens = tokens;
        this.ranges = ranges;
    }

    /**
     * The tokens, as the model's vocabulary spells them.
     *
     * @return the value
     */
    public List<String> tokens() {
        return tokens;
    }

    /**
     * What of the text each of them stands for, in order; together they cover every character that is not white space.
     *
     * @return the value
     */
    public List<Span> ranges() {
        return ranges;
    }

    @Override
    public String toString() {
        return tokens.toString();
    }
}
