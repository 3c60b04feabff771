// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** How a model is loaded. What is not set has the library's default. */
public final class ModelOptions extends Options {
    static final int SIZE = 56;
    static final ModelOptions DEFAULTS = builder().build();

    private ModelOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_model_options_init_sized(address, SIZE);
    }

    @Override
    @SuppressWarnings("unchecked")
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, ((Numbered) values[0]).number());
        }
        if (values[1] != null) {
            raw.putLong(8, block.hold((Owner) values[1]));
        }
        if (values[2] != null) {
            raw.putLong(16, block.strings("moreModels", (List<String>) values[2]));
            raw.putLong(24, ((List<?>) values[2]).size());
        }
        if (values[3] != null) {
            raw.putLong(32, block.floats((float[]) values[3]));
            raw.putLong(40, ((float[]) values[3]).length);
        }
        if (values[4] != null) {
            raw.putInt(48, (Boolean) values[4] ? 1 : 0);
        }
    }

    /** These, with the values of others where they say nothing. */
    ModelOptions over(ModelOptions under) {
        return new ModelOptions(merged(values, under.values));
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[5]);
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
         * A computeType; default COMPUTE_AUTO.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder computeType(ComputeType value) {
            Objects.requireNonNull(value, "computeType");
            values[0] = value;
            return this;
        }

        /**
         * Null (default): the device that all such models of the process share.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder device(Device value) {
            Objects.requireNonNull(value, "device");
            values[1] = value;
            return this;
        }

        /**
         * Paths of further models of the same vocabulary, which predict each token together with the one that is loaded
         * (an ensemble); default: none. Alignments are those of the first model.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder moreModels(List<String> value) {
            Objects.requireNonNull(value, "moreModels");
            values[2] = List.copyOf(value);
            return this;
        }

        /**
         * One for each model, above 0; null (default): those of its files, else 1 each.
         *
         * @param value the value
         * @return this
         */
        public Builder weights(float[] value) {
            values[3] = value.clone();
            return this;
        }

        /**
         * 0 (default): an ensemble's weighted log-probabilities are added up, as Marian does; 1: weighted
         * probabilities.
         *
         * @param value the value
         * @return this
         */
        public Builder averageProbabilities(boolean value) {
            values[4] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public ModelOptions build() {
            return new ModelOptions(values.clone());
        }
    }
}
