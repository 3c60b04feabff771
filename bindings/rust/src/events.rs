// SPDX-License-Identifier: Apache-2.0
//! Events of jobs from the library's threads, kept until somebody asks for them.
use crate::made::enums::EventKind;
use crate::text::{owned_tokens, span, string};
use dragoman_sys as sys;
use std::collections::VecDeque;
use std::ops::Range;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// The state of a sentence while its text is being translated. Sentences may come in any order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// `Sentence`: it is translated; `Partial`: the best translation so far, and the next may differ.
    pub kind: EventKind,
    /// The number of the text.
    pub input: usize,
    /// The number of its sentence.
    pub sentence: usize,
    /// The sentence's place in the text, in bytes.
    pub source: Range<usize>,
    /// Its translation; empty for a model without tokenizer.
    pub text: String,
    /// The same in tokens; none with `discard_tokens`.
    pub tokens: Vec<String>,
    /// The score of a translated sentence, as [`Hypothesis::score`](crate::Hypothesis::score).
    pub score: f32,
    /// Sentences translated so far.
    pub done: usize,
    /// How many there are; 0 while that is not known.
    pub total: usize,
}

impl Event {
    unsafe fn of(raw: &sys::dragoman_event) -> Self {
        Event {
            kind: EventKind::of(raw.kind),
            input: raw.input,
            sentence: raw.sentence,
            source: span(&raw.source),
            text: string(raw.text).to_owned(),
            tokens: owned_tokens(raw.tokens),
            score: raw.score,
            done: raw.done,
            total: raw.total,
        }
    }
}

/// The events of a job that nobody has taken yet.
#[derive(Debug)]
pub(crate) struct Events {
    number: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Event>,
    ended: bool,
    waker: Option<Waker>,
}

/// Jobs by the number that is their `user` in C: a callback may still run while another one ends its job, so it must
/// not hold a pointer.
static JOBS: Mutex<Vec<Arc<Events>>> = Mutex::new(Vec::new());
static NUMBERS: AtomicUsize = AtomicUsize::new(1);

/// No lock here is held where something of the caller's could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Events {
    pub(crate) fn new() -> Arc<Self> {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let events = Arc::new(Events { number, state: Mutex::default(), changed: Condvar::new() });
        lock(&JOBS).push(events.clone());
        events
    }

    pub(crate) fn user(&self) -> *mut c_void {
        self.number as *mut c_void
    }

    /// Nothing more is kept.
    pub(crate) fn forget(&self) {
        lock(&JOBS).retain(|one| one.number != self.number);
    }

    fn tell(&self, event: Option<Event>) {
        let waker = {
            let mut state = lock(&self.state);
            state.ended |= event.is_none();
            state.waiting.extend(event);
            state.waker.take()
        };
        self.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether the job has ended; if not, its next event wakes the task.
    pub(crate) fn ended(&self, context: Option<&mut Context<'_>>) -> bool {
        let mut state = lock(&self.state);
        if let (false, Some(context)) = (state.ended, context) {
            state.waker = Some(context.waker().clone());
        }
        state.ended
    }

    /// The next event: `Err(true)`: there is none, the job has ended; `Err(false)`: none yet, and it wakes the task.
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Result<Event, bool> {
        let mut state = lock(&self.state);
        if let Some(event) = state.waiting.pop_front() {
            return Ok(event);
        }
        if !state.ended {
            state.waker = Some(context.waker().clone());
        }
        Err(state.ended)
    }

    /// Waits for the next event; `None`: the job has ended.
    pub(crate) fn wait(&self) -> Option<Event> {
        let mut state = lock(&self.state);
        while state.waiting.is_empty() && !state.ended {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.pop_front()
    }
}

pub(crate) unsafe extern "C" fn on_event(event: *const sys::dragoman_event, user: *mut c_void) {
    let events = lock(&JOBS).iter().find(|one| one.user() == user).cloned();
    if let Some(events) = events {
        let ended = (*event).kind == sys::DRAGOMAN_EVENT_END;
        let told = if ended { None } else { Some(Event::of(&*event)) };
        // A panic of an executor must not pass through C.
        let _ = catch_unwind(AssertUnwindSafe(|| events.tell(told)));
    }
}
