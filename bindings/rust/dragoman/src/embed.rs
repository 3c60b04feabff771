// SPDX-License-Identifier: Apache-2.0
use crate::owned::{get, Owned};
use crate::text::{spans, tokens, Matrix};
use dragoman_sys as sys;
use std::ops::Range;

/// Vectors of texts, in their order. They never change.
#[derive(Debug)]
pub struct Vectors(Owned<sys::dragoman_vectors>);

impl Vectors {
    pub(crate) fn of(vectors: Owned<sys::dragoman_vectors>) -> Self {
        Vectors(vectors)
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        unsafe { sys::dragoman_vectors_count(self.0.pointer()) }
    }

    /// Whether there was no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers in each vector.
    pub fn width(&self) -> usize {
        unsafe { sys::dragoman_vectors_width(self.0.pointer()) }
    }

    /// Those of all texts, one after the other.
    pub fn all(&self) -> Matrix<'_> {
        unsafe { Matrix::of(get(|rows| sys::dragoman_vectors_all(self.0.pointer(), rows))) }
    }

    /// The vectors of a text: one row, or with [`Pooling::Tokens`](crate::Pooling::Tokens) one for each token.
    pub fn get(&self, text: usize) -> Option<Matrix<'_>> {
        let rows = || unsafe { Matrix::of(get(|rows| sys::dragoman_vectors_get(self.0.pointer(), text, rows))) };
        (text < self.len()).then(rows)
    }

    /// The tokens that the encoder read, with those around the text, and what of it each stands for, in bytes.
    pub fn tokens(&self, text: usize) -> Option<(Vec<&str>, Vec<Range<usize>>)> {
        let vectors = self.0.pointer();
        let read = || unsafe {
            (
                tokens(get(|list| sys::dragoman_vectors_tokens(vectors, text, list))),
                spans(get(|ranges| sys::dragoman_vectors_ranges(vectors, text, ranges))),
            )
        };
        (text < self.len()).then(read)
    }
}
