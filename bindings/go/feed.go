// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// Input is a text for a Feed, and the target tokens that its translation begins with; nil: none.
type Input struct {
	Text   string
	Prefix []string
}

// Feed translates what comes through a channel, however much that is, in bounded memory.
type Feed struct {
	job     *Job
	ctx     context.Context
	cancel  context.CancelFunc
	results chan Translation
	over    chan struct{} // closed when nothing of it works any more
	slots   chan struct{} // one for each input whose translation was not taken
	guard   sync.Mutex
	first   int // the input of the first of texts
	texts   []string
	err     error
}

// TranslateEach translates the texts of a channel until it is closed, JobOptions.Ahead of them at most ahead of the
// translations that were taken. The end of the context stops it. An input that cannot be translated ends it: Results
// gives the translations of those before, and Err then names the fault and the input's number. When a Feed has ended
// early or was closed, nobody reads the channel any more: who sends also waits for a context that ends then, so that no
// goroutine stays.
func (t *Translator) TranslateEach(ctx context.Context, from <-chan Input, options *TranslateOptions, job *JobOptions,
) (*Feed, error) {
	ahead := uint32(256)
	if job != nil && job.Ahead != 0 {
		ahead = job.Ahead
	}
	f := &Feed{results: make(chan Translation), over: make(chan struct{}), slots: make(chan struct{}, ahead)}
	f.ctx, f.cancel = context.WithCancel(ctx)
	var err error
	if f.job, err = t.submit(f.ctx, inputs{feed: f}, options, job); err != nil {
		f.cancel()
		return nil, err
	}
	go f.read(from)
	go f.take(job != nil && (job.Sentences || job.Partial))
	return f, nil
}

// Results gives the translations in the order of the inputs, each as soon as it is done, and is closed after the last
// one; Err says whether that is all.
func (f *Feed) Results() <-chan Translation { return f.results }

// Events gives the events that JobOptions asked for, and is closed after the last one. Who asked for them reads them as
// well as Results: while more than Ahead of them wait, no input is read.
func (f *Feed) Events() <-chan Event { return f.job.Events() }

// Err is what ended it early, once Results is closed.
func (f *Feed) Err() error {
	f.guard.Lock()
	defer f.guard.Unlock()
	return f.err
}

// Close stops what is left, and returns when nothing of it works any more.
func (f *Feed) Close() error {
	f.cancel()
	for range f.results {
	}
	<-f.over
	return nil
}

// All is an iterator over the translations, and at the end over the error that ended it early, if one did. Leaving the
// loop stops what is left.
func (f *Feed) All() func(yield func(Translation, error) bool) {
	return func(yield func(Translation, error) bool) {
		defer f.Close()
		for found := range f.results {
			if !yield(found, nil) {
				return
			}
		}
		if err := f.Err(); err != nil {
			yield(Translation{}, err)
		}
	}
}

// note keeps the first error.
func (f *Feed) note(err error) {
	f.guard.Lock()
	defer f.guard.Unlock()
	if f.err == nil {
		f.err = because(err, f.ctx)
	}
}

func (f *Feed) source(input int) string {
	f.guard.Lock()
	defer f.guard.Unlock()
	if place := input - f.first; place >= 0 && place < len(f.texts) {
		return f.texts[place]
	}
	return ""
}

// read gives the job what comes.
func (f *Feed) read(from <-chan Input) {
	for f.wait() {
		select {
		case <-f.ctx.Done():
			return
		case input, ok := <-from:
			if ok && f.give(input) {
				continue
			}
			plain().jobFinish(f.job.handle)
			return
		}
	}
}

// wait returns when there is room for an input, or with false at the end.
func (f *Feed) wait() bool {
	select {
	case <-f.ctx.Done():
		return false
	case f.slots <- struct{}{}:
	}
	for f.job.events.count() > cap(f.slots) {
		select {
		case <-f.ctx.Done():
			return false
		case <-f.job.events.room:
		}
	}
	return true
}

// give says whether the job took an input.
func (f *Feed) give(input Input) bool {
	f.guard.Lock()
	number := f.first + len(f.texts)
	f.texts = append(f.texts, input.Text) // its events may come at once
	f.guard.Unlock()
	_, err := plain().jobFeedTexts(f.job.handle, []string{input.Text}, [][]string{input.Prefix}, -1)
	if failed, ok := err.(*Error); ok { // it counts the inputs of this call
		failed.Message = strings.Replace(failed.Message, "[0]", fmt.Sprintf("[%d]", number), 1)
	}
	f.note(err)
	return err == nil
}

// take hands the results over.
func (f *Feed) take(events bool) {
	defer close(f.over)
	if err := f.hand(); err != nil {
		f.note(err)
		f.cancel()
	}
	close(f.results)
	if events {
		f.job.Events()
		select { // the last of them
		case <-f.job.drained:
		case <-f.ctx.Done():
		}
	}
	f.cancel()
	f.job.Close()
}

func (f *Feed) hand() error {
	for {
		result, err := plain().jobNextResult(f.job.handle, -1)
		if err != nil || result == nil {
			return err
		}
		found, err := translations(result, f.done(int(C.dragoman_result_count(result))))
		if err != nil {
			return err
		}
		for _, one := range found {
			select {
			case f.results <- one:
				<-f.slots
			case <-f.ctx.Done():
				return stopped(f.ctx)
			}
		}
	}
}

// done gives the texts of the next inputs whose results have come.
func (f *Feed) done(count int) []string {
	f.guard.Lock()
	defer f.guard.Unlock()
	texts := f.texts[:count]
	f.texts, f.first = f.texts[count:], f.first+count
	return texts
}
