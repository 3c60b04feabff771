// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.Objects;

/** What a memory keeps. What is not set has the library's default. */
public final class MemoryOptions extends Options {
    static final int SIZE = 40;
    private static final Field[] FIELDS = {
        new Field("minSimilarity", Kind.F32, 4, -1),
        new Field("cacheBytes", Kind.U64, 8, -1),
        new Field("path", Kind.TEXT, 16, -1),
        new Field("fileBytes", Kind.U64, 24, -1),
        new Field("maxMatches", Kind.U32, 32, -1),
        new Field("record", Kind.FLAG, 36, -1),
    };
    static final MemoryOptions DEFAULTS = builder().build();

    private MemoryOptions(Object[] values) {
        super(values);
    }

    @Override
    Field[] fields() {
        return FIELDS;
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_memory_options_init_sized(address, SIZE);
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[FIELDS.length]);
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
