// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Which vectors. What is not set has the library's default. */
public final class EmbedOptions extends Options {
    static final int SIZE = 56;
    static final EmbedOptions DEFAULTS = builder().build();

    private EmbedOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_embed_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, ((Numbered) values[0]).number());
        }
        if (values[1] != null) {
            raw.putInt(8, ((Numbered) values[1]).number());
        }
        if (values[2] != null) {
            raw.putInt(12, (int) ranged("maxTokens", (Long) values[2], 0xFFFFFFFFL));
        }
        if (values[3] != null) {
            raw.putInt(16, (Boolean) values[3] ? 1 : 0);
        }
        if (values[4] != null) {
            raw.putLong(24, block.text("sourceLanguage", (String) values[4]));
        }
        if (values[5] != null) {
            raw.putLong(32, block.text("targetLanguage", (String) values[5]));
        }
        if (watch != null) {
            raw.putLong(40, Library.C.callback(CallbackKind.PROGRESS));
            raw.putLong(48, watch.number);
        }
    }

    /** These, with the values of others where they say nothing. */
    EmbedOptions over(EmbedOptions under) {
        return new EmbedOptions(merged(values, under.values));
    }

    Progress progress() {
        return values[6] == null ? null : (Progress) values[6];
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[7]);
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
         * Pooling.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder pooling(Pooling value) {
            Objects.requireNonNull(value, "pooling");
            values[0] = value;
            return this;
        }

        /**
         * Normalize.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder normalize(Normalize value) {
            Objects.requireNonNull(value, "normalize");
            values[1] = value;
            return this;
        }

        /**
         * Of a text, with those around it; 0 (default): as many as the model takes.
         *
         * @param value the value
         * @return this
         */
        public Builder maxTokens(long value) {
            values[2] = value;
            return this;
        }

        /**
         * 1: a longer text is cut; 0 (default): it is an error.
         *
         * @param value the value
         * @return this
         */
        public Builder truncate(boolean value) {
            values[3] = value;
            return this;
        }

        /**
         * As in translateOptions, for models that tell their encoder.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder sourceLanguage(String value) {
            Objects.requireNonNull(value, "sourceLanguage");
            values[4] = value;
            return this;
        }

        /**
         * Likewise.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder targetLanguage(String value) {
            Objects.requireNonNull(value, "targetLanguage");
            values[5] = value;
            return this;
        }

        /**
         * Counts texts, on the calling thread; default: none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder progress(Progress value) {
            Objects.requireNonNull(value, "progress");
            values[6] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public EmbedOptions build() {
            return new EmbedOptions(values.clone());
        }
    }
}
