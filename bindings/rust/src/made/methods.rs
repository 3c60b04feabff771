// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use super::calls;
use crate::result::Hypothesis;
use crate::sentence::Sentence;
use crate::text::{borrowed, Matrix};
use crate::Result;
use std::fmt;
use std::ops::Range;

impl Hypothesis {
    /// The source tokens of an input, of all its sentences, before any cut.
    pub fn source_tokens(&self) -> Vec<&str> {
        calls::result_source_tokens(&self.found, self.input).expect("a place within the count")
    }

    /// For each of these tokens, the bytes of the given text that it stands for; a token that stands for nothing there
    /// has an empty range. Ranges are in order, on character boundaries, and those of a sentence cover each of its
    /// characters that is not white space. None for an input of tokens and with discard_tokens.
    pub fn source_ranges(&self) -> Vec<Range<usize>> {
        calls::result_source_ranges(&self.found, self.input).expect("a place within the count")
    }

    /// The text of a hypothesis, 0 being the best. [`Unsupported`](crate::Error::Unsupported) for a model without
    /// tokenizer.
    pub fn text(&self) -> Result<&str> {
        calls::result_text(&self.found, self.input, self.rank)
    }

    /// The texts of a document of markup without its tags: what the ranges of source tokens, sentences and words are
    /// places in. Empty unless the option `markup` was set; they are then places in the text that was given.
    pub fn plain_source(&self) -> &str {
        calls::result_plain_source(&self.found, self.input).expect("a place within the count")
    }

    /// The translations without the tags of the hypothesis's text, to which the ranges of target tokens, sentences and
    /// words are places in. Empty unless the option `markup` was set.
    pub fn plain_text(&self) -> &str {
        calls::result_plain_text(&self.found, self.input, self.rank).expect("a place within the count")
    }

    /// The target tokens of a hypothesis, of all its sentences.
    pub fn tokens(&self) -> Vec<&str> {
        calls::result_tokens(&self.found, self.input, self.rank).expect("a place within the count")
    }

    /// The bytes of the hypothesis's text that each of these tokens stands for, as [`Hypothesis::source_ranges`]. None
    /// for a model without tokenizer and with discard_tokens.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        calls::result_ranges(&self.found, self.input, self.rank).expect("a place within the count")
    }

    /// Sum of natural log-probabilities, normalised as length_penalty and coverage_penalty say; 0 unless return_scores
    /// was set. For a text of several sentences, the mean of theirs, weighted by target tokens.
    pub fn score(&self) -> f32 {
        calls::result_score(&self.found, self.input, self.rank).expect("a place within the count")
    }

    /// How good a translation probably is, 0 to 1: the chrF that a reference would give it, as estimated from what the
    /// search knew (docs/quality.md); 0 unless return_quality or quality_marks was set. For a text of several
    /// sentences, the mean of theirs, weighted by words.
    pub fn quality(&self) -> f32 {
        calls::result_quality(&self.found, self.input, self.rank).expect("a place within the count")
    }

    /// Cross attention of a hypothesis: a row per target token (end token included where it was reached and
    /// return_end_token set), a column per source token; columns of source tokens that were cut are 0. No rows and
    /// columns unless return_attention was set. [`Unsupported`](crate::Error::Unsupported) for a text of several
    /// sentences, which have [`Sentence::attention`].
    pub fn attention(&self) -> Result<Matrix<'_>> {
        calls::result_attention(&self.found, self.input, self.rank)
    }

    /// The alignment of a text in Pharaoh's format, "0-0 1-2": numbers of a source word and of a target word, counted
    /// from 0 over all sentences; for each target word the source word with the largest weight, and others with 0.4 or
    /// more. Empty unless return_alignment was set.
    pub fn pharaoh(&self) -> &str {
        calls::result_pharaoh(&self.found, self.input, self.rank).expect("a place within the count")
    }
}

/// The text, and the numbers that are not 0.
impl fmt::Debug for Hypothesis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Hypothesis");
        shown.field("text", &self.to_string());
        for (name, value) in [("score", self.score()), ("quality", self.quality())] {
            if value != 0.0 {
                shown.field(name, &value);
            }
        }
        shown.finish()
    }
}

