// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from documents.h.
use super::document_enums::*;
use crate::text::Text;
use crate::watch::{Progress, Watch};
use crate::Result;
use dragoman_sys as sys;
use std::ffi::OsStr;
use std::ops::ControlFlow;

/// How a document is read and written.
#[derive(Clone, Debug)]
pub struct DocumentOptions {
    raw: sys::dragoman_document_options,
    pub(crate) progress: Progress,
    pub(crate) resume: Text,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for DocumentOptions {}
unsafe impl Sync for DocumentOptions {}

impl Default for DocumentOptions {
    fn default() -> Self {
        let raw = sys::dragoman_document_options::default();
        DocumentOptions {
            raw,
            progress: Default::default(),
            resume: Default::default(),
        }
    }
}

impl DocumentOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// `DocumentKind`; default: found.
    #[must_use]
    pub fn format(mut self, value: DocumentKind) -> Self {
        self.raw.format = value as i32;
        self
    }

    /// Default: none.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = crate::watch::Callback(Some(std::sync::Arc::new(value)));
        self
    }

    /// A file that keeps finished sentences until the document is written, see C's `dragoman_keep_answers()`; default:
    /// none.
    #[must_use]
    pub fn resume(mut self, value: impl AsRef<OsStr>) -> Self {
        self.resume = Text::of(value.as_ref());
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_document_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        let watch = Watch::of(&self.progress);
        (raw.progress, raw.user) = (watch.callback(), watch.user());
        raw.resume = self.resume.pointer("resume")?;
        let done = call(&raw);
        watch.resume();
        done
    }
}
