// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** A job at the moment of the call. */
public final class JobInfo {
    static final int SIZE = 32;
    private final JobState state;
    private final Status status;
    private final long done;
    private final long total;

    JobInfo(ByteBuffer raw) {
        state = Numbered.of(JobState.values(), raw.getInt(4));
        status = Numbered.of(Status.values(), raw.getInt(8));
        done = raw.getLong(16);
        total = raw.getLong(24);
    }

    /**
     * A jobState.
     *
     * @return the value
     */
    public JobState state() {
        return state;
    }

    /**
     * How it ended; OK while it has not.
     *
     * @return the value
     */
    public Status status() {
        return status;
    }

    /**
     * As in event.
     *
     * @return the value
     */
    public long done() {
        return done;
    }

    /**
     * 0 until the sentences are known.
     *
     * @return the value
     */
    public long total() {
        return total;
    }
}
