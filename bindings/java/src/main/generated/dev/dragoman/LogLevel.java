// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Levels of a log line; a lower number is more urgent. */
public enum LogLevel implements Numbered {
    /** Faults that no call can report, such as a callback that threw. */
    ERROR(0),
    /** Something that was asked for is missing, such as the validation layer. */
    WARNING(1),
    /** A changed choice, such as fewer sentences at a time because memory is short. */
    INFO(2),
    /** The device, caches, tuning, and parts of a model's files that are not used. */
    DEBUG(3);

    private final int number;

    LogLevel(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
