// SPDX-License-Identifier: Apache-2.0
use crate::error::{check, Result};
use crate::events::{self, Events};
use crate::made::infos::JobInfo;
use crate::owned::{read, Owned};
use crate::result::Translations;
use crate::text::{pointer_of, Sequences, Strings};
use crate::translator::Translator;
use dragoman_sys as sys;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// How a job is run.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    priority: i32,
    fed: bool,
    partial: bool,
    sentences: bool,
}

impl JobOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Higher ones go first, equal ones share, short ones overtake; default 0.
    #[must_use]
    pub fn priority(mut self, value: i32) -> Self {
        self.priority = value;
        self
    }

    /// Inputs may follow, see [`Job::feed`]; default false.
    #[must_use]
    pub fn fed(mut self, value: bool) -> Self {
        self.fed = value;
        self
    }

    /// Of streams: also the best translation so far of sentences at work; default false.
    #[must_use]
    pub fn partial(mut self, value: bool) -> Self {
        self.partial = value;
        self
    }

    pub(crate) fn sentences(mut self, value: bool) -> Self {
        self.sentences = value;
        self
    }

    fn events(&self) -> u32 {
        let sentences = if self.sentences { sys::DRAGOMAN_EVENTS_SENTENCE } else { 0 };
        let partial = if self.sentences && self.partial { sys::DRAGOMAN_EVENTS_PARTIAL } else { 0 };
        sys::DRAGOMAN_EVENTS_END | sentences | partial
    }
}

/// A translation in the background: a future of its [`Translations`], which any executor can run. Any number of threads
/// may use it. Dropping it cancels what is left.
#[derive(Debug)]
pub struct Job {
    handle: Owned<sys::dragoman_job>,
    pub(crate) events: Arc<Events>,
    _translator: Translator, // whose end would cancel the job
}

impl Job {
    pub(crate) fn submit(
        translator: &Translator,
        options: &sys::dragoman_translate_options,
        job: &JobOptions,
        submit: impl FnOnce(
            &sys::dragoman_translate_options,
            *const sys::dragoman_job_options,
            *mut *mut sys::dragoman_job,
        ) -> i32,
    ) -> Result<Self> {
        let mut options = *options;
        options.progress = None; // the events say it, and nobody waits in this call
        let events = Events::new();
        let raw = sys::dragoman_job_options {
            priority: job.priority,
            on_event: Some(events::on_event),
            user: events.user(),
            events: job.events(),
            fed: job.fed.into(),
            ..Default::default()
        };
        let handle = Owned::made(|made| submit(&options, &raw, made)).map_err(|error| {
            events.forget();
            error
        })?;
        Ok(Job { handle, events, _translator: translator.clone() })
    }

    /// What has become of it so far; does not wait.
    pub fn info(&self) -> Result<JobInfo> {
        Ok(JobInfo::of(&read(|info| unsafe { sys::dragoman_job_poll(self.handle.pointer(), info) })?))
    }

    /// Waits until it has ended, or so long; `None`: without limit. Says whether it has ended.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<bool> {
        let ended =
            read(|ended| unsafe { sys::dragoman_job_wait(self.handle.pointer(), milliseconds(timeout), ended) })?;
        Ok(ended != 0)
    }

    /// Asks it to stop soon. Its result is then [`Cancelled`](crate::Error::Cancelled).
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { sys::dragoman_job_cancel(self.handle.pointer()) })
    }

    /// Waits until it has ended and hands its result over, once.
    pub fn take_result(&self) -> Result<Translations> {
        Owned::made(|made| unsafe { sys::dragoman_job_take_result(self.handle.pointer(), made) }).map(Translations::of)
    }

    /// Gives further texts to a job that was submitted with `fed`. Waits until there is room for one, or so long. Says
    /// how many of the first ones were taken.
    pub fn feed<T: AsRef<str>>(&self, texts: &[T], timeout: Option<Duration>) -> Result<usize> {
        let (given, job, limit) = (Strings::of(texts), self.handle.pointer(), milliseconds(timeout));
        let (data, none) = (pointer_of(&given), std::ptr::null());
        read(|taken| unsafe { sys::dragoman_job_feed_texts(job, data, given.len(), none, limit, taken) })
    }

    /// The same for a job of tokens.
    pub fn feed_tokens<S: AsRef<[T]>, T: AsRef<str>>(&self, sources: &[S], timeout: Option<Duration>) -> Result<usize> {
        let (given, job, limit) = (Sequences::of(sources), self.handle.pointer(), milliseconds(timeout));
        let (data, none) = (pointer_of(&given), std::ptr::null());
        read(|taken| unsafe { sys::dragoman_job_feed_tokens(job, data, given.len(), none, limit, taken) })
    }

    /// Says that a job that is fed gets no more.
    pub fn finish(&self) -> Result<()> {
        check(unsafe { sys::dragoman_job_finish(self.handle.pointer()) })
    }

    /// Hands over the results of a job that is fed: those that are ready, in the order of the inputs. Waits for one, or
    /// so long. `None`: the time has passed, or everything was handed over.
    pub fn next_result(&self, timeout: Option<Duration>) -> Result<Option<Translations>> {
        let (job, limit) = (self.handle.pointer(), milliseconds(timeout));
        Ok(Owned::maybe(|made| unsafe { sys::dragoman_job_next_result(job, limit, made) })?.map(Translations::of))
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

fn milliseconds(timeout: Option<Duration>) -> i64 {
    timeout.map_or(-1, |limit| i64::try_from(limit.as_millis()).unwrap_or(i64::MAX))
}
