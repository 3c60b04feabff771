// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A part of a text in UTF-16, as String counts, or of a list. */
public final class Span {
    private final int begin;
    private final int end;

    Span(int begin, int end) {
        this.begin = begin;
        this.end = end;
    }

    /**
     * The first place, from 0.
     *
     * @return the value
     */
    public int begin() {
        return begin;
    }

    /**
     * The place after the last one.
     *
     * @return the value
     */
    public int end() {
        return end;
    }

    /**
     * What of a text it spans.
     *
     * @param text the value
     * @return the value
     */
    public String of(String text) {
        return text.substring(begin, end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Span && begin == ((Span) other).begin && end == ((Span) other).end;
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hash(begin, end);
    }

    @Override
    public String toString() {
        return "[" + begin + ", " + end + ")";
    }
}
