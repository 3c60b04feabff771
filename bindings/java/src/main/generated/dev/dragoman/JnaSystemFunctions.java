// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Bound by com.sun.jna.Native.register(). */
class JnaSystemFunctions implements SystemFunctions {
    @Override
    public native long calloc(long a0, long a1);
    @Override
    public native void free(long a0);
    @Override
    public native long strlen(long a0);
}
