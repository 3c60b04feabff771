// SPDX-License-Identifier: Apache-2.0
//! Texts on their way into C and back.
use crate::error::{Error, Result};
use dragoman_sys as sys;
use std::ffi::{CStr, CString, OsStr};
use std::ops::{Deref, Range};
use std::os::raw::c_char;
use std::path::Path;
use std::ptr::null;

/// A path, name or language of an option, which ends with a zero byte in C.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text(Option<std::result::Result<CString, String>>);

impl Text {
    pub(crate) fn of(value: &OsStr) -> Self {
        let given = value.to_str().ok_or_else(|| format!("{value:?} is not UTF-8"));
        Text(Some(given.and_then(|text| {
            CString::new(text).map_err(|zero| format!("{text:?} has a zero byte at {}", zero.nul_position()))
        })))
    }

    /// Null without a value.
    pub(crate) fn pointer(&self, name: &str) -> Result<*const c_char> {
        match &self.0 {
            None => Ok(null()),
            Some(Ok(text)) => Ok(text.as_ptr()),
            Some(Err(fault)) => Err(Error::InvalidArgument(format!("{name}: {fault}"))),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::of(text.as_ref())
    }
}

impl From<&Path> for Text {
    fn from(path: &Path) -> Self {
        Text::of(path.as_os_str())
    }
}

impl From<Option<&Path>> for Text {
    fn from(path: Option<&Path>) -> Self {
        path.map_or_else(Text::default, Text::from)
    }
}

pub(crate) fn view(text: &str) -> sys::dragoman_string {
    sys::dragoman_string { data: text.as_ptr().cast(), size: text.len() }
}

/// Several texts as C sees them; they borrow from the caller's.
pub(crate) struct Strings(Vec<sys::dragoman_string>);

impl Strings {
    pub(crate) fn of<T: AsRef<str>>(texts: &[T]) -> Self {
        Strings(texts.iter().map(|text| view(text.as_ref())).collect())
    }
}

impl Deref for Strings {
    type Target = [sys::dragoman_string];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Several sequences of tokens likewise.
pub(crate) struct Sequences {
    _tokens: Vec<sys::dragoman_string>,
    lists: Vec<sys::dragoman_tokens>,
}

impl Sequences {
    pub(crate) fn of<S: AsRef<[T]>, T: AsRef<str>>(sequences: &[S]) -> Self {
        let tokens: Vec<_> = sequences.iter().flat_map(|one| one.as_ref()).map(|token| view(token.as_ref())).collect();
        let mut begin = 0;
        let mut list = |one: &S| {
            let count = one.as_ref().len();
            begin += count;
            sys::dragoman_tokens { data: tokens[begin - count..].as_ptr(), count }
        };
        let lists = sequences.iter().map(&mut list).collect();
        Sequences { _tokens: tokens, lists }
    }
}

impl Deref for Sequences {
    type Target = [sys::dragoman_tokens];
    fn deref(&self) -> &Self::Target {
        &self.lists
    }
}

/// The first element for C; null where there are none, which is C's default.
pub(crate) fn pointer_of<T>(elements: &[T]) -> *const T {
    if elements.is_empty() {
        null()
    } else {
        elements.as_ptr()
    }
}

/// The characters before the first fault: the library gives UTF-8, so all of them.
fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes)
        .unwrap_or_else(|error| std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default())
}

/// A field with room for a text.
pub(crate) fn chars(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

// These values borrow from the library: the caller decides how long they live.

/// A slice of C's array.
pub(crate) unsafe fn slice<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, count)
    }
}

/// A text that ends with a zero byte, or is absent.
pub(crate) unsafe fn borrowed<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        ""
    } else {
        utf8(CStr::from_ptr(text).to_bytes())
    }
}

/// Words with commas between them.
#[cfg(feature = "models")]
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

pub(crate) unsafe fn text_or_none<'a>(text: *const c_char) -> Option<&'a str> {
    (!text.is_null()).then(|| borrowed(text))
}

/// The same for a string with its length.
pub(crate) unsafe fn string<'a>(text: sys::dragoman_string) -> &'a str {
    utf8(slice(text.data.cast(), text.size))
}

pub(crate) unsafe fn tokens<'a>(tokens: sys::dragoman_tokens) -> Vec<&'a str> {
    slice(tokens.data, tokens.count).iter().map(|token| string(*token)).collect()
}

pub(crate) unsafe fn owned_tokens(raw: sys::dragoman_tokens) -> Vec<String> {
    tokens(raw).into_iter().map(str::to_owned).collect()
}

pub(crate) fn span(range: &sys::dragoman_range) -> Range<usize> {
    range.begin..range.end
}

pub(crate) unsafe fn spans(ranges: sys::dragoman_ranges) -> Vec<Range<usize>> {
    slice(ranges.data, ranges.count).iter().map(span).collect()
}

/// Numbers in rows, borrowed from what gave them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<'a> {
    /// Row after row.
    pub data: &'a [f32],
    /// 0: there is no matrix.
    pub rows: usize,
    /// Numbers in each row.
    pub cols: usize,
}

impl<'a> Matrix<'a> {
    pub(crate) unsafe fn of(raw: sys::dragoman_matrix) -> Self {
        Matrix { data: slice(raw.data, raw.rows * raw.cols), rows: raw.rows, cols: raw.cols }
    }

    /// A row, which must be less than `rows`.
    pub fn row(&self, row: usize) -> &'a [f32] {
        &self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &'a [f32]> {
        let rows = *self;
        (0..self.rows).map(move |row| rows.row(row))
    }
}
