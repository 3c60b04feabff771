// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A file that cannot be read or written. */
public final class IoErrorException extends DragomanException {
    private static final long serialVersionUID = 1;

    IoErrorException(String message) {
        super(Status.IO_ERROR, message);
    }
}
