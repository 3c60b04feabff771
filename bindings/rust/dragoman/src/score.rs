// SPDX-License-Identifier: Apache-2.0
use crate::owned::{get, Owned};
use crate::text::{spans, tokens, Matrix};
use dragoman_sys as sys;
use std::ops::Range;

/// How probable given translations are, pair by pair.
#[derive(Debug)]
pub struct Scores(Owned<sys::dragoman_scores>);

/// That of one pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Score<'a> {
    /// The tokens that were scored, end token last.
    pub tokens: Vec<&'a str>,
    /// The natural log-probability of each of them.
    pub log_probs: &'a [f32],
    /// What of a text each stands for, in bytes; the end's is empty. None for tokens.
    pub ranges: Vec<Range<usize>>,
}

impl Scores {
    pub(crate) fn of(scores: Owned<sys::dragoman_scores>) -> Self {
        Scores(scores)
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        unsafe { sys::dragoman_scores_count(self.0.pointer()) }
    }

    /// Whether there was no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// That of a pair.
    pub fn get(&self, pair: usize) -> Option<Score<'_>> {
        let scores = self.0.pointer();
        let score = || unsafe {
            Score {
                tokens: tokens(get(|list| sys::dragoman_scores_tokens(scores, pair, list))),
                log_probs: Matrix::of(get(|matrix| sys::dragoman_scores_log_probs(scores, pair, matrix))).data,
                ranges: spans(get(|ranges| sys::dragoman_scores_ranges(scores, pair, ranges))),
            }
        };
        (pair < self.len()).then(score)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Score<'_>> {
        (0..self.len()).filter_map(move |pair| self.get(pair))
    }
}
