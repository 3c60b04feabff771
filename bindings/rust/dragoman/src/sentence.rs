// SPDX-License-Identifier: Apache-2.0
use crate::made::enums::SentenceFlag;
use crate::owned::get;
use crate::result::Hypothesis;
use crate::text::{borrowed, spans, string, Matrix};
use dragoman_sys as sys;
use std::ops::Range;

/// A sentence of a text, or a part of one that was too long, and its translation. Ranges are in bytes.
#[derive(Clone, Debug)]
pub struct Sentence {
    owner: Hypothesis,
    place: usize,
    info: Info,
}

#[derive(Clone, Debug)]
struct Info(sys::dragoman_sentence);

// SAFETY: what it points to belongs to the owner's result, which never changes.
unsafe impl Send for Info {}
unsafe impl Sync for Info {}

/// A term of the glossary that a sentence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// In the text that was given.
    pub source: Range<usize>,
    /// The translation has what it must become.
    pub met: bool,
}

/// A segment of a translation memory that is like a sentence, and what it became.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The segment.
    pub source: String,
    /// Its translation.
    pub target: String,
    /// 1 - edits / number of words of the longer one.
    pub similarity: f32,
}

impl Sentence {
    pub(crate) fn of(owner: &Hypothesis, place: usize) -> Self {
        let (found, input, rank) = owner.at();
        let info = get(|info| unsafe { sys::dragoman_result_sentence(found, input, rank, place, info) });
        Sentence { owner: owner.clone(), place, info: Info(info) }
    }

    /// In the text that was given; with markup in its [`plain_source`](Hypothesis::plain_source).
    pub fn source(&self) -> Range<usize> {
        self.info.0.source_begin..self.info.0.source_end
    }

    /// In the hypothesis's text; with markup in its [`plain_text`](Hypothesis::plain_text).
    pub fn target(&self) -> Range<usize> {
        self.info.0.target_begin..self.info.0.target_end
    }

    /// In the source's tokens.
    pub fn source_tokens(&self) -> Range<usize> {
        self.info.0.source_token_begin..self.info.0.source_token_end
    }

    /// In the hypothesis's tokens.
    pub fn target_tokens(&self) -> Range<usize> {
        self.info.0.target_token_begin..self.info.0.target_token_end
    }

    /// As [`Hypothesis::score`].
    pub fn score(&self) -> f32 {
        self.info.0.score
    }

    /// As [`Hypothesis::quality`].
    pub fn quality(&self) -> f32 {
        self.info.0.quality
    }

    /// Its language (BCP 47) with the source language "auto"; else "".
    pub fn language(&self) -> &str {
        unsafe { borrowed(self.info.0.language) }
    }

    /// How sure that is, 0 to 1.
    pub fn language_probability(&self) -> f32 {
        self.info.0.language_probability
    }

    /// What a reader should know of it.
    pub fn flags(&self) -> Vec<SentenceFlag> {
        SentenceFlag::ALL.iter().copied().filter(|flag| self.has(*flag)).collect()
    }

    /// Whether that is so.
    pub fn has(&self, flag: SentenceFlag) -> bool {
        self.info.0.flags & flag as u32 != 0
    }

    /// Its translation.
    pub fn text(&self) -> &str {
        let whole = Some(self.owner.plain_text()).filter(|text| !text.is_empty());
        let whole = whole.or_else(|| self.owner.text().ok()).unwrap_or_default();
        whole.get(self.target()).unwrap_or_default()
    }

    /// Cross attention within it, as [`Hypothesis::attention`].
    pub fn attention(&self) -> Matrix<'_> {
        self.matrix(sys::dragoman_result_sentence_attention)
    }

    /// Its words in the text that was given; none unless `return_alignment` was set.
    pub fn source_words(&self) -> Vec<Range<usize>> {
        self.words(sys::dragoman_result_source_words)
    }

    /// The words of its translation, in the hypothesis's text; with `return_quality`, too.
    pub fn target_words(&self) -> Vec<Range<usize>> {
        self.words(sys::dragoman_result_target_words)
    }

    /// Which source words each target word stands for: a row for each, whose weights add up to 1. None unless
    /// `return_alignment` was set.
    pub fn alignment(&self) -> Matrix<'_> {
        self.matrix(sys::dragoman_result_sentence_alignment)
    }

    /// How probable it is that each word of the translation is right, 0 to 1; none unless `return_quality` or
    /// `quality_marks` was set.
    pub fn word_quality(&self) -> &[f32] {
        self.matrix(sys::dragoman_result_word_quality).data
    }

    /// Terms of the glossary that it has, in its order.
    pub fn terms(&self) -> Vec<Term> {
        let ((found, input, rank), place) = (self.owner.at(), self.place);
        let term = |index| {
            let term = get(|term| unsafe { sys::dragoman_result_term(found, input, rank, place, index, term) });
            Term { source: term.source_begin..term.source_end, met: term.met != 0 }
        };
        (0..unsafe { sys::dragoman_result_term_count(found, input, rank, place) }).map(term).collect()
    }

    /// Segments of the memory that are like it, the most similar first.
    pub fn matches(&self) -> Vec<Match> {
        let ((found, input, _), place) = (self.owner.at(), self.place);
        let segment = |index| unsafe {
            let one = get(|one| sys::dragoman_result_match(found, input, place, index, one));
            let (source, target) = (string(one.source).to_owned(), string(one.target).to_owned());
            Match { source, target, similarity: one.similarity }
        };
        (0..unsafe { sys::dragoman_result_match_count(found, input, place) }).map(segment).collect()
    }

    fn matrix(&self, function: Function<sys::dragoman_matrix>) -> Matrix<'_> {
        let (found, input, rank) = self.owner.at();
        unsafe { Matrix::of(get(|matrix| function(found, input, rank, self.place, matrix))) }
    }

    fn words(&self, function: Function<sys::dragoman_ranges>) -> Vec<Range<usize>> {
        let (found, input, rank) = self.owner.at();
        unsafe { spans(get(|words| function(found, input, rank, self.place, words))) }
    }
}

/// What C has for a sentence of a hypothesis of an input.
type Function<T> = unsafe extern "C" fn(*const sys::dragoman_result, usize, usize, usize, *mut T) -> i32;
