// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** A term of the glossary that a sentence has. */
public final class Term {
    private final Span sourceSpan;
    private final boolean met;

    Term(ByteBuffer raw, Places source) {
        this.sourceSpan = source.span(raw, Offsets.TERM_SOURCE_BEGIN);
        this.met = raw.getInt(Offsets.TERM_MET) != 0;
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
     * Whether the translation has what it must become.
     *
     * @return the value
     */
    public boolean met() {
        return met;
    }
}
