// SPDX-License-Identifier: Apache-2.0
//! Handles of the library, which end with their owner.
use crate::error::{check, Result};
use std::fmt;
use std::ptr::{null_mut, NonNull};
use std::time::Duration;

pub(crate) trait Handle {
    /// Ends it. Nobody else may use it meanwhile or later.
    unsafe fn end(pointer: *mut Self);
}

pub(crate) struct Owned<T: Handle>(NonNull<T>);

// SAFETY: docs/threads.md: any thread may call any function, and several may use one handle; only its end needs it
// alone, which `drop` has.
unsafe impl<T: Handle> Send for Owned<T> {}
unsafe impl<T: Handle> Sync for Owned<T> {}

impl<T: Handle> Owned<T> {
    /// The handle that a function of C gives through its last parameter; `None`: it succeeded without one.
    pub(crate) fn maybe(make: impl FnOnce(*mut *mut T) -> i32) -> Result<Option<Self>> {
        let mut made = null_mut();
        check(make(&mut made))?;
        Ok(NonNull::new(made).map(Owned))
    }

    pub(crate) fn made(make: impl FnOnce(*mut *mut T) -> i32) -> Result<Self> {
        Ok(Self::maybe(make)?.expect("a handle where the library succeeds"))
    }

    #[cfg(feature = "documents")]
    pub(crate) fn document_made(make: impl FnOnce(*mut *mut T) -> i32) -> Result<Self> {
        let mut made = null_mut();
        crate::error::check_document(make(&mut made))?;
        Ok(Owned(NonNull::new(made).expect("a handle where the library succeeds")))
    }

    #[cfg(feature = "models")]
    pub(crate) fn models_made(make: impl FnOnce(*mut *mut T) -> i32) -> Result<Self> {
        let mut made = null_mut();
        crate::error::check_models(make(&mut made))?;
        Ok(Owned(NonNull::new(made).expect("a handle where the library succeeds")))
    }

    pub(crate) fn pointer(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Handle> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { T::end(self.0.as_ptr()) }
    }
}

impl<T: Handle> fmt::Debug for Owned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:p}", self.0)
    }
}

/// The value that a function of C writes through its last parameter.
pub(crate) fn read<T: Default>(call: impl FnOnce(*mut T) -> i32) -> Result<T> {
    let mut value = T::default();
    check(call(&mut value))?;
    Ok(value)
}

pub(crate) fn milliseconds(timeout: Option<Duration>) -> i64 {
    timeout.map_or(-1, |limit| i64::try_from(limit.as_millis()).unwrap_or(i64::MAX))
}
