// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What an event tells. */
public enum EventKind implements Numbered {
    /** The best translation so far of a sentence at work; the next may differ. */
    PARTIAL(0),
    /** A sentence is translated. */
    SENTENCE(1),
    /** The job has ended: the last event. */
    END(2);

    private final int number;

    EventKind(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
