// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** Memory of a device, in bytes, at the moment of the call. */
public final class MemoryInfo {
    static final int SIZE = 56;
    private final boolean measured;
    private final long heapBytes;
    private final long budgetBytes;
    private final long usedBytes;
    private final long heldBytes;
    private final long peakBytes;
    private final long limitBytes;

    MemoryInfo(ByteBuffer raw) {
        measured = raw.getInt(4) != 0;
        heapBytes = raw.getLong(8);
        budgetBytes = raw.getLong(16);
        usedBytes = raw.getLong(24);
        heldBytes = raw.getLong(32);
        peakBytes = raw.getLong(40);
        limitBytes = raw.getLong(48);
    }

    /**
     * 1: the driver tells budget and use; 0: it does not, so they are the whole heap and 0.
     *
     * @return the value
     */
    public boolean measured() {
        return measured;
    }

    /**
     * Largest device-local heap.
     *
     * @return the value
     */
    public long heapBytes() {
        return heapBytes;
    }

    /**
     * Of it, how much this process may use now, beside other programs.
     *
     * @return the value
     */
    public long budgetBytes() {
        return budgetBytes;
    }

    /**
     * Of it, how much this process uses, Dragoman or not.
     *
     * @return the value
     */
    public long usedBytes() {
        return usedBytes;
    }

    /**
     * Device memory that its models and their translations hold now.
     *
     * @return the value
     */
    public long heldBytes() {
        return heldBytes;
    }

    /**
     * Most they ever held.
     *
     * @return the value
     */
    public long peakBytes() {
        return peakBytes;
    }

    /**
     * MemoryLimitBytes of deviceOptions; 0: none.
     *
     * @return the value
     */
    public long limitBytes() {
        return limitBytes;
    }
}
