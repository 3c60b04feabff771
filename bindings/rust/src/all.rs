// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::job::Job;
use crate::result::Translation;
use std::collections::VecDeque;
use std::iter::Fuse;
use std::time::Duration;

/// Inputs that are fed at a time: enough for a batch, and the first translation need not wait for all of `ahead`.
const CHUNK: usize = 16;

/// The translations of what an iterator gives, in its order. An error is the last item. Dropping it stops what is left.
#[derive(Debug)]
pub struct TranslateAll<I: Iterator> {
    job: Job,
    texts: Fuse<I>,
    ahead: usize,
    read: Vec<String>,
    fed: usize,
    ready: VecDeque<Translation>,
    finished: bool,
    over: bool,
}

impl<I> TranslateAll<I>
where
    I: Iterator,
    I::Item: Into<String>,
{
    pub(crate) fn of(job: Job, texts: I) -> Self {
        let (read, ready) = (Vec::new(), VecDeque::new());
        TranslateAll { job, texts: texts.fuse(), ahead: 256, read, fed: 0, ready, finished: false, over: false }
    }

    /// At most so many texts are read whose translations have not come; default 256.
    #[must_use]
    pub fn ahead(mut self, texts: usize) -> Self {
        self.ahead = texts.max(1);
        self
    }

    /// Gives the job what there is room for.
    fn feed(&mut self) -> Result<()> {
        while !self.finished {
            let room = self.ahead.saturating_sub(self.fed + self.read.len()).min(CHUNK);
            self.read.extend(self.texts.by_ref().take(room).map(Into::into));
            if self.read.is_empty() {
                self.finished = self.fed < self.ahead;
                return if self.finished { self.job.finish() } else { Ok(()) };
            }
            let timeout = if self.fed > 0 { Some(Duration::ZERO) } else { None };
            let taken = self.job.feed(&self.read, timeout)?;
            self.read.drain(..taken);
            self.fed += taken;
            if !self.read.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<()> {
        self.feed()?;
        match self.job.next_result(None)? {
            Some(found) => {
                self.fed -= found.len();
                self.ready.extend(found);
            }
            None => self.over = true,
        }
        Ok(())
    }
}

impl<I> Iterator for TranslateAll<I>
where
    I: Iterator,
    I::Item: Into<String>,
{
    type Item = Result<Translation>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.over {
            if let Err(error) = self.fill() {
                self.over = true;
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
