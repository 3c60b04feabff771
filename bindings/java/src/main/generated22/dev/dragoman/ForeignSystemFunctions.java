// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** A class for each function, so that its handle is made when it is first called. */
class ForeignSystemFunctions implements SystemFunctions {
    private static final class F0 {
        static final MethodHandle H = ForeignBackend.bind(
                "calloc",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long calloc(long a0, long a1) {
        try {
            return (long) F0.H.invokeExact(a0, a1);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F1 {
        static final MethodHandle H = ForeignBackend.bind(
                "free",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void free(long a0) {
        try {
            F1.H.invokeExact(a0);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F2 {
        static final MethodHandle H = ForeignBackend.bind(
                "strlen",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long strlen(long a0) {
        try {
            return (long) F2.H.invokeExact(a0);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
