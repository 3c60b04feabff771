// SPDX-License-Identifier: Apache-2.0
use crate::error::{Error, Result};
use crate::job::Job;
use crate::result::Translation;
use std::collections::VecDeque;
use std::iter::Fuse;
use std::time::{Duration, Instant};

/// So long an iterator may take for texts while a translation waits.
const QUICK: Duration = Duration::from_millis(1);

/// The translations of what an iterator gives, in its order. Each comes when it is done and the text after it has been
/// read, so an iterator must not wait for the translation of the text before. An error is the last item, after the
/// translations of the texts before it. Dropping it stops what is left.
#[derive(Debug)]
#[must_use = "iterators are lazy"]
pub struct TranslateAll<I: Iterator> {
    job: Job,
    texts: Fuse<I>,
    ahead: usize,
    held: Option<String>,
    fed: usize,
    taken: usize,
    ready: VecDeque<Translation>,
    fault: Option<Error>,
    finished: bool,
    over: bool,
}

impl<I: Iterator<Item = T>, T: Into<String>> TranslateAll<I> {
    pub(crate) fn of(job: Job, texts: I) -> Self {
        let (texts, ready) = (texts.fuse(), VecDeque::new());
        let (held, fault, ahead, fed, taken) = (None, None, 256, 0, 0);
        TranslateAll { job, texts, ahead, held, fed, taken, ready, fault, finished: false, over: false }
    }

    /// At most so many texts are read whose translations have not come; default 256.
    pub fn ahead(mut self, texts: usize) -> Self {
        self.ahead = texts.max(1);
        self
    }

    /// Reads a text and gives it to the job; false where there is no room, or there are no more.
    fn feed(&mut self) -> Result<bool> {
        if self.finished || self.fed - self.taken >= self.ahead {
            return Ok(false);
        }
        let text = match self.held.take().or_else(|| self.texts.next().map(Into::into)) {
            Some(text) => text,
            None => return self.finish().map(|_| false),
        };
        match self.job.feed(&[&text], Some(Duration::ZERO)) {
            Ok(0) => self.held = Some(text),
            Ok(_) => self.fed += 1,
            Err(error) => {
                let message = error.message().replacen("[0]", &format!("[{}]", self.fed), 1); // among all texts
                self.fault = Some(Error::of(error.status() as i32, message));
                self.finish()?;
            }
        }
        Ok(self.held.is_none() && !self.finished)
    }

    fn finish(&mut self) -> Result<()> {
        self.finished = true;
        self.job.finish()
    }

    /// Waits for a translation, and reads texts meanwhile.
    fn fill(&mut self) -> Result<()> {
        let begin = Instant::now();
        while self.ready.is_empty() || begin.elapsed() < QUICK {
            let more = self.feed()?;
            let timeout = if more || !self.ready.is_empty() { Some(Duration::ZERO) } else { None };
            match self.job.next_result(timeout)? {
                Some(found) => {
                    self.taken += found.len();
                    self.ready.extend(found);
                }
                None if more => {}
                None => {
                    self.over = self.ready.is_empty();
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl<I: Iterator<Item = T>, T: Into<String>> Iterator for TranslateAll<I> {
    type Item = Result<Translation>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.over {
            if let Err(error) = self.fill() {
                self.over = true;
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok).or_else(|| self.fault.take().map(Err))
    }
}

impl<I: Iterator<Item = T>, T: Into<String>> std::iter::FusedIterator for TranslateAll<I> {}
