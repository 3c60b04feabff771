// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class DeviceCalls extends Owner {
    DeviceCalls(long address) {
        super("device", address, Library.C::dragoman_device_close);
    }

    /**
     * Number of Vulkan devices; 0 where there is a Vulkan loader but no driver.
     *
     * @return the result
     */
    public static int count() {
        return Library.read(null, 8, out -> Library.C.dragoman_device_count(out), raw -> raw.getInt(0));
    }

    /**
     * Describes device {@code index} &lt; count, in the order of the drivers. Asks the drivers anew at every call.
     *
     * @param index the value
     * @return the result
     */
    public static DeviceInfo describe(int index) {
        return Library.read(null, DeviceInfo.SIZE, out -> Library.C.dragoman_device_describe(index, out), DeviceInfo::new);
    }

    /**
     * Memory of device {@code index} &lt; count. Asks the driver at every call.
     *
     * @param index the value
     * @return the result
     */
    public static MemoryInfo memory(int index) {
        return Library.read(null, MemoryInfo.SIZE, out -> Library.C.dragoman_device_memory(index, out), MemoryInfo::new);
    }

    /**
     * Opens a device.
     *
     * @param options the value
     * @return the result
     */
    public static Device open(DeviceOptions options) {
        try (Block block = new Block()) {
            long optionsAt = options.write(block, null).address;
            return new Device(Library.made(null, out -> Library.C.dragoman_device_open(optionsAt, out)));
        }
    }

    /**
     * Describes an open device.
     *
     * @return the result
     */
    public DeviceInfo info() {
        return with(at -> Library.read(null, DeviceInfo.SIZE, out -> Library.C.dragoman_device_get_info(at, out), DeviceInfo::new));
    }

    /**
     * Its memory, and what everything on it holds.
     *
     * @return the result
     */
    public MemoryInfo memory() {
        return with(at -> Library.read(null, MemoryInfo.SIZE, out -> Library.C.dragoman_device_get_memory(at, out), MemoryInfo::new));
    }

    /** Gives back device memory except models and what running calls and jobs use. */
    public void trim() {
        with(at -> { Library.check(null, Library.C.dragoman_device_trim(at)); return null; });
    }

    /**
     * Runs every kernel that models of usual shapes use on a device on small inputs, compares with loops in double
     * precision, and says which give wrong results, for a bug report. The library does the same with every kernel
     * before it uses it for the first time, and takes another one in place of one that is wrong; what was found is kept
     * beside the compiled pipelines, and replaced by this call. It takes seconds where no pipelines are kept. Models on
     * the device may be at work.
     *
     * @return the result
     */
    public String check() {
        return with(at -> Reading.report(Library.made(null, out -> Library.C.dragoman_device_check(at, out))));
    }
}
