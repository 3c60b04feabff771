// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Kinds of device, best first. */
public enum DeviceKind implements Numbered {
    /** A graphics card with memory of its own. */
    DISCRETE(0),
    /** A GPU that shares the processor's memory. */
    INTEGRATED(1),
    /** A part of a GPU, lent to a virtual machine. */
    VIRTUAL(2),
    /** Vulkan in software, such as lavapipe. */
    CPU(3),
    /** What the driver does not name. */
    OTHER(4);

    private final int number;

    DeviceKind(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
