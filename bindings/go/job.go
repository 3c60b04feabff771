// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include "callbacks.h"
import "C"

import (
	"context"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// JobOptions says how a job is run. nil has the defaults.
type JobOptions struct {
	Priority  int32  // higher ones go first, equal ones share, short ones overtake; default 0
	Sentences bool   // an event for every sentence that is translated
	Partial   bool   // events with the best translation so far of sentences at work, for text that grows word by word
	Ahead     uint32 // of a Feed: inputs that are read before their translations are taken; 0 (default): 256
}

func (o *JobOptions) c(a *arena, events *events, fed bool) *C.dragoman_job_options {
	c := (*C.dragoman_job_options)(a.alloc(C.sizeof_dragoman_job_options))
	C.dragoman_job_options_init(c)
	C.dragoman_go_job(c, C.uintptr_t(events.user))
	c.fed, c.events = flag(fed), C.DRAGOMAN_EVENTS_END
	if o == nil {
		return c
	}
	c.priority = C.int32_t(o.Priority)
	c.events |= C.uint32_t(flag(o.Sentences))<<EventSentence | C.uint32_t(flag(o.Partial))<<EventPartial
	return c
}

// Job is a translation that was submitted. Any number of goroutines may use it. The end of its context cancels it.
type Job struct {
	*handle
	ctx        context.Context
	events     *events
	texts      []string // nil: tokens
	translator *handle  // whose end would be the job's
	closing    sync.Once
	closed     chan struct{}
	reading    sync.Once
	channel    chan Event
	drained    chan struct{} // the channel is closed
	taking     sync.Once
	found      []Translation
	err        error
}

// inputs are texts or sequences of tokens, or what feeds a job.
type inputs struct {
	texts     []string
	sequences [][]string
	tokens    bool
	feed      *Feed
}

func (i inputs) source(input int) string {
	if i.feed != nil {
		return i.feed.source(input)
	}
	if input < len(i.texts) {
		return i.texts[input]
	}
	return ""
}

func (t *Translator) submit(ctx context.Context, in inputs, options *TranslateOptions, how *JobOptions) (*Job, error) {
	if ctx.Err() != nil {
		return nil, stopped(ctx)
	}
	job := &Job{ctx: ctx, events: newEvents(in.source), texts: in.texts, translator: t.handle,
		closed: make(chan struct{}), drained: make(chan struct{})}
	options, a := t.options(options), plain()
	wanted := how.c(a, job.events, in.feed != nil)
	var made *C.dragoman_job
	var err error
	if in.tokens {
		made, err = a.submitTokens(t.handle, in.sequences, options.Prefixes, options, wanted)
	} else {
		made, err = a.submitTexts(t.handle, in.texts, options.Prefixes, options, wanted)
	}
	events := job.events // not the job, which its handle would keep
	if err != nil {
		events.user.Delete()
		return nil, err
	}
	job.handle = newHandle(unsafe.Pointer(made), "job", func(pointer unsafe.Pointer) {
		C.dragoman_job_destroy((*C.dragoman_job)(pointer))
		events.user.Delete()
		events.end()
	})
	if ctx.Done() != nil {
		go func() {
			select {
			case <-ctx.Done():
				job.Cancel()
			case <-events.ended:
			}
		}()
	}
	return job, nil
}

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.events.ended }

// Close cancels a job that has not ended and lets go of it.
func (j *Job) Close() error {
	j.closing.Do(func() { close(j.closed) })
	j.Cancel() // calls that wait for it return, and with them what uses the handle
	return j.handle.Close()
}

// Wait gives the translations when the job has ended, or the error that ended it; as often as it is called. The context
// is that of the waiting alone.
func (j *Job) Wait(ctx context.Context) ([]Translation, error) {
	select {
	case <-j.events.ended:
	case <-ctx.Done():
		return nil, stopped(ctx)
	}
	j.taking.Do(func() {
		var result *C.dragoman_result
		if result, j.err = plain().jobTakeResult(j.handle); j.err == nil {
			j.found, j.err = translations(result, j.texts)
		}
		j.err = because(j.err, j.ctx)
	})
	return j.found, j.err
}

// Events gives the events that JobOptions asked for, and is closed after the last one. All calls give the same channel.
// Events wait in memory until they are read.
func (j *Job) Events() <-chan Event {
	j.reading.Do(func() {
		j.channel = make(chan Event)
		go func() {
			defer close(j.drained)
			defer close(j.channel)
			j.events.each(func(event Event) bool {
				select {
				case j.channel <- event:
					return true
				case <-j.closed:
					return false
				}
			})
		}()
	})
	return j.channel
}

// All is an iterator over the events, and at the end over the error that ended the job, if one did:
//
//	for event, err := range job.All() { ... }
//
// Leaving the loop cancels the job.
func (j *Job) All() func(yield func(Event, error) bool) {
	return func(yield func(Event, error) bool) {
		for event := range j.Events() {
			if !yield(event, nil) {
				j.Cancel()
				return
			}
		}
		if _, err := j.Wait(context.Background()); err != nil {
			yield(Event{}, err)
		}
	}
}

// Event is something that happened to a job. Sentences come in any order.
type Event struct {
	Kind     EventKind // EventPartial or EventSentence
	Input    int       // which of the inputs
	Sentence int       // which of its sentences
	Source   string    // the sentence; "" for an input of tokens
	Range    Range     // where that is in its text
	Text     string    // translation, of the best hypothesis
	Tokens   []string
	Score    float32
	Done     int // sentences translated so far
	Total    int // of so many; 0 while that is not known
}

// events is what the library's thread and Go's share of a job. It has no handle, so that nothing keeps a job that nobody
// uses.
type events struct {
	user    cgo.Handle
	guard   sync.Mutex
	waiting []Event
	news    chan struct{} // something waits
	room    chan struct{} // something was taken
	ended   chan struct{}
	once    sync.Once
	source  func(input int) string
}

func newEvents(source func(input int) string) *events {
	e := &events{news: make(chan struct{}, 1), room: make(chan struct{}, 1), ended: make(chan struct{}), source: source}
	e.user = cgo.NewHandle(e)
	return e
}

// receive runs on a thread of the library and does not wait.
func (e *events) receive(event *C.dragoman_event) {
	if event.kind == C.DRAGOMAN_EVENT_END {
		e.end()
		return
	}
	found := Event{
		Kind: EventKind(event.kind), Input: int(event.input), Sentence: int(event.sentence),
		Range: goRange(event.source.begin, event.source.end), Text: goString(event.text),
		Tokens: goStrings(event.tokens), Score: float32(event.score), Done: int(event.done), Total: int(event.total),
	}
	if text := e.source(found.Input); found.Range.End <= len(text) {
		found.Source = found.Range.Of(text)
	}
	e.guard.Lock()
	e.waiting = append(e.waiting, found)
	e.guard.Unlock()
	signal(e.news)
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

func (e *events) end() { e.once.Do(func() { close(e.ended) }) }

func (e *events) take() []Event {
	e.guard.Lock()
	defer e.guard.Unlock()
	taken := e.waiting
	e.waiting = nil
	signal(e.room)
	return taken
}

func (e *events) count() int {
	e.guard.Lock()
	defer e.guard.Unlock()
	return len(e.waiting)
}

// each hands events over until the job has ended and none is left, or give says no.
func (e *events) each(give func(Event) bool) {
	for last := false; !last; {
		select {
		case <-e.news:
		case <-e.ended:
			last = true
		}
		for _, event := range e.take() {
			if !give(event) {
				return
			}
		}
	}
}
