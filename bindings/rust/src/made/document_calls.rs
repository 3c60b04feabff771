// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from documents.h.
use super::document_options::*;
use super::options::*;
use crate::error::*;
use crate::owned::*;
use crate::text::*;
use dragoman_sys as sys;

pub(crate) fn document_format(name: impl Into<Text>, bytes: &[u8]) -> Result<i32> {
    let name: Text = name.into();
    let name = name.pointer("name")?;
    Ok(unsafe { sys::dragoman_document_format(name, pointer_of(bytes).cast(), bytes.len() as _) })
}

pub(crate) fn document_format_named(name: impl Into<Text>) -> Result<i32> {
    let name: Text = name.into();
    let name = name.pointer("name")?;
    Ok(unsafe { sys::dragoman_document_format_named(name) })
}

pub(crate) fn translate_document(
    translator: &Owned<sys::dragoman_translator>,
    input: impl Into<Text>,
    output: impl Into<Text>,
    options: &TranslateOptions,
    document_options: &DocumentOptions,
) -> Result<()> {
    let input: Text = input.into();
    let input = input.pointer("input")?;
    let output: Text = output.into();
    let output = output.pointer("output")?;
    options.with(|options| {
        document_options.with(|document_options| {
            check_document(unsafe { sys::dragoman_translate_document(translator.pointer(), input, output, options, document_options) })
        })
    })
}

pub(crate) fn translate_document_bytes(
    translator: &Owned<sys::dragoman_translator>,
    name: impl Into<Text>,
    bytes: &[u8],
    options: &TranslateOptions,
    document_options: &DocumentOptions,
) -> Result<Owned<sys::dragoman_document>> {
    let name: Text = name.into();
    let name = name.pointer("name")?;
    options.with(|options| {
        document_options.with(|document_options| {
            Owned::document_made(|out| unsafe { sys::dragoman_translate_document_bytes(translator.pointer(), name, pointer_of(bytes).cast(), bytes.len() as _, options, document_options, out) })
        })
    })
}
