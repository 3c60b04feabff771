// SPDX-License-Identifier: Apache-2.0
pub use crate::made::enums::Error;
use crate::text::borrowed;
use dragoman_sys as sys;

/// The value of a call, or the library's error.
pub type Result<T> = std::result::Result<T, Error>;

/// The error of a call that has just returned `status` on this thread.
pub(crate) fn check(status: i32) -> Result<()> {
    checked(status, sys::dragoman_last_error)
}

/// The same for documents, whose library keeps its own message.
#[cfg(feature = "documents")]
pub(crate) fn check_document(status: i32) -> Result<()> {
    checked(status, sys::dragoman_document_error)
}

/// The same for published models.
#[cfg(feature = "models")]
pub(crate) fn check_models(status: i32) -> Result<()> {
    checked(status, sys::dragoman_models_error)
}

fn checked(status: i32, message: unsafe extern "C" fn() -> *const std::os::raw::c_char) -> Result<()> {
    if status == sys::DRAGOMAN_OK {
        return Ok(());
    }
    // SAFETY: never null, and valid until this thread's next call.
    Err(Error::of(status, unsafe { borrowed(message()) }.to_owned()))
}

/// For two arrays that go together.
pub(crate) fn same_length(name: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!("{name}: expected {expected}, one for each input, got {found}")))
}
