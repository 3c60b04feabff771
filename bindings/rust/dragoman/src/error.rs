// SPDX-License-Identifier: Apache-2.0
use crate::text::borrowed;
use crate::Status;
use dragoman_sys as sys;
use std::fmt;

/// What the library reports: a kind that a program can act on, with the library's sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An option, text or value that was passed.
    InvalidArgument(String),
    /// A model file that is broken or incomplete, or contradicts itself.
    BadModel(String),
    /// A sound request that this library, model or device cannot fulfil.
    Unsupported(String),
    /// Host or device memory ran out, or the memory limit was reached.
    OutOfMemory(String),
    /// The device stopped answering; open it and load its models again.
    DeviceLost(String),
    /// No Vulkan loader, no driver, or no device that fits the request.
    NoDevice(String),
    /// A file that cannot be read or written.
    Io(String),
    /// The caller asked to stop.
    Cancelled(String),
    /// A fault of the library.
    Internal(String),
}

/// What a call gives, or the library's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn of(status: i32, message: String) -> Self {
        match status {
            sys::DRAGOMAN_INVALID_ARGUMENT => Error::InvalidArgument(message),
            sys::DRAGOMAN_BAD_MODEL => Error::BadModel(message),
            sys::DRAGOMAN_UNSUPPORTED => Error::Unsupported(message),
            sys::DRAGOMAN_OUT_OF_MEMORY => Error::OutOfMemory(message),
            sys::DRAGOMAN_DEVICE_LOST => Error::DeviceLost(message),
            sys::DRAGOMAN_NO_DEVICE => Error::NoDevice(message),
            sys::DRAGOMAN_IO_ERROR => Error::Io(message),
            sys::DRAGOMAN_CANCELLED => Error::Cancelled(message),
            _ => Error::Internal(message),
        }
    }

    /// The status in C.
    pub fn status(&self) -> Status {
        match self {
            Error::InvalidArgument(_) => Status::InvalidArgument,
            Error::BadModel(_) => Status::BadModel,
            Error::Unsupported(_) => Status::Unsupported,
            Error::OutOfMemory(_) => Status::OutOfMemory,
            Error::DeviceLost(_) => Status::DeviceLost,
            Error::NoDevice(_) => Status::NoDevice,
            Error::Io(_) => Status::IoError,
            Error::Cancelled(_) => Status::Cancelled,
            Error::Internal(_) => Status::Internal,
        }
    }

    /// The library's sentence for a person.
    pub fn message(&self) -> &str {
        match self {
            Error::InvalidArgument(message)
            | Error::BadModel(message)
            | Error::Unsupported(message)
            | Error::OutOfMemory(message)
            | Error::DeviceLost(message)
            | Error::NoDevice(message)
            | Error::Io(message)
            | Error::Cancelled(message)
            | Error::Internal(message) => message,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}

/// The error of a call that has just returned `status` on this thread.
pub(crate) fn check(status: i32) -> Result<()> {
    if status == sys::DRAGOMAN_OK {
        return Ok(());
    }
    // SAFETY: never null, and valid until this thread's next call.
    Err(Error::of(status, unsafe { borrowed(sys::dragoman_last_error()) }.to_owned()))
}

/// For two arrays that go together.
pub(crate) fn same_length(name: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!("{name}: expected {expected}, one for each input, got {found}")))
}
