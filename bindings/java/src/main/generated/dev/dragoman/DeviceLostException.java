// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** The device stopped answering; open it and load its models again. */
public final class DeviceLostException extends DragomanException {
    private static final long serialVersionUID = 1;

    DeviceLostException(String message) {
        super(Status.DEVICE_LOST, message);
    }
}
