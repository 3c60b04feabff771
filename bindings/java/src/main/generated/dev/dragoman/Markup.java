// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What a text is beside words. Its tags stay as they are, and what stands in them is translated (docs/markup.md). */
public enum Markup implements Numbered {
    /** Words only. */
    NONE(0),
    /** A page or a part of one; what is broken is read as browsers do. */
    HTML(1),
    /** A document; one that is not well-formed is an error. */
    XML(2);

    private final int number;

    Markup(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
