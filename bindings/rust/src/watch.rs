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

/// What an option holds: a closure, or none.
#[derive(Clone)]
pub(crate) struct Callback<Told>(pub(crate) Option<Told>);

impl<Told> Default for Callback<Told> {
    fn default() -> Self {
        Callback(None)
    }
}

impl<Told> fmt::Debug for Callback<Told> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Progress" } else { "None" })
    }
}

/// One call with such a closure.
pub(crate) struct Call<'a, Told> {
    pub(crate) told: Option<&'a Told>,
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

impl<'a, Told: 'a> Call<'a, Told> {
    pub(crate) fn of(callback: &'a Callback<Told>) -> Self {
        Call { told: callback.0.as_ref(), panic: RefCell::new(None) }
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
        let asked = catch_unwind(AssertUnwindSafe(|| call.told.map_or(ControlFlow::Continue(()), ask)));
        let answer = asked.unwrap_or_else(|panic| {
            call.panic.replace(Some(panic));
            ControlFlow::Break(())
        });
        i32::from(answer.is_break())
    }

    pub(crate) fn resume(&self) {
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
    }
}

type Told = Arc<dyn Fn(usize, usize) -> ControlFlow<()> + Send + Sync>;
pub(crate) type Progress = Callback<Told>;
pub(crate) type Watch<'a> = Call<'a, Told>;

impl Call<'_, Told> {
    pub(crate) fn callback(&self) -> sys::dragoman_progress_fn {
        self.told.map(|_| tell as unsafe extern "C" fn(usize, usize, *mut c_void) -> i32)
    }
}

unsafe extern "C" fn tell(done: usize, total: usize, user: *mut c_void) -> i32 {
    // SAFETY: C calls this within the call that it was given to.
    Watch::answer(user, |told| told(done, total))
}
