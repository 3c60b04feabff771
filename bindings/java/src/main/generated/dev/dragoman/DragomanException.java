// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What the library reports: its message, and the status, for each of which there is a class. */
public abstract class DragomanException extends RuntimeException {
    private static final long serialVersionUID = 1;
    /** What a caller can act on. */
    private final Status status;

    DragomanException(Status status, String message) {
        super(message);
        this.status = status;
    }

    static DragomanException of(Status status, String message) {
        switch (status) {
            case INVALID_ARGUMENT:
                return new InvalidArgumentException(message);
            case BAD_MODEL:
                return new BadModelException(message);
            case UNSUPPORTED:
                return new UnsupportedException(message);
            case OUT_OF_MEMORY:
                return new OutOfMemoryException(message);
            case DEVICE_LOST:
                return new DeviceLostException(message);
            case NO_DEVICE:
                return new NoDeviceException(message);
            case IO_ERROR:
                return new IoErrorException(message);
            case CANCELLED:
                return new CancelledException(message);
            case INTERNAL:
                return new InternalException(message);
            default:
                return new InternalException(status + ": " + message);
        }
    }

    /**
     * What a caller can act on.
     *
     * @return the status
     */
    public final Status status() {
        return status;
    }
}
