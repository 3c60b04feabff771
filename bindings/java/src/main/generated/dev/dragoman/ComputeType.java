// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** The numbers a model computes with on the device. */
public enum ComputeType implements Numbered {
    /** F16 on a GPU that has it, else int8 for a model made for it, else f32. */
    AUTO(0),
    /** The most exact, on every device. */
    F32(1),
    /** UNSUPPORTED on a device without it. */
    F16(2),
    /** Matrix products of int8 numbers, the rest in f32; UNSUPPORTED for a model not made for it. */
    INT8(3);

    private final int number;

    ComputeType(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
