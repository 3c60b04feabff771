// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Objects;

/** How a device is opened. What is not set has the library's default. */
public final class DeviceOptions extends Options {
    static final int SIZE = 48;
    static final DeviceOptions DEFAULTS = builder().build();

    private DeviceOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_device_options_init_sized(address, SIZE);
    }

    @Override
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, (Boolean) values[0] ? 1 : 0);
        }
        if (values[1] != null) {
            raw.putLong(8, block.text("name", (String) values[1]));
        }
        if (values[2] != null) {
            raw.putLong(16, block.text("cacheDir", (String) values[2]));
        }
        if (values[3] != null) {
            raw.putLong(24, ranged("memoryLimitBytes", (Long) values[3], Long.MAX_VALUE));
        }
        if (values[4] != null) {
            raw.putInt(32, (Boolean) values[4] ? 1 : 0);
        }
        if (values[5] != null) {
            raw.putInt(40, ((Numbered) values[5]).number());
        }
    }

    /** These, with the values of others where they say nothing. */
    DeviceOptions over(DeviceOptions under) {
        return new DeviceOptions(merged(values, under.values));
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
         * 1: run under the Vulkan validation layer where it is installed; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder validation(boolean value) {
            values[0] = value;
            return this;
        }

        /**
         * Which device: a number is its index, 32 hexadecimal digits (dashes allowed) its UUID, anything else a part of
         * its name in any case. null or "" (default): DRAGOMAN_DEVICE from the environment, else the best one, discrete
         * before integrated before virtual before CPU. deviceAdopt() ignores it.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder name(String value) {
            Objects.requireNonNull(value, "name");
            values[1] = value;
            return this;
        }

        /**
         * Folder for compiled pipelines. null or "" (default): DRAGOMAN_CACHE_DIR from the environment, else the user's
         * cache folder. "-": none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder cacheDir(String value) {
            Objects.requireNonNull(value, "cacheDir");
            values[2] = value;
            return this;
        }

        /**
         * Device memory that everything on it may hold; 0 (default): no limit.
         *
         * @param value the value
         * @return this
         */
        public Builder memoryLimitBytes(long value) {
            values[3] = value;
            return this;
        }

        /**
         * 1: kernels are used without being checked on this device before (deviceCheck() checks all the same); default
         * 0.
         *
         * @param value the value
         * @return this
         */
        public Builder trustKernels(boolean value) {
            values[4] = value;
            return this;
        }

        /**
         * A tune; default TUNE_AUTO.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder tune(Tune value) {
            Objects.requireNonNull(value, "tune");
            values[5] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public DeviceOptions build() {
            return new DeviceOptions(values.clone());
        }
    }
}
