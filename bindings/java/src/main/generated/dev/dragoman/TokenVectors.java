// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** The vectors that an encoder made of a text's tokens. */
public final class TokenVectors {
    private final TokenList tokens;
    private final Matrix vectors;

    TokenVectors(VectorsCalls vectors, long place, Places places) {
        this.tokens = new TokenList(vectors.tokens(place), vectors.ranges(place, places));
        this.vectors = vectors.get(place);
    }

    /**
     * The tokens, with those around the text.
     *
     * @return the value
     */
    public TokenList tokens() {
        return tokens;
    }

    /**
     * A row for each of them.
     *
     * @return the value
     */
    public Matrix vectors() {
        return vectors;
    }
}
