// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** What a memory keeps. What is not set has the library's default. */
public final class MemoryOptions extends Options {
    static final int SIZE = 40;
    static final MemoryOptions DEFAULTS = builder().build();

    private MemoryOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_memory_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putFloat(4, ((Double) values[0]).floatValue());
        }
        if (values[1] != null) {
            raw.putLong(8, ranged("cacheBytes", (Long) values[1], Long.MAX_VALUE));
        }
        if (values[2] != null) {
            raw.putLong(16, block.text("path", (String) values[2]));
        }
        if (values[3] != null) {
            raw.putLong(24, ranged("fileBytes", (Long) values[3], Long.MAX_VALUE));
        }
        if (values[4] != null) {
            raw.putInt(32, (int) ranged("maxMatches", (Long) values[4], 0xFFFFFFFFL));
        }
        if (values[5] != null) {
            raw.putInt(36, (Boolean) values[5] ? 1 : 0);
        }
    }

    /** These, with the values of others where they say nothing. */
    MemoryOptions over(MemoryOptions under) {
        return new MemoryOptions(merged(values, under.values));
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[6]);
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
         * Of segments that are offered; more than 0, at most 1; default 0.75.
         *
         * @param value the value
         * @return this
         */
        public Builder minSimilarity(double value) {
            values[0] = value;
            return this;
        }

        /**
         * Most bytes of answers in memory; 0: none; default 67108864.
         *
         * @param value the value
         * @return this
         */
        public Builder cacheBytes(long value) {
            values[1] = value;
            return this;
        }

        /**
         * File of SQLite that keeps answers, made if there is none; null or "" (default): none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder path(String value) {
            Objects.requireNonNull(value, "path");
            values[2] = value;
            return this;
        }

        /**
         * Most bytes of answers in it, about; default 1073741824.
         *
         * @param value the value
         * @return this
         */
        public Builder fileBytes(long value) {
            values[3] = value;
            return this;
        }

        /**
         * Segments that are offered for a sentence; 0: none; default 3.
         *
         * @param value the value
         * @return this
         */
        public Builder maxMatches(long value) {
            values[4] = value;
            return this;
        }

        /**
         * 1: keep translations for memoryWriteTmx(); default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder record(boolean value) {
            values[5] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public MemoryOptions build() {
            return new MemoryOptions(values.clone());
        }
    }
}
