// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Facts about a device. */
public final class DeviceInfo {
    static final int SIZE = 592;
    private final long index;
    private final DeviceKind kind;
    private final long vendorId;
    private final long deviceId;
    private final String apiVersion;
    private final long driverVersion;
    private final long subgroupSize;
    private final boolean f16;
    private final boolean cooperativeMatrix;
    private final boolean integerDotProduct;
    private final boolean unifiedMemory;
    private final long memoryBytes;
    private final long maxBufferBytes;
    private final UUID uuid;
    private final String name;
    private final String driver;

    DeviceInfo(ByteBuffer raw) {
        index = Integer.toUnsignedLong(raw.getInt(4));
        kind = Numbered.of(DeviceKind.values(), raw.getInt(8));
        vendorId = Integer.toUnsignedLong(raw.getInt(12));
        deviceId = Integer.toUnsignedLong(raw.getInt(16));
        apiVersion = Reading.version(raw.getInt(20));
        driverVersion = Integer.toUnsignedLong(raw.getInt(24));
        subgroupSize = Integer.toUnsignedLong(raw.getInt(28));
        f16 = raw.getInt(32) != 0;
        cooperativeMatrix = raw.getInt(36) != 0;
        integerDotProduct = raw.getInt(40) != 0;
        unifiedMemory = raw.getInt(44) != 0;
        memoryBytes = raw.getLong(48);
        maxBufferBytes = raw.getLong(56);
        uuid = Reading.uuid(raw, 64);
        name = Reading.chars(raw, 80);
        driver = Reading.chars(raw, 336);
    }

    /**
     * Place in the list, valid as a name in deviceOptions.
     *
     * @return the value
     */
    public long index() {
        return index;
    }

    /**
     * A deviceKind.
     *
     * @return the value
     */
    public DeviceKind kind() {
        return kind;
    }

    /**
     * PCI.
     *
     * @return the value
     */
    public long vendorId() {
        return vendorId;
    }

    /**
     * PCI.
     *
     * @return the value
     */
    public long deviceId() {
        return deviceId;
    }

    /**
     * Vulkan: major &lt;&lt; 22 | minor &lt;&lt; 12 | patch.
     *
     * @return the value
     */
    public String apiVersion() {
        return apiVersion;
    }

    /**
     * As the driver encodes it.
     *
     * @return the value
     */
    public long driverVersion() {
        return driverVersion;
    }

    /**
     * Invocations.
     *
     * @return the value
     */
    public long subgroupSize() {
        return subgroupSize;
    }

    /**
     * 16-bit floats can be stored and computed with.
     *
     * @return the value
     */
    public boolean f16() {
        return f16;
    }

    /**
     * VK_KHR_cooperative_matrix with f16 operands and f32 sums.
     *
     * @return the value
     */
    public boolean cooperativeMatrix() {
        return cooperativeMatrix;
    }

    /**
     * VK_KHR_shader_integer_dot_product, which int8 models use.
     *
     * @return the value
     */
    public boolean integerDotProduct() {
        return integerDotProduct;
    }

    /**
     * The device's memory is the host's.
     *
     * @return the value
     */
    public boolean unifiedMemory() {
        return unifiedMemory;
    }

    /**
     * Largest device-local heap.
     *
     * @return the value
     */
    public long memoryBytes() {
        return memoryBytes;
    }

    /**
     * Largest buffer that a shader can see.
     *
     * @return the value
     */
    public long maxBufferBytes() {
        return maxBufferBytes;
    }

    /**
     * Stays the same after a restart; as hexadecimal digits a device name, too.
     *
     * @return the value
     */
    public UUID uuid() {
        return uuid;
    }

    /**
     * As the driver calls it.
     *
     * @return the value
     */
    public String name() {
        return name;
    }

    /**
     * Name and version of the driver, for people.
     *
     * @return the value
     */
    public String driver() {
        return driver;
    }
}
