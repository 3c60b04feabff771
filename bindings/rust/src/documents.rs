// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::made::document_calls as calls;
use crate::made::document_enums::DocumentKind;
use crate::made::document_options::DocumentOptions;
use crate::made::options::TranslateOptions;
use crate::text::slice;
use crate::translator::Translator;
use dragoman_sys as sys;
use std::path::Path;

/// The format of a document: by its bytes if they show it, otherwise by the end of its name; `Unknown`: neither does.
pub fn document_format(name: &str, content: &[u8]) -> DocumentKind {
    calls::document_format(name, content).map_or(DocumentKind::Unknown, DocumentKind::of)
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
        calls::translate_document(&self.0, path.as_ref(), out_path.as_ref(), options, how)
    }

    /// The same from memory to memory. `name`, as a file would have it, helps to find the format.
    pub fn translate_document_bytes(
        &self,
        content: &[u8],
        name: &str,
        options: &TranslateOptions,
        how: &DocumentOptions,
    ) -> Result<Vec<u8>> {
        let document = calls::translate_document_bytes(&self.0, name, content, options, how)?;
        // SAFETY: the bytes live as long as the document.
        let bytes = unsafe { sys::dragoman_document_bytes(document.pointer()) };
        Ok(unsafe { slice(bytes.data.cast::<u8>(), bytes.size) }.to_vec())
    }
}
