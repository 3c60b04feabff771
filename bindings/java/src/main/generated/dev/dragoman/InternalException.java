// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A fault of the library. */
public final class InternalException extends DragomanException {
    private static final long serialVersionUID = 1;

    InternalException(String message) {
        super(Status.INTERNAL, message);
    }
}
