// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from documents.h.
use crate::bindings::*;
use std::marker::{PhantomData, PhantomPinned};
use std::mem;
use std::os::raw::{c_char, c_void};


/// Formats of documents.
pub type dragoman_document_kind = i32;
/// found from the name and the bytes
pub const DRAGOMAN_DOCUMENT_UNKNOWN: dragoman_document_kind = 0;
/// plain text, "text"
pub const DRAGOMAN_DOCUMENT_TEXT: dragoman_document_kind = 1;
/// "html"
pub const DRAGOMAN_DOCUMENT_HTML: dragoman_document_kind = 2;
/// "xhtml"
pub const DRAGOMAN_DOCUMENT_XHTML: dragoman_document_kind = 3;
/// SubRip, "srt"
pub const DRAGOMAN_DOCUMENT_SRT: dragoman_document_kind = 4;
/// WebVTT, "vtt"
pub const DRAGOMAN_DOCUMENT_VTT: dragoman_document_kind = 5;
/// "markdown"
pub const DRAGOMAN_DOCUMENT_MARKDOWN: dragoman_document_kind = 6;
/// Word, "docx"
pub const DRAGOMAN_DOCUMENT_DOCX: dragoman_document_kind = 7;
/// PowerPoint, "pptx"
pub const DRAGOMAN_DOCUMENT_PPTX: dragoman_document_kind = 8;
/// Excel, "xlsx"
pub const DRAGOMAN_DOCUMENT_XLSX: dragoman_document_kind = 9;
/// OpenDocument text, "odt"
pub const DRAGOMAN_DOCUMENT_ODT: dragoman_document_kind = 10;
/// OpenDocument spreadsheet, "ods"
pub const DRAGOMAN_DOCUMENT_ODS: dragoman_document_kind = 11;
/// OpenDocument presentation, "odp"
pub const DRAGOMAN_DOCUMENT_ODP: dragoman_document_kind = 12;
/// "epub"
pub const DRAGOMAN_DOCUMENT_EPUB: dragoman_document_kind = 13;
/// gettext, "po"
pub const DRAGOMAN_DOCUMENT_PO: dragoman_document_kind = 14;
/// XLIFF 1.2 and 2, "xliff"
pub const DRAGOMAN_DOCUMENT_XLIFF: dragoman_document_kind = 15;
/// translation memory, "tmx"
pub const DRAGOMAN_DOCUMENT_TMX: dragoman_document_kind = 16;
/// string values, "json"
pub const DRAGOMAN_DOCUMENT_JSON: dragoman_document_kind = 17;
/// Flutter's JSON, "arb"
pub const DRAGOMAN_DOCUMENT_ARB: dragoman_document_kind = 18;
/// strings.xml, "android"
pub const DRAGOMAN_DOCUMENT_ANDROID: dragoman_document_kind = 19;
/// Apple's .strings, "strings"
pub const DRAGOMAN_DOCUMENT_STRINGS: dragoman_document_kind = 20;
/// SubStation Alpha, "ass"
pub const DRAGOMAN_DOCUMENT_ASS: dragoman_document_kind = 21;

/// Told after each text that is translated: how many of the document's are. Returns 0 to go on, anything else to
/// cancel. Runs on the thread of the call.
pub type dragoman_document_progress_fn = Option<unsafe extern "C" fn(
    done: usize,
    total: usize,
    user: *mut c_void,
) -> i32>;

/// A translated document in memory.
#[repr(C)]
pub struct dragoman_document {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// How a document is read and written.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_document_options {
    /// bytes of this struct, set by dragoman_document_options_init()
    pub struct_size: u32,
    /// a dragoman_document_kind; default: found
    pub format: i32,
    /// NULL (default): none
    pub progress: dragoman_document_progress_fn,
    /// for progress
    pub user: *mut c_void,
    /// a file that keeps finished sentences until the document is written, see dragoman_keep_answers(); NULL
    /// (default): none
    pub resume: *const c_char,
}

impl Default for dragoman_document_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

#[link(name = "dragoman_documents")]
extern "C" {
    /// The format of a document: by its bytes if they show it, otherwise by the end of its name. NULL is allowed for
    /// either. DRAGOMAN_DOCUMENT_UNKNOWN: neither tells. Any thread.
    pub fn dragoman_document_format(name: *const c_char, bytes: *const c_void, size: usize) -> i32;

    /// "docx" ...; "unknown" for any other number. Static storage. Any thread.
    pub fn dragoman_document_format_name(format: i32) -> *const c_char;

    /// The format of that name, as a user writes it; DRAGOMAN_DOCUMENT_UNKNOWN: there is none. Any thread.
    pub fn dragoman_document_format_named(name: *const c_char) -> i32;

    /// Translates the file `input` and writes `output`, which is there whole or not at all; an old file is replaced.
    /// Options that are NULL have their defaults; of several hypotheses the best is taken. The `progress` of `options`
    /// counts sentences, on the translator's own thread, that of `document_options` texts in their order. The message
    /// of a failure is in dragoman_document_error(). Any thread; waits.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also a document that is broken or goes beyond a limit),
    /// DRAGOMAN_UNSUPPORTED (a format that is not known), DRAGOMAN_IO_ERROR, DRAGOMAN_CANCELLED, and those of
    /// dragoman_translate_texts().
    pub fn dragoman_translate_document(
        translator: *mut dragoman_translator,
        input: *const c_char,
        output: *const c_char,
        options: *const dragoman_translate_options,
        document_options: *const dragoman_document_options,
    ) -> dragoman_status;

    /// The same from memory: `bytes` with a name, which may be NULL, from which the format is found. End the document
    /// with dragoman_document_destroy(). Statuses: those of dragoman_translate_document().
    pub fn dragoman_translate_document_bytes(
        translator: *mut dragoman_translator,
        name: *const c_char,
        bytes: *const c_void,
        size: usize,
        options: *const dragoman_translate_options,
        document_options: *const dragoman_document_options,
        document: *mut *mut dragoman_document,
    ) -> dragoman_status;

    /// Its bytes, borrowed; empty for NULL. Any thread.
    pub fn dragoman_document_bytes(document: *const dragoman_document) -> dragoman_string;

    /// Ends the handle and what was borrowed from it.
    pub fn dragoman_document_destroy(document: *mut dragoman_document);

    /// The message of this thread's latest failed call of this header. Never NULL. Lives until the next one.
    pub fn dragoman_document_error() -> *const c_char;
}
