// SPDX-License-Identifier: Apache-2.0
use crate::error::{Error, Result};
use crate::events::Event;
use crate::job::Job;
use crate::result::Translations;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The events of a translation: an iterator that waits, or with [`Stream::next_event`] for `async`. An error is the
/// last item. Dropping it stops what is left.
#[derive(Debug)]
#[must_use = "dropping a stream cancels its translation"]
pub struct Stream {
    job: Job,
    found: Option<Result<Translations>>,
}

impl Stream {
    pub(crate) fn of(job: Job) -> Self {
        Stream { job, found: None }
    }

    /// The next event as a future; `None` after the last one.
    pub fn next_event(&mut self) -> NextEvent<'_> {
        NextEvent(self)
    }

    /// The same for other kinds of streams to be made of.
    pub fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event>>> {
        match self.job.events.poll(context) {
            Ok(event) => Poll::Ready(Some(Ok(event))),
            Err(true) => Poll::Ready(self.end().map(Err)),
            Err(false) => Poll::Pending,
        }
    }

    /// Asks the translation to stop soon.
    pub fn cancel(&self) -> Result<()> {
        self.job.cancel()
    }

    /// Waits until it has ended and gives the whole result, whose events need not have been taken.
    pub fn translations(&mut self) -> Result<Translations> {
        self.end();
        self.found.clone().expect("what the end has left")
    }

    /// The error that ended the stream, once.
    fn end(&mut self) -> Option<Error> {
        if self.found.is_some() {
            return None;
        }
        let found = self.job.take_result();
        let error = found.as_ref().err().cloned();
        self.found = Some(found);
        error
    }
}

impl Iterator for Stream {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.job.events.wait() {
            Some(event) => Some(Ok(event)),
            None => self.end().map(Err),
        }
    }
}

impl std::iter::FusedIterator for Stream {}

/// The future of [`Stream::next_event`].
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct NextEvent<'a>(&'a mut Stream);

impl Future for NextEvent<'_> {
    type Output = Option<Result<Event>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_event(context)
    }
}
