// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** How a job is run. What is not set has the library's default. */
public final class JobOptions extends Options {
    static final int SIZE = 32;
    static final JobOptions DEFAULTS = builder().build();

    private JobOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_job_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, (Integer) values[0]);
        }
    }

    /** These, with the values of others where they say nothing. */
    JobOptions over(JobOptions under) {
        return new JobOptions(merged(values, under.values));
    }

    boolean partial() {
        return values[1] == null ? false : (Boolean) values[1];
    }

    long ahead() {
        return values[2] == null ? 256L : (Long) values[2];
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[3]);
    }

    /**
     * Begins with these options.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        return new Builder(values.clone());
    }

    /** Sets options one by one. Not for several threads at a time. */
    public static final class Builder {
        private final Object[] values;

        private Builder(Object[] values) {
            this.values = values;
        }

        /**
         * Higher ones go first, equal ones share, short ones overtake; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder priority(int value) {
            values[0] = value;
            return this;
        }

        /**
         * Of streams: events of unfinished sentences, too; default false.
         *
         * @param value the value
         * @return this
         */
        public Builder partial(boolean value) {
            values[1] = value;
            return this;
        }

        /**
         * Of inputs that are read one after the other: how many of them, at most, are read before their translations
         * have been taken; default 256.
         *
         * @param value the value
         * @return this
         */
        public Builder ahead(long value) {
            values[2] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public JobOptions build() {
            return new JobOptions(values.clone());
        }
    }
}
