// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** An option, text or handle the caller passed. */
public final class InvalidArgumentException extends DragomanException {
    private static final long serialVersionUID = 1;

    InvalidArgumentException(String message) {
        super(Status.INVALID_ARGUMENT, message);
    }
}
