// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::events::{self, Events};
use crate::made::calls;
use crate::made::infos::JobInfo;
use crate::made::options::JobOptions;
use crate::owned::Owned;
use crate::result::Translations;
use crate::text::{Sequences, Strings};
use crate::translator::Translator;
use dragoman_sys as sys;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// A translation in the background: a future of its [`Translations`], which any executor can run. Any number of threads
/// may use it. Dropping it cancels what is left.
#[derive(Debug)]
#[must_use = "dropping a job cancels it"]
pub struct Job {
    handle: Owned<sys::dragoman_job>,
    pub(crate) events: Arc<Events>,
    _translator: Translator, // whose end would cancel the job
}

impl Job {
    pub(crate) fn submit(
        translator: &Translator,
        job: &JobOptions,
        sentences: bool,
        submit: impl FnOnce(&sys::dragoman_job_options) -> Result<Owned<sys::dragoman_job>>,
    ) -> Result<Self> {
        let events = Events::new();
        let made = job.with(|raw| {
            let each = if sentences { sys::DRAGOMAN_EVENTS_SENTENCE } else { 0 };
            let partial = if sentences && job.partial { sys::DRAGOMAN_EVENTS_PARTIAL } else { 0 };
            let events_wanted = sys::DRAGOMAN_EVENTS_END | each | partial;
            let (on_event, user) = (Some(events::on_event as _), events.user());
            submit(&sys::dragoman_job_options { on_event, user, events: events_wanted, ..*raw })
        });
        if made.is_err() {
            events.forget();
        }
        Ok(Job { handle: made?, events, _translator: translator.clone() })
    }

    /// The state of the job so far; does not wait.
    pub fn info(&self) -> Result<JobInfo> {
        calls::job_poll(&self.handle)
    }

    /// Waits until it has ended, or so long; `None`: without limit. Says whether it has ended.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<bool> {
        Ok(calls::job_wait(&self.handle, timeout)? != 0)
    }

    /// Asks it to stop soon. Its result is then [`Cancelled`](crate::Error::Cancelled).
    pub fn cancel(&self) -> Result<()> {
        calls::job_cancel(&self.handle)
    }

    /// Waits until it has ended and hands its result over, once.
    pub fn take_result(&self) -> Result<Translations> {
        calls::job_take_result(&self.handle).map(Translations::of)
    }

    /// Gives further texts to a job that was submitted with `fed`. Waits until there is room for one, or so long. Says
    /// how many of the first ones were taken.
    pub fn feed<T: AsRef<str>>(&self, texts: &[T], timeout: Option<Duration>) -> Result<usize> {
        calls::job_feed_texts(&self.handle, &Strings::of(texts), &Sequences::of(&[[""; 0]; 0]), timeout)
    }

    /// The same for a job of tokens.
    pub fn feed_tokens<S: AsRef<[T]>, T: AsRef<str>>(&self, sources: &[S], timeout: Option<Duration>) -> Result<usize> {
        calls::job_feed_tokens(&self.handle, &Sequences::of(sources), &Sequences::of(&[[""; 0]; 0]), timeout)
    }

    /// Says that a job that is fed gets no more.
    pub fn finish(&self) -> Result<()> {
        calls::job_finish(&self.handle)
    }

    /// Hands over the results of a job that is fed: those that are ready, in the order of the inputs. Waits for one, or
    /// so long. `None`: the time has passed, or everything was handed over.
    pub fn next_result(&self, timeout: Option<Duration>) -> Result<Option<Translations>> {
        Ok(calls::job_next_result(&self.handle, timeout)?.map(Translations::of))
    }
}

impl Future for Job {
    type Output = Result<Translations>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.events.ended(Some(context)) {
            Poll::Ready(self.take_result())
        } else {
            Poll::Pending
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.events.forget();
    }
}
