// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** The caller asked to stop. */
public final class CancelledException extends DragomanException {
    private static final long serialVersionUID = 1;

    CancelledException(String message) {
        super(Status.CANCELLED, message);
    }
}
