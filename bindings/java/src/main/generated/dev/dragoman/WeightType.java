// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** How the matrices of a converted model are stored. Tensors that are not multiplied have 32 or 16 bits. */
public enum WeightType implements Numbered {
    /** As they are; int8 keeps its scales. */
    KEEP(0),
    /** 32 bits, which hold any weight of a model. */
    F32(1),
    /** 16 bits; UNSUPPORTED for numbers beyond 65504. */
    F16(2),
    /** 8.5 bits: blocks of 32 whole numbers with a scale. */
    Q8(3),
    /** 5 bits: blocks of 32 with scale and offset. */
    Q4(4);

    private final int number;

    WeightType(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
