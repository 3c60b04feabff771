// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::made::enums::LogLevel;
use crate::owned::Owned;
use crate::text::borrowed;
use dragoman_sys as sys;
use std::fmt;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};

type Receive = Box<dyn Fn(LogLevel, &str) + Send + Sync>;

/// A further receiver of the library's log lines, until it is dropped.
pub struct Logger {
    _handle: Owned<sys::dragoman_logger>,
    _receive: Box<Receive>, // after the handle, whose end waits for the last call
}

impl Logger {
    /// Sends lines up to `max_level` to `receive`, on whichever thread logs, one at a time. It must not use the
    /// library.
    pub fn new(max_level: LogLevel, receive: impl Fn(LogLevel, &str) + Send + Sync + 'static) -> Result<Self> {
        let receive: Box<Receive> = Box::new(Box::new(receive));
        let user = &*receive as *const Receive as *mut c_void;
        let handle =
            Owned::made(|made| unsafe { sys::dragoman_logger_create(Some(on_line), user, max_level as i32, made) })?;
        Ok(Logger { _handle: handle, _receive: receive })
    }
}

impl fmt::Debug for Logger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Logger")
    }
}

unsafe extern "C" fn on_line(level: i32, line: *const c_char, user: *mut c_void) {
    // SAFETY: the Logger's, which lives until its handle has ended. A panic must not pass through C.
    let receive = &*(user as *const Receive);
    let _ = catch_unwind(AssertUnwindSafe(|| receive(LogLevel::of(level), borrowed(line))));
}

/// Sends no more lines to stderr, for the whole process; what [`Logger`]s receive stays. Only a program should do this.
pub fn log_nothing_to_stderr() -> Result<()> {
    unsafe extern "C" fn nothing(_: i32, _: *const c_char, _: *mut c_void) {}
    let level = LogLevel::Error as i32;
    crate::error::check(unsafe { sys::dragoman_set_log(Some(nothing), std::ptr::null_mut(), level) })
}
