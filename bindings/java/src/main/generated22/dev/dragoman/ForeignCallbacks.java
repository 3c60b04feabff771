// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;

/** Types of callbacks in the order of their kinds. */
final class ForeignCallbacks {
    static final FunctionDescriptor[] ALL = {
        FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG, JAVA_LONG),
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG)
    };

    private ForeignCallbacks() {}
}