impl Sentence {
    /// Attention within a sentence, as [`Hypothesis::attention`].
    pub fn attention(&self) -> Matrix<'_> {
        calls::result_sentence_attention(&self.owner.found, self.owner.input, self.owner.rank, self.place).expect("a place within the count")
    }

    /// Words of a sentence of a text, in bytes of the text that was given: letters and digits with what joins them
    /// inside, in scripts without spaces the words that a dictionary has, and marks. None unless return_alignment was
    /// set.
    pub fn source_words(&self) -> Vec<Range<usize>> {
        calls::result_source_words(&self.owner.found, self.owner.input, self.owner.rank, self.place).expect("a place within the count")
    }

    /// The words of a sentence's translation likewise, in bytes of the hypothesis's text; with return_quality, too.
    pub fn target_words(&self) -> Vec<Range<usize>> {
        calls::result_target_words(&self.owner.found, self.owner.input, self.owner.rank, self.place).expect("a place within the count")
    }

    /// How probable it is that each of these words is right, 0 to 1: a row with a column for each. What was carried
    /// over from the source has 1. No rows and columns unless return_quality or quality_marks was set.
    pub fn word_quality(&self) -> Matrix<'_> {
        calls::result_word_quality(&self.owner.found, self.owner.input, self.owner.rank, self.place).expect("a place within the count")
    }

    /// The source words for each word of a sentence's translation: a row per target word, a column per source word;
    /// the weights of a row add up to 1, or are all 0 where nothing is known. No rows and columns unless
    /// return_alignment was set.
    pub fn alignment(&self) -> Matrix<'_> {
        calls::result_sentence_alignment(&self.owner.found, self.owner.input, self.owner.rank, self.place).expect("a place within the count")
    }

    /// As [`Hypothesis::score`].
    pub fn score(&self) -> f32 {
        self.info.0.score
    }

    /// Where it is, in bytes of the text that was given.
    pub fn source(&self) -> Range<usize> {
        self.info.0.source_begin..self.info.0.source_end
    }

    /// Where it is, in bytes of the hypothesis's text.
    pub fn target(&self) -> Range<usize> {
        self.info.0.target_begin..self.info.0.target_end
    }

    /// Where they are, in [`Hypothesis::source_tokens`].
    pub fn source_tokens(&self) -> Range<usize> {
        self.info.0.source_token_begin..self.info.0.source_token_end
    }

    /// Where they are, in [`Hypothesis::tokens`].
    pub fn target_tokens(&self) -> Range<usize> {
        self.info.0.target_token_begin..self.info.0.target_token_end
    }

    /// BCP 47, with source_language "auto"; otherwise "". Borrowed from the result.
    pub fn language(&self) -> &str {
        unsafe { borrowed(self.info.0.language) }
    }

    /// Of that language; 0 to 1.
    pub fn language_probability(&self) -> f32 {
        self.info.0.language_probability
    }

    /// As [`Hypothesis::quality`].
    pub fn quality(&self) -> f32 {
        self.info.0.quality
    }

    /// Share of the source's words that the translation reaches, 0 to 1 (docs/coverage.md); 0 without return_coverage.
    pub fn coverage(&self) -> f32 {
        self.info.0.coverage
    }

    /// Words of the longest run that it does not reach; 0: it reaches all.
    pub fn uncovered_words(&self) -> u32 {
        self.info.0.uncovered_words
    }

    /// That run's: bytes of the text that was given.
    pub fn uncovered(&self) -> Range<usize> {
        self.info.0.uncovered_begin..self.info.0.uncovered_end
    }
}

/// The text, and the numbers that are not 0.
impl fmt::Debug for Sentence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Sentence");
        shown.field("text", &self.text());
        for (name, value) in [("score", self.score()), ("language_probability", self.language_probability()), ("quality", self.quality()), ("coverage", self.coverage())] {
            if value != 0.0 {
                shown.field(name, &value);
            }
        }
        shown.finish()
    }
}
