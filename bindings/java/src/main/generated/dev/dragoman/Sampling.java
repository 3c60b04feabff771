// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Whether tokens are drawn by their probabilities, instead of the most probable ones taken. */
public enum Sampling implements Numbered {
    /** As the model says. */
    AUTO(0),
    /** Beam search, or greedy search. */
    OFF(1),
    /** Drawn; beamSize is 1. */
    ON(2);

    private final int number;

    Sampling(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
