// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What ends a search of Hugging Face's once as many hypotheses as beams have finished. */
public enum EarlyStopping implements Numbered {
    /** As the model says. */
    AUTO(0),
    /** The best live beam scores worse than all of them. */
    OFF(1),
    /** Nothing else. */
    ON(2),
    /** Even at the longest length the best live beam would score worse. */
    NEVER(3);

    private final int number;

    EarlyStopping(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
