// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A sound request that this library, model or device cannot fulfil. */
public final class UnsupportedException extends DragomanException {
    private static final long serialVersionUID = 1;

    UnsupportedException(String message) {
        super(Status.UNSUPPORTED, message);
    }
}
