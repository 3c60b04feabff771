// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** C functions under their own names; pointers and sizes are long. */
interface SystemFunctions {
    long calloc(long a0, long a1);
    void free(long a0);
    long strlen(long a0);
}
