// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What a caller can act on. The sentence for a person is lastError(). */
public enum Status implements Numbered {
    /** The result is there, the message empty. */
    OK(0),
    /** An option, text or handle the caller passed. */
    INVALID_ARGUMENT(1),
    /** A model file that is broken or incomplete, or contradicts itself. */
    BAD_MODEL(2),
    /** A sound request that this library, model or device cannot fulfil. */
    UNSUPPORTED(3),
    /** Host or device memory ran out, or the memory limit was reached. */
    OUT_OF_MEMORY(4),
    /** The device stopped answering; open it and load its models again. */
    DEVICE_LOST(5),
    /** No Vulkan loader, no driver, or no device that fits the request. */
    NO_DEVICE(6),
    /** A file that cannot be read or written. */
    IO_ERROR(7),
    /** The caller asked to stop. */
    CANCELLED(8),
    /** A fault of the library. */
    INTERNAL(9);

    private final int number;

    Status(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
