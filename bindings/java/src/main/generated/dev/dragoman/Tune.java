// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Whether the first load of a model on a GPU measures which kernels are fastest there. CPU devices measure nothing. */
public enum Tune implements Numbered {
    /** As DRAGOMAN_AUTOTUNE in the environment says, else most of it in the background. */
    AUTO(0),
    /** Nothing is measured; what is known from before is used. */
    OFF(1),
    /** Loading waits until all is measured, so it takes some seconds. */
    ON(2);

    private final int number;

    Tune(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
