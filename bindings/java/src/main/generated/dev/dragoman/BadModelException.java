// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A model file that is broken or incomplete, or contradicts itself. */
public final class BadModelException extends DragomanException {
    private static final long serialVersionUID = 1;

    BadModelException(String message) {
        super(Status.BAD_MODEL, message);
    }
}
