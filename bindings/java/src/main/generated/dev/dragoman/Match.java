// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** A segment of a translation memory that is like a sentence. */
public final class Match {
    private final float similarity;
    private final String source;
    private final String target;

    Match(ByteBuffer raw) {
        this.similarity = raw.getFloat(Offsets.MATCH_SIMILARITY);
        this.source = Reading.string(raw, Offsets.MATCH_SOURCE);
        this.target = Reading.string(raw, Offsets.MATCH_TARGET);
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
