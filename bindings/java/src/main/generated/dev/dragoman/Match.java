// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A segment of a translation memory that is like a sentence. */
public final class Match {
    private final float similarity;
    private final String source;
    private final String target;

    Match(float similarity, String source, String target) {
        this.similarity = similarity;
        this.source = source;
        this.target = target;
    }

    /**
     * 1 - edits / number of words of the longer one; 1: equal.
     *
     * @return the value
     */
    public float similarity() {
        return similarity;
    }

    /**
     * The segment.
     *
     * @return the value
     */
    public String source() {
        return source;
    }

    /**
     * Its translation.
     *
     * @return the value
     */
    public String target() {
        return target;
    }
}
