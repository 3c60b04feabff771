// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::owned::Owned;
use crate::text::{view, with_text, Text};
use dragoman_sys as sys;
use std::os::raw::c_char;
use std::path::Path;
use std::sync::Arc;

/// Terms that translations must have, for [`TranslateOptions::glossary`](crate::TranslateOptions::glossary). Any number
/// of calls and threads may use one; a clone is the same one.
#[derive(Clone, Debug)]
pub struct Glossary(Arc<Owned<sys::dragoman_glossary>>);

impl Glossary {
    /// Reads a file of tab- or comma-separated values, or TBX, of which the languages say what is meant; "": a table
    /// needs none.
    pub fn load(path: impl AsRef<Path>, source_language: &str, target_language: &str) -> Result<Self> {
        let path = Text::of_path(Some(path.as_ref()));
        let name = path.pointer("path")?;
        Self::made(source_language, target_language, |source, target, made| unsafe {
            sys::dragoman_glossary_load(name, source, target, made)
        })
    }

    /// The same from the content of such a file.
    pub fn read(content: &str, source_language: &str, target_language: &str) -> Result<Self> {
        let content = view(content);
        Self::made(source_language, target_language, |source, target, made| unsafe {
            sys::dragoman_glossary_read(&content, source, target, made)
        })
    }

    /// Of pairs of a term and what it becomes; "a|b": either.
    pub fn of<S: AsRef<str>, T: AsRef<str>>(terms: impl IntoIterator<Item = (S, T)>) -> Result<Self> {
        let line = |(source, target): (S, T)| format!("{}\t{}\n", source.as_ref(), target.as_ref());
        Self::read(&terms.into_iter().map(line).collect::<String>(), "", "")
    }

    fn made(
        source_language: &str,
        target_language: &str,
        make: impl FnOnce(*const c_char, *const c_char, *mut *mut sys::dragoman_glossary) -> i32,
    ) -> Result<Self> {
        with_text("source_language", source_language, |source| {
            with_text("target_language", target_language, |target| Owned::made(|made| make(source, target, made)))
        })
        .map(|made| Glossary(Arc::new(made)))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        unsafe { sys::dragoman_glossary_count(self.pointer()) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_glossary {
        self.0.pointer()
    }
}
