// SPDX-License-Identifier: Apache-2.0
//! Callbacks for the progress of calls. A panic may not pass through C: it stops the call and goes on after it.
use dragoman_sys as sys;
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// What an option holds: a closure of the type `Told`, or none.
pub(crate) struct Callback<Told: ?Sized>(pub(crate) Option<Arc<Told>>);

impl<Told: ?Sized> Clone for Callback<Told> {
    fn clone(&self) -> Self {
        Callback(self.0.clone())
    }
}

impl<Told: ?Sized> Default for Callback<Told> {
    fn default() -> Self {
        Callback(None)
    }
}

impl<Told: ?Sized> fmt::Debug for Callback<Told> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Progress" } else { "None" })
    }
}

/// One call with such a closure.
pub(crate) struct Call<'a, Told: ?Sized> {
    told: Option<&'a Told>,
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

impl<'a, Told: ?Sized> Call<'a, Told> {
    pub(crate) fn of(callback: &'a Callback<Told>) -> Self {
        Call { told: callback.0.as_deref(), panic: RefCell::new(None) }
    }

    /// `tell` for C, which tells nobody where there is no closure.
    pub(crate) fn only_if_told<F>(&self, tell: F) -> Option<F> {
        self.told.map(|_| tell)
    }

    pub(crate) fn user(&self) -> *mut c_void {
        self as *const Self as *mut c_void
    }

    /// What C gets from its callback: 0 to go on, 1 to stop.
    ///
    /// # Safety
    /// `user` is that of a call that is running, on the thread that called.
    pub(crate) unsafe fn answer(user: *mut c_void, ask: impl FnOnce(&Told) -> ControlFlow<()>) -> i32 {
        let call = &*(user as *const Self);
        match catch_unwind(AssertUnwindSafe(|| call.told.map_or(ControlFlow::Continue(()), ask))) {
            Ok(ControlFlow::Continue(())) => 0,
            Ok(ControlFlow::Break(())) => 1,
            Err(panic) => {
                *call.panic.borrow_mut() = Some(panic);
                1
            }
        }
    }

    pub(crate) fn resume(&self) {
        if let Some(panic) = self.panic.borrow_mut().take() {
            resume_unwind(panic);
        }
    }
}

type Told = dyn Fn(usize, usize) -> ControlFlow<()> + Send + Sync;
pub(crate) type Progress = Callback<Told>;
pub(crate) type Watch<'a> = Call<'a, Told>;

impl Callback<Told> {
    pub(crate) fn of(told: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Callback(Some(Arc::new(told)))
    }
}

impl Call<'_, Told> {
    pub(crate) fn callback(&self) -> sys::dragoman_progress_fn {
        self.only_if_told(tell as unsafe extern "C" fn(usize, usize, *mut c_void) -> i32)
    }
}

unsafe extern "C" fn tell(done: usize, total: usize, user: *mut c_void) -> i32 {
    // SAFETY: C calls this within the call that it was given to.
    Watch::answer(user, |told| told(done, total))
}
