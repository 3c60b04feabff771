// SPDX-License-Identifier: Apache-2.0
//! Resources for translations: glossaries and translation memories.
use crate::error::{Error, Result};
use crate::made::calls;
use crate::made::infos::MemoryCounts;
use crate::made::options::MemoryOptions;
use crate::owned::Owned;
use dragoman_sys as sys;
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
        Ok(Glossary(Arc::new(calls::glossary_load(path.as_ref(), source_language, target_language)?)))
    }

    /// The same from the content of such a file.
    pub fn read(content: &str, source_language: &str, target_language: &str) -> Result<Self> {
        Ok(Glossary(Arc::new(calls::glossary_read(content, source_language, target_language)?)))
    }

    /// Makes a glossary of pairs of a term and its translation; "a|b": either.
    pub fn of<S: AsRef<str>, T: AsRef<str>>(terms: impl IntoIterator<Item = (S, T)>) -> Result<Self> {
        let mut content = String::from("source\ttarget\n"); // then no term is a header or the beginning of TBX
        for (source, target) in terms {
            let (source, target) = (source.as_ref(), target.as_ref());
            if [source, target].iter().any(|text| text.contains(['\t', '\r', '\n'])) {
                let fault = format!("terms: expected no tab and no line break, got {source:?}, {target:?}");
                return Err(Error::InvalidArgument(fault));
            }
            content += &format!(" {source}\t{target}\n"); // nor, behind a blank, which is cut, a note
        }
        Self::read(&content, "", "")
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        calls::glossary_count(&self.0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_glossary {
        self.0.pointer()
    }
}

/// Answers of models and segments of translation memories, for
/// [`TranslateOptions::memory`](crate::TranslateOptions::memory). Any number of calls, threads and translators may use
/// one; a clone is the same one.
#[derive(Clone, Debug)]
pub struct TranslationMemory(Arc<Owned<sys::dragoman_memory>>);

impl TranslationMemory {
    /// Makes one.
    pub fn new(options: &MemoryOptions) -> Result<Self> {
        Ok(TranslationMemory(Arc::new(calls::memory_create(options)?)))
    }

    /// Reads a translation memory (TMX); gives how many of its units were of use.
    pub fn load_tmx(&self, path: impl AsRef<Path>) -> Result<usize> {
        calls::memory_load_tmx(&self.0, path.as_ref())
    }

    /// The same from the content of such a file.
    pub fn read_tmx(&self, content: &str) -> Result<usize> {
        calls::memory_read_tmx(&self.0, content)
    }

    /// Adds a segment and its translation.
    pub fn add(&self, source_language: &str, target_language: &str, source: &str, target: &str) -> Result<()> {
        calls::memory_add(&self.0, source_language, target_language, source, target)
    }

    /// Writes what was recorded.
    pub fn write_tmx(&self, path: impl AsRef<Path>) -> Result<()> {
        calls::memory_write_tmx(&self.0, path.as_ref())
    }

    /// Forgets everything, in the file, too.
    pub fn clear(&self) -> Result<()> {
        calls::memory_clear(&self.0)
    }

    /// The contents of the memory, and the questions it was asked.
    pub fn counts(&self) -> Result<MemoryCounts> {
        calls::memory_stats(&self.0)
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_memory {
        self.0.pointer()
    }
}
