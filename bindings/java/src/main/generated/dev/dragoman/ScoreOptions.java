// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** How to score. What is not set has the library's default. */
public final class ScoreOptions extends Options {
    static final int SIZE = 24;
    static final ScoreOptions DEFAULTS = builder().build();

    private ScoreOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_score_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, (int) ranged("maxInputLength", (Long) values[0], 0xFFFFFFFFL));
        }
        if (values[1] != null) {
            raw.putLong(8, block.text("sourceLanguage", (String) values[1]));
        }
        if (values[2] != null) {
            raw.putLong(16, block.text("targetLanguage", (String) values[2]));
        }
    }

    /** These, with the values of others where they say nothing. */
    ScoreOptions over(ScoreOptions under) {
        return new ScoreOptions(merged(values, under.values));
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
         * Tokens; longer sources and targets are cut; 0: no limit; default 1024.
         *
         * @param value the value
         * @return this
         */
        public Builder maxInputLength(long value) {
            values[0] = value;
            return this;
        }

        /**
         * BCP 47, "de", or the model's code; null or "" (default): not told.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder sourceLanguage(String value) {
            Objects.requireNonNull(value, "sourceLanguage");
            values[1] = value;
            return this;
        }

        /**
         * Likewise; null or "" (default): the source's own code, or the only one.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder targetLanguage(String value) {
            Objects.requireNonNull(value, "targetLanguage");
            values[2] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public ScoreOptions build() {
            return new ScoreOptions(values.clone());
        }
    }
}
