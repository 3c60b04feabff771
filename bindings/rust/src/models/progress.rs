// SPDX-License-Identifier: Apache-2.0
//! A callback for the progress of a download.
use crate::made::published::Download;
use crate::watch::{Call, Callback};
use dragoman_sys as sys;
use std::ops::ControlFlow;
use std::os::raw::c_void;
use std::sync::Arc;

type Told = Arc<dyn Fn(&Download) -> ControlFlow<()> + Send + Sync>;
pub(crate) type Progress = Callback<Told>;
pub(crate) type Watch<'a> = Call<'a, Told>;

impl Call<'_, Told> {
    pub(crate) fn callback(&self) -> sys::dragoman_download_fn {
        self.told.map(|_| tell as unsafe extern "C" fn(*const sys::dragoman_download, *mut c_void) -> i32)
    }
}

unsafe extern "C" fn tell(at: *const sys::dragoman_download, user: *mut c_void) -> i32 {
    // SAFETY: C calls this within the call that it was given to; what it tells lives until this returns.
    Watch::answer(user, |told| told(&Download::of(&*at)))
}
