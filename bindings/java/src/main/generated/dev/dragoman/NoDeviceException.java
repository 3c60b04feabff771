// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** No Vulkan loader, no driver, or no device that fits the request. */
public final class NoDeviceException extends DragomanException {
    private static final long serialVersionUID = 1;

    NoDeviceException(String message) {
        super(Status.NO_DEVICE, message);
    }
}
