// SPDX-License-Identifier: Apache-2.0
// One class per status of the C library, all of them DragomanError.
"use strict";

class DragomanError extends Error {
    constructor(message, code = "internal") {
        super(message);
        this.name = new.target.name;
        this.code = code;
    }
}

const coded = (code) => class extends DragomanError {
    constructor(message) {
        super(message, code);
    }
};

class InvalidArgumentError extends coded("invalid_argument") {}
class BadModelError extends coded("bad_model") {}
class UnsupportedError extends coded("unsupported") {}
class OutOfMemoryError extends coded("out_of_memory") {}
class DeviceLostError extends coded("device_lost") {}
class NoDeviceError extends coded("no_device") {}
class FileError extends coded("io_error") {}
class CancelledError extends coded("cancelled") {}
class InternalError extends coded("internal") {}
/** A model or translator was used after close(). */
class ClosedError extends coded("closed") {}

const byCode = new Map([
    InvalidArgumentError, BadModelError, UnsupportedError, OutOfMemoryError, DeviceLostError, NoDeviceError, FileError,
    CancelledError, InternalError, ClosedError,
].map((kind) => [new kind("").code, kind]));

/** What the addon throws, as one of these classes. */
function convert(error) {
    if (error instanceof TypeError || error instanceof DragomanError) return error;
    const kind = byCode.get(error?.code);
    return kind ? new kind(error.message) : error;
}

/** Calls the addon. */
function call(native, ...args) {
    let result;
    try {
        result = native(...args);
    } catch (error) {
        throw convert(error);
    }
    return result instanceof Promise ? result.catch((error) => { throw convert(error); }) : result;
}

module.exports = {
    DragomanError, InvalidArgumentError, BadModelError, UnsupportedError, OutOfMemoryError, DeviceLostError,
    NoDeviceError, FileError, CancelledError, InternalError, ClosedError, convert, call,
};
