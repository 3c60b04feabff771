// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::owned::{get, read, Owned};
use crate::sentence::Sentence;
use crate::text::{spans, string, tokens, Matrix};
use dragoman_sys as sys;
use std::ops::{Deref, Range};
use std::sync::Arc;

pub(crate) type Found = Arc<Owned<sys::dragoman_result>>;

/// Translations of the inputs of one call, in their order. They never change; a clone is the same ones.
#[derive(Clone, Debug)]
pub struct Translations(Found);

impl Translations {
    pub(crate) fn of(found: Owned<sys::dragoman_result>) -> Self {
        Translations(Arc::new(found))
    }

    /// Which input of the call or job the first one here is: 0, except after
    /// [`Job::next_result`](crate::Job::next_result).
    pub fn first(&self) -> usize {
        unsafe { sys::dragoman_result_first(self.0.pointer()) }
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        unsafe { sys::dragoman_result_count(self.0.pointer()) }
    }

    /// Whether there was no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The translation of an input.
    pub fn get(&self, input: usize) -> Option<Translation> {
        let hypothesis = || Translation(Hypothesis { found: self.0.clone(), input, rank: 0 });
        (input < self.len()).then(hypothesis)
    }

    /// All of them.
    pub fn iter(&self) -> TranslationsIter {
        TranslationsIter { found: self.clone(), left: 0..self.len() }
    }
}

impl IntoIterator for Translations {
    type Item = Translation;
    type IntoIter = TranslationsIter;
    fn into_iter(self) -> TranslationsIter {
        self.iter()
    }
}

impl IntoIterator for &Translations {
    type Item = Translation;
    type IntoIter = TranslationsIter;
    fn into_iter(self) -> TranslationsIter {
        self.iter()
    }
}

/// The translations of a call, one after the other.
#[derive(Clone, Debug)]
pub struct TranslationsIter {
    found: Translations,
    left: Range<usize>,
}

impl Iterator for TranslationsIter {
    type Item = Translation;
    fn next(&mut self) -> Option<Translation> {
        self.found.get(self.left.next()?)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for TranslationsIter {}

/// The translation of one input: its best hypothesis, which it dereferences to, and the list of all of them.
#[derive(Clone, Debug)]
pub struct Translation(Hypothesis);

impl Translation {
    /// Best first; at least one.
    pub fn hypotheses(&self) -> Vec<Hypothesis> {
        let Hypothesis { found, input, .. } = &self.0;
        let count = unsafe { sys::dragoman_result_hypothesis_count(found.pointer(), *input) };
        (0..count).map(|rank| Hypothesis { found: found.clone(), input: *input, rank }).collect()
    }
}

impl Deref for Translation {
    type Target = Hypothesis;
    fn deref(&self) -> &Hypothesis {
        &self.0
    }
}

/// One translation of an input. Ranges are in bytes, on character boundaries.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    pub(crate) found: Found,
    pub(crate) input: usize,
    pub(crate) rank: usize,
}

impl Hypothesis {
    pub(crate) fn at(&self) -> (*const sys::dragoman_result, usize, usize) {
        (self.found.pointer(), self.input, self.rank)
    }

    /// The text; [`Unsupported`](crate::Error::Unsupported) for a model without tokenizer.
    pub fn text(&self) -> Result<&str> {
        let (found, input, rank) = self.at();
        Ok(unsafe { string(read(|text| sys::dragoman_result_text(found, input, rank, text))?) })
    }

    /// With [`markup`](crate::TranslateOptions::markup) the texts that were given without tags, which ranges of the
    /// source are places in; else empty: they are places in what was given.
    pub fn plain_source(&self) -> &str {
        let (found, input, _) = self.at();
        unsafe { string(get(|text| sys::dragoman_result_plain_source(found, input, text))) }
    }

    /// Likewise the translations without tags.
    pub fn plain_text(&self) -> &str {
        let (found, input, rank) = self.at();
        unsafe { string(get(|text| sys::dragoman_result_plain_text(found, input, rank, text))) }
    }

    /// Tokens of all sentences, as the model's vocabulary spells them.
    pub fn tokens(&self) -> Vec<&str> {
        let (found, input, rank) = self.at();
        unsafe { tokens(get(|list| sys::dragoman_result_tokens(found, input, rank, list))) }
    }

    /// The source's, before any cut.
    pub fn source_tokens(&self) -> Vec<&str> {
        let (found, input, _) = self.at();
        unsafe { tokens(get(|list| sys::dragoman_result_source_tokens(found, input, list))) }
    }

    /// What of the text each token stands for; none without a tokenizer and with `discard_tokens`.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let (found, input, rank) = self.at();
        unsafe { spans(get(|ranges| sys::dragoman_result_ranges(found, input, rank, ranges))) }
    }

    /// What of the text that was given each source token stands for; none for an input of tokens.
    pub fn source_ranges(&self) -> Vec<Range<usize>> {
        let (found, input, _) = self.at();
        unsafe { spans(get(|ranges| sys::dragoman_result_source_ranges(found, input, ranges))) }
    }

    /// Sum of natural log-probabilities, normalised as the penalties say; of several sentences their mean, weighted by
    /// target tokens. 0 unless `return_scores` was set.
    pub fn score(&self) -> f32 {
        let (found, input, rank) = self.at();
        get(|score| unsafe { sys::dragoman_result_score(found, input, rank, score) })
    }

    /// How good it probably is, 0 to 1; of several sentences their mean, weighted by words. 0 unless `return_quality`
    /// or `quality_marks` was set.
    pub fn quality(&self) -> f32 {
        let (found, input, rank) = self.at();
        get(|quality| unsafe { sys::dragoman_result_quality(found, input, rank, quality) })
    }

    /// Cross attention: a row per target token, a column per source token; none unless `return_attention` was set.
    /// [`Unsupported`](crate::Error::Unsupported) for a text of several sentences, each of which has its own.
    pub fn attention(&self) -> Result<Matrix<'_>> {
        let (found, input, rank) = self.at();
        Ok(unsafe { Matrix::of(read(|matrix| sys::dragoman_result_attention(found, input, rank, matrix))?) })
    }

    /// The alignment in Pharaoh's format, "0-0 1-2": source word and target word, counted over all sentences; empty
    /// unless `return_alignment` was set.
    pub fn pharaoh(&self) -> &str {
        let (found, input, rank) = self.at();
        unsafe { string(get(|links| sys::dragoman_result_pharaoh(found, input, rank, links))) }
    }

    /// Its sentences, in the order of the text; none for tokens and blank texts.
    pub fn sentences(&self) -> Vec<Sentence> {
        let count = unsafe { sys::dragoman_result_sentence_count(self.found.pointer(), self.input) };
        (0..count).map(|place| Sentence::of(self, place)).collect()
    }
}
