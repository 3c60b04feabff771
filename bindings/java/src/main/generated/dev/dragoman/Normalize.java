// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Whether vectors are divided by their lengths. */
public enum Normalize implements Numbered {
    /** As the model's files say; else off. */
    MODEL(0),
    /** As the encoder gives them. */
    OFF(1),
    /** To a length of 1, so that the product of two is their cosine. */
    ON(2);

    private final int number;

    Normalize(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
