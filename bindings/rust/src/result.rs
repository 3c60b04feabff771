// SPDX-License-Identifier: Apache-2.0
use crate::made::calls;
use crate::owned::Owned;
use crate::sentence::Sentence;
use dragoman_sys as sys;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Translations of the inputs of one call, in their order. They never change; a clone is the same ones.
#[derive(Clone)]
pub struct Translations(Arc<Owned<sys::dragoman_result>>);

impl Translations {
    pub(crate) fn of(found: Owned<sys::dragoman_result>) -> Self {
        Translations(Arc::new(found))
    }

    /// The number in the call or job of the first input here: 0, except after
    /// [`Job::next_result`](crate::Job::next_result).
    pub fn first(&self) -> usize {
        calls::result_first(&self.0)
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        calls::result_count(&self.0)
    }

    /// Whether there was no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The translation of an input.
    pub fn get(&self, input: usize) -> Option<Translation> {
        let best = || Translation(Hypothesis { found: self.0.clone(), input, rank: 0 });
        (input < self.len()).then(best)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Translation> + ExactSizeIterator + '_ {
        (0..self.len()).map(move |input| self.get(input).expect("an input within the count"))
    }
}

impl fmt::Debug for Translations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl IntoIterator for &Translations {
    type Item = Translation;
    type IntoIter = std::vec::IntoIter<Translation>;
    fn into_iter(self) -> Self::IntoIter {
        self.clone().into_iter()
    }
}

impl IntoIterator for Translations {
    type Item = Translation;
    type IntoIter = std::vec::IntoIter<Translation>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

/// The translation of one input: its best hypothesis, which it dereferences to, and the list of all of them.
#[derive(Clone, Debug)]
pub struct Translation(Hypothesis);

impl Translation {
    /// Best first; at least one.
    pub fn hypotheses(&self) -> Vec<Hypothesis> {
        let Hypothesis { found, input, .. } = &self.0;
        let hypothesis = |rank| Hypothesis { found: found.clone(), input: *input, rank };
        (0..calls::result_hypothesis_count(found, *input)).map(hypothesis).collect()
    }
}

impl fmt::Display for Translation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The text; of a model without tokenizer the tokens, with spaces between.
impl fmt::Display for Hypothesis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => formatter.pad(text),
            Err(_) => formatter.pad(&self.tokens().join(" ")),
        }
    }
}

impl Deref for Translation {
    type Target = Hypothesis;
    fn deref(&self) -> &Hypothesis {
        &self.0
    }
}

/// One translation of an input. Ranges are in bytes, on character boundaries.
#[derive(Clone)]
pub struct Hypothesis {
    pub(crate) found: Arc<Owned<sys::dragoman_result>>,
    pub(crate) input: usize,
    pub(crate) rank: usize,
}

impl Hypothesis {
    /// Its sentences, in the order of the text; none for tokens and blank texts.
    pub fn sentences(&self) -> Vec<Sentence> {
        (0..calls::result_sentence_count(&self.found, self.input)).map(|place| Sentence::of(self, place)).collect()
    }
}
