// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Host or device memory ran out, or the memory limit was reached. */
public final class OutOfMemoryException extends DragomanException {
    private static final long serialVersionUID = 1;

    OutOfMemoryException(String message) {
        super(Status.OUT_OF_MEMORY, message);
    }
}
