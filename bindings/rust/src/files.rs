// SPDX-License-Identifier: Apache-2.0
//! Files of a model that the program has.
use crate::error::{Error, Result};
use crate::text::Text;
use dragoman_sys as sys;
use std::any::Any;
use std::fmt;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};

type Read<'a> = Box<dyn FnMut(u64, &mut [u8]) -> std::io::Result<()> + 'a>;

/// A file of a model, in memory or read piece by piece.
pub struct File<'a> {
    name: String,
    size: u64,
    data: &'a [u8],
    read: Option<Read<'a>>,
    panic: Option<Box<dyn Any + Send>>,
    fault: Option<std::io::Error>,
}

impl<'a> File<'a> {
    /// A file in memory; `name` as in the model's folder, sub-folders with '/'.
    pub fn new(name: impl Into<String>, data: &'a [u8]) -> Self {
        File { name: name.into(), size: data.len() as u64, data, read: None, panic: None, fault: None }
    }

    /// A file of `size` bytes: `read` fills a buffer from an offset on. It must not use the library. What it fails with
    /// is in the message of the error.
    pub fn reader(
        name: impl Into<String>,
        size: u64,
        read: impl FnMut(u64, &mut [u8]) -> std::io::Result<()> + 'a,
    ) -> Self {
        File { name: name.into(), size, data: &[], read: Some(Box::new(read)), panic: None, fault: None }
    }
}

impl fmt::Debug for File<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "File({:?}, {} bytes)", self.name, self.size)
    }
}

unsafe extern "C" fn read(offset: u64, buffer: *mut c_void, size: usize, user: *mut c_void) -> i32 {
    // SAFETY: the File of the call that is running, on the thread that called; a buffer of `size` bytes.
    let file = &mut *(user as *mut File<'_>);
    let buffer = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size);
    let given = file.read.as_mut();
    match catch_unwind(AssertUnwindSafe(|| given.map_or(Ok(()), |given| given(offset, buffer)))) {
        Ok(Ok(())) => 0,
        Ok(Err(fault)) => {
            file.fault.get_or_insert(fault);
            1
        }
        Err(panic) => {
            file.panic = Some(panic);
            1
        }
    }
}

/// Calls with the files as C sees them.
pub(crate) fn with_files<R>(
    mut files: Vec<File<'_>>,
    call: impl FnOnce(&[sys::dragoman_file]) -> Result<R>,
) -> Result<R> {
    let names: Vec<Text> = files.iter().map(|file| file.name.as_str().into()).collect();
    let mut raw = Vec::with_capacity(files.len());
    for (file, name) in files.iter_mut().zip(&names) {
        let reads = file.read.is_some();
        raw.push(sys::dragoman_file {
            name: name.pointer("name of a file")?,
            data: if reads { null() } else { file.data.as_ptr().cast() },
            size: file.size,
            read: if reads { Some(read) } else { None },
            user: if reads { file as *mut File<'_> as *mut c_void } else { null_mut() },
        });
    }
    let done = call(&raw);
    if let Some(panic) = files.iter_mut().find_map(|file| file.panic.take()) {
        resume_unwind(panic);
    }
    let fault = files.iter_mut().find_map(|file| file.fault.take());
    done.map_err(|error| match fault {
        Some(fault) => Error::of(error.status() as i32, format!("{error}: {fault}")),
        None => error,
    })
}
