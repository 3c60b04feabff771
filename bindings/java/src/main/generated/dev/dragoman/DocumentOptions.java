// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** How a document is read and written. What is not set has the library's default. */
public final class DocumentOptions extends Options {
    static final int SIZE = 32;
    static final DocumentOptions DEFAULTS = builder().build();

    private DocumentOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return 0;
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, ((Numbered) values[0]).number());
        }
        if (watch != null) {
            raw.putLong(8, Library.C.callback(CallbackKind.PROGRESS));
            raw.putLong(16, watch.number);
        }
        if (values[2] != null) {
            raw.putLong(24, block.text("resume", (String) values[2]));
        }
    }

    /** These, with the values of others where they say nothing. */
    DocumentOptions over(DocumentOptions under) {
        return new DocumentOptions(merged(values, under.values));
    }

    Progress progress() {
        return values[1] == null ? null : (Progress) values[1];
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
         * A documentKind; default: found.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder format(DocumentKind value) {
            Objects.requireNonNull(value, "format");
            values[0] = value;
            return this;
        }

        /**
         * Null (default): nobody is told.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder progress(Progress value) {
            Objects.requireNonNull(value, "progress");
            values[1] = value;
            return this;
        }

        /**
         * A file that keeps translations until the document is written; default: none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder resume(String value) {
            Objects.requireNonNull(value, "resume");
            values[2] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public DocumentOptions build() {
            return new DocumentOptions(values.clone());
        }
    }
}
