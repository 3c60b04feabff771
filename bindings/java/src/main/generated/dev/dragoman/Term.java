// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A term of the glossary that a sentence has. */
public final class Term {
    private final Span sourceSpan;
    private final boolean met;

    Term(Span sourceSpan, boolean met) {
        this.sourceSpan = sourceSpan;
        this.met = met;
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
