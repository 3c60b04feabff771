// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** How a model is converted. What is not set has the library's default. */
public final class ConvertOptions extends Options {
    static final int SIZE = 72;
    static final ConvertOptions DEFAULTS = builder().build();

    private ConvertOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_convert_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, ((Numbered) values[0]).number());
        }
        if (values[1] != null) {
            raw.putInt(8, (Boolean) values[1] ? 1 : 0);
        }
        if (watch != null) {
            raw.putLong(16, Library.C.callback(CallbackKind.PROGRESS));
            raw.putLong(24, watch.number);
        }
        if (values[3] != null) {
            raw.putLong(32, block.text("alignmentText", (String) values[3]));
        }
        if (values[4] != null) {
            raw.putLong(40, block.text("sourceLanguage", (String) values[4]));
        }
        if (values[5] != null) {
            raw.putLong(48, block.text("targetLanguage", (String) values[5]));
        }
        if (values[6] != null) {
            raw.putLong(56, block.hold((Owner) values[6]));
        }
        if (values[7] != null) {
            raw.putLong(64, block.text("qualityPairs", (String) values[7]));
        }
    }

    /** These, with the values of others where they say nothing. */
    ConvertOptions over(ConvertOptions under) {
        return new ConvertOptions(merged(values, under.values));
    }

    Progress progress() {
        return values[2] == null ? null : (Progress) values[2];
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
         * A weightType; default WEIGHTS_KEEP.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder weightType(WeightType value) {
            Objects.requireNonNull(value, "weightType");
            values[0] = value;
            return this;
        }

        /**
         * 1: an old file of this name is replaced; default 0: that is an error.
         *
         * @param value the value
         * @return this
         */
        public Builder replace(boolean value) {
            values[1] = value;
            return this;
        }

        /**
         * Null (default): none; bytes written, on the thread that asked.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder progress(Progress value) {
            Objects.requireNonNull(value, "progress");
            values[2] = value;
            return this;
        }

        /**
         * A hundred sentences to translate, UTF-8: the file names the decoder's heads that align words best; null
         * (default): those that the model names.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder alignmentText(String value) {
            Objects.requireNonNull(value, "alignmentText");
            values[3] = value;
            return this;
        }

        /**
         * Of both texts, as in translateOptions; null (default): not told.
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
         * Likewise; null (default): the only one.
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
         * To translate these texts on; null (default): the default device.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder device(Device value) {
            Objects.requireNonNull(value, "device");
            values[6] = value;
            return this;
        }

        /**
         * 200 lines or more, UTF-8: a source, a tab, its translation by a person, and behind another tab the target
         * language, if it is another one: the file has weights of quality estimates for this model (docs/quality.md);
         * default: none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder qualityPairs(String value) {
            Objects.requireNonNull(value, "qualityPairs");
            values[7] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public ConvertOptions build() {
            return new ConvertOptions(values.clone());
        }
    }
}
