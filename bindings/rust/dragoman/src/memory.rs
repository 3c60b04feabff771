// SPDX-License-Identifier: Apache-2.0
use crate::error::{check, Result};
use crate::made::infos::MemoryCounts;
use crate::made::options::MemoryOptions;
use crate::owned::{read, Owned};
use crate::text::{view, with_text, Text};
use dragoman_sys as sys;
use std::path::Path;
use std::sync::Arc;

/// Answers of models and segments of translation memories, for
/// [`TranslateOptions::memory`](crate::TranslateOptions::memory). Any number of calls, threads and translators may use
/// one; a clone is the same one.
#[derive(Clone, Debug)]
pub struct TranslationMemory(Arc<Owned<sys::dragoman_memory>>);

impl TranslationMemory {
    /// Makes one.
    pub fn new(options: &MemoryOptions) -> Result<Self> {
        let create = |raw: &_| Owned::made(|memory| unsafe { sys::dragoman_memory_create(raw, memory) });
        Ok(TranslationMemory(Arc::new(options.with(create)?)))
    }

    /// Reads a translation memory (TMX); gives how many of its units were of use.
    pub fn load_tmx(&self, path: impl AsRef<Path>) -> Result<usize> {
        let path = Text::of_path(Some(path.as_ref()));
        let name = path.pointer("path")?;
        read(|count| unsafe { sys::dragoman_memory_load_tmx(self.pointer(), name, count) })
    }

    /// The same from the content of such a file.
    pub fn read_tmx(&self, content: &str) -> Result<usize> {
        let content = view(content);
        read(|count| unsafe { sys::dragoman_memory_read_tmx(self.pointer(), &content, count) })
    }

    /// Adds a segment and its translation.
    pub fn add(&self, source_language: &str, target_language: &str, source: &str, target: &str) -> Result<()> {
        let (source, target) = (view(source), view(target));
        with_text("source_language", source_language, |from| {
            with_text("target_language", target_language, |to| {
                check(unsafe { sys::dragoman_memory_add(self.pointer(), from, to, &source, &target) })
            })
        })
    }

    /// Writes what was recorded.
    pub fn write_tmx(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = Text::of_path(Some(path.as_ref()));
        check(unsafe { sys::dragoman_memory_write_tmx(self.pointer(), path.pointer("path")?) })
    }

    /// Forgets everything, in the file, too.
    pub fn clear(&self) -> Result<()> {
        check(unsafe { sys::dragoman_memory_clear(self.pointer()) })
    }

    /// What it has, and what it was asked.
    pub fn counts(&self) -> Result<MemoryCounts> {
        Ok(MemoryCounts::of(&read(|counts| unsafe { sys::dragoman_memory_stats(self.pointer(), counts) })?))
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_memory {
        self.0.pointer()
    }
}
