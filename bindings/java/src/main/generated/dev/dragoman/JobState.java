// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What has become of a job. */
public enum JobState implements Numbered {
    /** None of its sentences is at work yet. */
    WAITING(0),
    /** Some of its sentences are at work or done. */
    RUNNING(1),
    /** Ended with a result. */
    DONE(2),
    /** Ended with an error. */
    FAILED(3),
    /** Ended because somebody asked for it. */
    CANCELLED(4);

    private final int number;

    JobState(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
