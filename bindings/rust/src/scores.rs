// SPDX-License-Identifier: Apache-2.0
//! Scores of given translations, and vectors of texts.
use crate::made::calls;
use crate::owned::Owned;
use crate::text::Matrix;
use crate::Result;
use dragoman_sys as sys;
use std::ops::Range;

/// How probable given translations are, pair by pair.
#[derive(Debug)]
pub struct Scores(pub(crate) Owned<sys::dragoman_scores>);

/// That of one pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Score<'a> {
    /// The tokens that were scored, end token last.
    pub tokens: Vec<&'a str>,
    /// The natural log-probability of each of them.
    pub log_probs: &'a [f32],
    /// The bytes of a text that each token stands for; the end's are empty. None for tokens.
    pub ranges: Vec<Range<usize>>,
}

impl Scores {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        calls::scores_count(&self.0)
    }

    /// Whether there was no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// That of a pair; an error for one that is out of range.
    pub fn get(&self, pair: usize) -> Result<Score<'_>> {
        let (tokens, log_probs) = (calls::scores_tokens(&self.0, pair)?, calls::scores_log_probs(&self.0, pair)?.data);
        Ok(Score { tokens, log_probs, ranges: calls::scores_ranges(&self.0, pair)? })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Score<'_>> {
        (0..self.len()).filter_map(move |pair| self.get(pair).ok())
    }
}

/// Vectors of texts, in their order. They never change.
#[derive(Debug)]
pub struct Vectors(pub(crate) Owned<sys::dragoman_vectors>);

impl Vectors {
    /// Number of texts.
    pub fn len(&self) -> usize {
        calls::vectors_count(&self.0)
    }

    /// Whether there was no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers in each vector.
    pub fn width(&self) -> usize {
        calls::vectors_width(&self.0)
    }

    /// The vectors of all texts, one after the other.
    pub fn all(&self) -> Result<Matrix<'_>> {
        calls::vectors_all(&self.0)
    }

    /// The vectors of a text: one row, or with [`Pooling::Tokens`](crate::Pooling::Tokens) one for each token.
    pub fn get(&self, text: usize) -> Result<Matrix<'_>> {
        calls::vectors_get(&self.0, text)
    }

    /// The tokens that the encoder read, with those around the text, and what of it each stands for, in bytes.
    pub fn tokens(&self, text: usize) -> Result<(Vec<&str>, Vec<Range<usize>>)> {
        Ok((calls::vectors_tokens(&self.0, text)?, calls::vectors_ranges(&self.0, text)?))
    }
}
