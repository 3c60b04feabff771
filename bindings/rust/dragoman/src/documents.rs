// SPDX-License-Identifier: Apache-2.0
use crate::error::{Error, Result};
use crate::made::options::TranslateOptions;
use crate::owned::{Handle, Owned};
use crate::text::{borrowed, slice, with_text, Text};
use crate::translator::Translator;
use crate::watch::{Progress, Watch};
use dragoman_sys as sys;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;

/// A format of documents, such as "docx".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DocumentFormat(i32);

impl DocumentFormat {
    /// By the bytes of a document where these tell, else by the end of its name; `None`: neither tells.
    pub fn of(name: &str, content: &[u8]) -> Option<Self> {
        let (data, size) = (content.as_ptr().cast(), content.len());
        let format = |name| Ok(unsafe { sys::dragoman_document_format(name, data, size) });
        Self::known(with_text("name", name, format).ok()?)
    }

    /// The format of that name; `None`: there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::known(with_text("name", name, |name| Ok(unsafe { sys::dragoman_document_format_named(name) })).ok()?)
    }

    fn known(number: i32) -> Option<Self> {
        (number != sys::DRAGOMAN_DOCUMENT_UNKNOWN).then_some(DocumentFormat(number))
    }

    /// "docx" ...
    pub fn name(self) -> &'static str {
        unsafe { borrowed(sys::dragoman_document_format_name(self.0)) }
    }
}

/// How a document is read and written.
#[derive(Clone, Debug, Default)]
pub struct DocumentOptions {
    format: Option<DocumentFormat>,
    progress: Progress,
    resume: Text,
}

impl DocumentOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Its format; default: found from the name and the bytes.
    #[must_use]
    pub fn format(mut self, value: DocumentFormat) -> Self {
        self.format = Some(value);
        self
    }

    /// Told how many of the document's texts are translated, on the thread of the call.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = Progress::of(value);
        self
    }

    /// A file that keeps translations until the document is written: the same call goes on from there.
    #[must_use]
    pub fn resume(mut self, value: impl AsRef<OsStr>) -> Self {
        self.resume = Text::of(value.as_ref());
        self
    }

    fn with<R>(&self, call: impl FnOnce(&sys::dragoman_document_options) -> Result<R>) -> Result<R> {
        let watch = Watch::of(&self.progress);
        let raw = sys::dragoman_document_options {
            format: self.format.map_or(sys::DRAGOMAN_DOCUMENT_UNKNOWN, |format| format.0),
            progress: watch.callback(),
            user: watch.user(),
            resume: self.resume.pointer("resume")?,
            ..Default::default()
        };
        let done = call(&raw);
        watch.resume();
        done
    }
}

impl Handle for sys::dragoman_document {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_document_destroy(pointer);
    }
}

/// As for other calls, but this library keeps its own message.
fn check_document(status: i32) -> Result<()> {
    if status == sys::DRAGOMAN_OK {
        return Ok(());
    }
    Err(Error::of(status, unsafe { borrowed(sys::dragoman_document_error()) }.to_owned()))
}

impl Translator {
    /// Translates a document and writes it, whole or not at all.
    pub fn translate_document(
        &self,
        path: impl AsRef<Path>,
        out_path: impl AsRef<Path>,
        options: &TranslateOptions,
        how: &DocumentOptions,
    ) -> Result<()> {
        let (path, out_path) = (Text::of_path(Some(path.as_ref())), Text::of_path(Some(out_path.as_ref())));
        let (from, to) = (path.pointer("path")?, out_path.pointer("out_path")?);
        options.with(|raw| {
            how.with(|how| {
                check_document(unsafe { sys::dragoman_translate_document(self.pointer(), from, to, raw, how) })
            })
        })
    }

    /// The same from memory to memory. `name`, as a file would have it, helps to find the format.
    pub fn translate_document_bytes(
        &self,
        content: &[u8],
        name: &str,
        options: &TranslateOptions,
        how: &DocumentOptions,
    ) -> Result<Vec<u8>> {
        let (data, size, mut made) = (content.as_ptr().cast(), content.len(), std::ptr::null_mut());
        with_text("name", name, |name| {
            options.with(|raw| {
                how.with(|how| {
                    check_document(unsafe {
                        sys::dragoman_translate_document_bytes(self.pointer(), name, data, size, raw, how, &mut made)
                    })
                })
            })
        })?;
        let document = Owned::made(|out| {
            unsafe { *out = made };
            sys::DRAGOMAN_OK
        })?;
        let bytes = unsafe { sys::dragoman_document_bytes(document.pointer()) };
        Ok(unsafe { slice(bytes.data.cast::<u8>(), bytes.size) }.to_vec())
    }
}
