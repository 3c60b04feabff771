// SPDX-License-Identifier: Apache-2.0
use crate::made::calls;
use crate::made::enums::SentenceFlag;
use crate::result::Hypothesis;
use crate::text::string;
use dragoman_sys as sys;
use std::ops::Range;

/// A sentence of a text, or a part of one that was too long, and its translation. Ranges are in bytes; with markup those
/// of the source are places in [`plain_source`](Hypothesis::plain_source), and others in
/// [`plain_text`](Hypothesis::plain_text).
#[derive(Clone)]
pub struct Sentence {
    pub(crate) owner: Hypothesis,
    pub(crate) place: usize,
    pub(crate) info: Info,
}

#[derive(Clone)]
pub(crate) struct Info(pub(crate) sys::dragoman_sentence);

// SAFETY: what it points to belongs to the owner's result, which never changes.
unsafe impl Send for Info {}
unsafe impl Sync for Info {}

/// A term of the glossary that a sentence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its bytes in the given text.
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
        let info = calls::result_sentence(&owner.found, owner.input, owner.rank, place);
        Sentence { owner: owner.clone(), place, info: Info(info.expect("a place within the count")) }
    }

    /// Facts about the sentence that a reader should know.
    pub fn flags(&self) -> Vec<SentenceFlag> {
        SentenceFlag::ALL.iter().copied().filter(|flag| self.has(*flag)).collect()
    }

    /// Whether that is so.
    pub fn has(&self, flag: SentenceFlag) -> bool {
        self.info.0.flags & flag as u32 != 0
    }

    /// Its translation.
    pub fn text(&self) -> &str {
        let plain = Some(self.owner.plain_text()).filter(|text| !text.is_empty());
        let whole = plain.or_else(|| self.owner.text().ok()).unwrap_or_default();
        whole.get(self.target()).unwrap_or_default()
    }

    /// Terms of the glossary that it has, in its order.
    pub fn terms(&self) -> Vec<Term> {
        let (Hypothesis { found, input, rank }, place) = (&self.owner, self.place);
        let term = |index| {
            let term = calls::result_term(found, *input, *rank, place, index).ok()?;
            Some(Term { source: term.source_begin..term.source_end, met: term.met != 0 })
        };
        (0..calls::result_term_count(found, *input, *rank, place)).filter_map(term).collect()
    }

    /// Segments of the memory that are like it, the most similar first.
    pub fn matches(&self) -> Vec<Match> {
        let (Hypothesis { found, input, .. }, place) = (&self.owner, self.place);
        let segment = |index| {
            let one = calls::result_match(found, *input, place, index).ok()?;
            // SAFETY: both live as long as the result.
            let (source, target) = unsafe { (string(one.source).to_owned(), string(one.target).to_owned()) };
            Some(Match { source, target, similarity: one.similarity })
        };
        (0..calls::result_match_count(found, *input, place)).filter_map(segment).collect()
    }
}
