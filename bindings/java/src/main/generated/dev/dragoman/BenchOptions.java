// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** What to measure. What is not set has the library's default. */
public final class BenchOptions extends Options {
    static final int SIZE = 40;
    static final BenchOptions DEFAULTS = builder().build();

    private BenchOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_bench_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, (int) ranged("repeat", (Long) values[0], 0xFFFFFFFFL));
        }
        if (values[1] != null) {
            raw.putInt(8, (int) ranged("latencySamples", (Long) values[1], 0xFFFFFFFFL));
        }
        if (values[2] != null) {
            raw.putInt(12, (int) ranged("syntheticSentences", (Long) values[2], 0xFFFFFFFFL));
        }
        if (values[3] != null) {
            raw.putInt(16, (int) ranged("syntheticTokens", (Long) values[3], 0xFFFFFFFFL));
        }
        if (values[4] != null) {
            raw.putInt(20, (int) ranged("seed", (Long) values[4], 0xFFFFFFFFL));
        }
        if (values[5] != null) {
            raw.putInt(24, (Boolean) values[5] ? 1 : 0);
        }
        if (values[6] != null) {
            raw.putInt(28, (Boolean) values[6] ? 1 : 0);
        }
        if (values[7] != null) {
            raw.putLong(32, ((Options) values[7]).write(block, null).address);
        }
    }

    /** These, with the values of others where they say nothing. */
    BenchOptions over(BenchOptions under) {
        return new BenchOptions(merged(values, under.values));
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[8]);
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
         * Timed runs after one that warms up; default 5.
         *
         * @param value the value
         * @return this
         */
        public Builder repeat(long value) {
            values[0] = value;
            return this;
        }

        /**
         * Inputs translated alone, taken in turn; default 32; 0: none.
         *
         * @param value the value
         * @return this
         */
        public Builder latencySamples(long value) {
            values[1] = value;
            return this;
        }

        /**
         * Where there are no inputs: sentences of random words; default 32.
         *
         * @param value the value
         * @return this
         */
        public Builder syntheticSentences(long value) {
            values[2] = value;
            return this;
        }

        /**
         * Their length; default 25.
         *
         * @param value the value
         * @return this
         */
        public Builder syntheticTokens(long value) {
            values[3] = value;
            return this;
        }

        /**
         * Of the random words; default 1.
         *
         * @param value the value
         * @return this
         */
        public Builder seed(long value) {
            values[4] = value;
            return this;
        }

        /**
         * The best the device can do; default 1.
         *
         * @param value the value
         * @return this
         */
        public Builder ceilings(boolean value) {
            values[5] = value;
            return this;
        }

        /**
         * The device's time by pass, where it has timestamps; default 1.
         *
         * @param value the value
         * @return this
         */
        public Builder passes(boolean value) {
            values[6] = value;
            return this;
        }

        /**
         * Which device to open for it; null (default): the defaults.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder device(DeviceOptions value) {
            Objects.requireNonNull(value, "device");
            values[7] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public BenchOptions build() {
            return new BenchOptions(values.clone());
        }
    }
}
