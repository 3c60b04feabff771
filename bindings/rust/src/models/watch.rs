// SPDX-License-Identifier: Apache-2.0
//! A callback for the progress of a download.
use crate::made::published::Download;
use dragoman_sys as sys;
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::Arc;

type Told = dyn Fn(&Download) -> ControlFlow<()> + Send + Sync;

#[derive(Clone, Default)]
pub(crate) struct Progress(Option<Arc<Told>>);

impl Progress {
    pub(crate) fn of(told: impl Fn(&Download) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Progress(Some(Arc::new(told)))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Progress" } else { "None" })
    }
}

/// A call's. A panic may not pass through C: it stops the call and goes on after it.
pub(crate) struct Watch<'a> {
    progress: &'a Progress,
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

impl<'a> Watch<'a> {
    pub(crate) fn of(progress: &'a Progress) -> Self {
        Watch { progress, panic: RefCell::new(None) }
    }

    pub(crate) fn callback(&self) -> sys::dragoman_download_fn {
        let tell = tell as unsafe extern "C" fn(*const sys::dragoman_download, *mut c_void) -> i32;
        self.progress.0.as_ref().map(|_| tell)
    }

    pub(crate) fn user(&self) -> *mut c_void {
        self as *const Self as *mut c_void
    }

    pub(crate) fn resume(&self) {
        if let Some(panic) = self.panic.borrow_mut().take() {
            resume_unwind(panic);
        }
    }
}

unsafe extern "C" fn tell(at: *const sys::dragoman_download, user: *mut c_void) -> i32 {
    // SAFETY: the Watch of the call that is running, on the thread that called; what it tells lives until this returns.
    let watch = &*(user as *const Watch<'_>);
    let told = catch_unwind(AssertUnwindSafe(|| {
        watch.progress.0.as_ref().map_or(ControlFlow::Continue(()), |told| told(&Download::of(&*at)))
    }));
    match told {
        Ok(ControlFlow::Continue(())) => 0,
        Ok(ControlFlow::Break(())) => 1,
        Err(panic) => {
            *watch.panic.borrow_mut() = Some(panic);
            1
        }
    }
}
