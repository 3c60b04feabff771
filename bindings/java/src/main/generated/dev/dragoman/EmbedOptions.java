// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.Objects;

/** Which vectors. What is not set has the library's default. */
public final class EmbedOptions extends Options {
    static final int SIZE = 56;
    private static final Field[] FIELDS = {
        new Field("pooling", Kind.ENUM, 4, -1),
        new Field("normalize", Kind.ENUM, 8, -1),
        new Field("maxTokens", Kind.U32, 12, -1),
        new Field("truncate", Kind.FLAG, 16, -1),
        new Field("sourceLanguage", Kind.TEXT, 24, -1),
        new Field("targetLanguage", Kind.TEXT, 32, -1),
        new Field("progress", Kind.PROGRESS, 40, 48),
    };
    static final EmbedOptions DEFAULTS = builder().build();

    private EmbedOptions(Object[] values) {
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
        return Library.C.dragoman_embed_options_init_sized(address, SIZE);
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
