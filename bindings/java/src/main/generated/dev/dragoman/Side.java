// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** The side of a translation. */
public enum Side implements Numbered {
    /** What is translated. */
    SOURCE(0),
    /** The translation. */
    TARGET(1);

    private final int number;

    Side(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
