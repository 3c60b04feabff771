// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dragoman"
)

// many texts take long with one sentence at a time.
func many() ([]string, *dragoman.TranslateOptions) {
	texts := make([]string, 500)
	for place := range texts {
		texts[place] = "batin kétiß. " + strings.Repeat("kén ", place%50)
	}
	return texts, &dragoman.TranslateOptions{TargetLanguage: "xx", MaxBatchSize: 1}
}

func TestTranslate(t *testing.T) {
	translator := toy(t)
	found, err := translator.Translate(ctx, text, nil)
	require(t, err)
	equal(t, "text", found.Text, translation)
	equal(t, "String", fmt.Sprint(found), translation)
	equal(t, "source", found.Source, text)
	list, err := translator.TranslateTexts(ctx, []string{text, "", text}, nil)
	require(t, err)
	equal(t, "texts", fmt.Sprint(list), fmt.Sprintf("[%s  %s]", translation, translation))
	none, err := translator.TranslateTexts(ctx, nil, nil)
	require(t, err)
	equal(t, "no texts", len(none), 0)
	both, err := translator.Translate(ctx, "batiß\x00batiß", nil)
	require(t, err)
	equal(t, "zero byte", both.Source, "batiß\x00batiß")
}

func TestHypothesesAndAttention(t *testing.T) {
	found, err := toy(t).Translate(ctx, text, &dragoman.TranslateOptions{TargetLanguage: "xx", BeamSize: 4,
		NumHypotheses: 3, ReturnScores: true, ReturnAttention: true, LengthPenalty: dragoman.Ptr[float32](0.6)})
	require(t, err)
	equal(t, "hypotheses", len(found.Hypotheses), 3)
	if found.Score >= 0 || found.Score < found.Hypotheses[1].Score {
		t.Errorf("scores: %v, %v", found.Score, found.Hypotheses[1].Score)
	}
	equal(t, "rows", found.Attention.Rows, len(found.Tokens))
	equal(t, "columns", found.Attention.Cols, len(found.SourceTokens))
	sum := float32(0)
	for _, one := range found.Attention.Row(1) {
		sum += one
	}
	if sum < 0.95 || sum > 1.05 || found.Attention.At(1, 0) != found.Attention.Row(1)[0] {
		t.Errorf("attention: a row adds up to %v", sum)
	}
	equal(t, "a token", found.Ranges[len(found.Ranges)-1].Of(found.PlainText), "!")
}

func TestSentences(t *testing.T) {
	given := "😀 batin kétiß. Késora banara!\n\nbatiß."
	found, err := toy(t).Translate(ctx, given, &dragoman.TranslateOptions{TargetLanguage: "xx", ReturnQuality: true, ReturnCoverage: true,
		ReturnAlignment: true, ReturnAttention: true})
	require(t, err)
	if found.Attention != nil {
		t.Errorf("attention of several sentences: %d rows", found.Attention.Rows)
	}
	last := found.Sentences[len(found.Sentences)-1]
	equal(t, "source", last.Source, "batiß.")
	equal(t, "text", last.Text, "vöpiй.")
	for _, s := range found.Sentences {
		equal(t, "range", s.SourceRange.Of(given), s.Source)
		equal(t, "tokens", len(s.SourceTokens), s.SourceTokenRange.End-s.SourceTokenRange.Begin)
		uncovered := strings.Fields(s.UncoveredRange.Of(given))
		equal(t, "words that are not reached", s.UncoveredWords, len(uncovered))
		if s.Coverage <= 0 || s.Coverage > 1 || (s.Coverage == 1) != (len(uncovered) == 0) {
			t.Errorf("%s: coverage %v without %v", s.Source, s.Coverage, uncovered)
		}
		equal(t, "quality of words", len(s.WordQuality), len(s.Alignment.TargetWords))
		equal(t, "weights", s.Alignment.Weights.Cols, len(s.Alignment.SourceWords))
		if len(s.Alignment.Links(0.4)) < len(s.Alignment.TargetWords) {
			t.Errorf("%s: %d links of %d words", s.Source, len(s.Alignment.Links(0.4)), len(s.Alignment.TargetWords))
		}
	}
	if found.Quality <= 0 || found.Quality > 1 || found.Pharaoh == "" {
		t.Errorf("quality %v, pharaoh %q", found.Quality, found.Pharaoh)
	}
	if !found.Sentences[0].Flags.Has(dragoman.SentenceCarried) {
		t.Errorf("flags %d: expected SentenceCarried", found.Sentences[0].Flags)
	}
}

func TestMinQuality(t *testing.T) {
	found, err := toy(t).Translate(ctx, "batin kétiß.", &dragoman.TranslateOptions{TargetLanguage: "xx", MinQuality: 1})
	require(t, err)
	equal(t, "text", found.Text, "batin kétiß.")
	equal(t, "flags", found.Sentences[0].Flags, dragoman.SentenceCopied|dragoman.SentenceUnsure)
}

func TestMarkup(t *testing.T) {
	found, err := toy(t).Translate(ctx, "<p>"+text+"</p>",
		&dragoman.TranslateOptions{TargetLanguage: "xx", Markup: dragoman.MarkupHTML})
	require(t, err)
	equal(t, "text", found.Text, "<p>"+translation+"</p>")
	equal(t, "plain text", strings.TrimSpace(found.PlainText), translation)
	equal(t, "sentence", found.Sentences[0].Source, text)
}

func TestErrors(t *testing.T) {
	translator := toy(t)
	_, err := translator.Translate(ctx, text, &dragoman.TranslateOptions{BeamSize: 100})
	var failed *dragoman.Error
	if !errors.As(err, &failed) || !errors.Is(err, dragoman.InvalidArgument) || errors.Is(err, dragoman.IOError) {
		t.Fatalf("got %v", err)
	}
	equal(t, "message", failed.Message, "beam_size: 100 is not allowed; expected 1 to 64")
	equal(t, "status", failed.Status.String(), "invalid_argument")
	for _, c := range []struct {
		status dragoman.Status
		part   string
		err    error
	}{
		{dragoman.IOError, "/nowhere/at/all", fails(dragoman.LoadModel(ctx, "/nowhere/at/all", nil))},
		{dragoman.InvalidArgument, "path: a zero byte at 1", fails(dragoman.LoadModel(ctx, "a\x00b", nil))},
		{dragoman.NoDevice, "no such", fails(dragoman.OpenDevice(&dragoman.DeviceOptions{Name: "no such device"}))},
		{dragoman.InvalidArgument, "2, expected 1", fails(translator.Translate(ctx, text,
			&dragoman.TranslateOptions{Prefixes: [][]string{{}, {}}}))},
		{dragoman.InvalidArgument, "UTF-8", fails(translator.Translate(ctx, "a\xff", nil))},
		{dragoman.InvalidArgument, "tokens", fails(shared.Embed(ctx, nil,
			&dragoman.EmbedOptions{Pooling: dragoman.PoolingTokens}))},
		{dragoman.InvalidArgument, `"best", expected one of auto, ctranslate2`,
			new(dragoman.Search).UnmarshalText([]byte("best"))},
		{dragoman.InvalidArgument, "nil", fails(dragoman.NewRoute([]*dragoman.Model{nil}, "a", "b", nil))},
		{dragoman.InvalidArgument, "1, expected 2", fails(translator.ScoreTexts(ctx, []string{"a", "b"}, []string{"a"}, nil))},
	} {
		if !errors.Is(c.err, c.status) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("got %v, expected %v with %q", c.err, c.status, c.part)
		}
	}
}

func fails[T any](_ T, err error) error { return err }

func TestClosed(t *testing.T) {
	translator, err := shared.Translator(nil)
	require(t, err)
	require(t, translator.Close())
	require(t, translator.Close())
	_, err = translator.Translate(ctx, text, nil)
	if !errors.Is(err, dragoman.ErrClosed) {
		t.Errorf("got %v, expected ErrClosed", err)
	}
}

func TestGoroutines(t *testing.T) {
	translator := toy(t)
	var waiting sync.WaitGroup
	for worker := 0; worker < 32; worker++ {
		waiting.Add(1)
		go func(worker int) {
			defer waiting.Done()
			for round := 0; round < 4; round++ {
				found, err := translator.Translate(ctx, text, nil)
				if err != nil || found.Text != translation {
					t.Errorf("got %q, %v", found.Text, err)
				}
				_, err = translator.Translate(ctx, text, &dragoman.TranslateOptions{BeamSize: uint32(65 + worker)})
				if wanted := fmt.Sprintf("beam_size: %d ", 65+worker); err == nil || !strings.Contains(err.Error(), wanted) {
					t.Errorf("got %v, expected one with %q", err, wanted) // a message is that of its own call
				}
				if _, err = shared.Tokenize(dragoman.SideSource, []string{text}); err != nil {
					t.Error(err)
				}
			}
		}(worker)
	}
	waiting.Wait()
}

// A call may use one handle twice while others close it.
func TestCloseTwiceUsed(t *testing.T) {
	for round := 0; round < 20; round++ {
		model, err := dragoman.LoadModel(ctx, textModel, nil)
		require(t, err)
		go model.Close()
		made, err := dragoman.NewRoute([]*dragoman.Model{model, model, model}, "yy", "xx", nil)
		if err == nil {
			made.Close()
		} else if !errors.Is(err, dragoman.ErrClosed) && !errors.Is(err, dragoman.InvalidArgument) {
			t.Errorf("got %v, expected ErrClosed or InvalidArgument", err)
		}
	}
}

// Closing a translator while others use it ends their calls.
func TestCloseMeanwhile(t *testing.T) {
	translator, err := shared.Translator(nil)
	require(t, err)
	texts, options := many()
	ended, begun, once := make(chan error, 4), make(chan bool), sync.Once{}
	options.Progress = func(done, total int) { once.Do(func() { close(begun) }) }
	for worker := 0; worker < cap(ended); worker++ {
		go func() {
			_, err := translator.TranslateTexts(ctx, texts, options)
			ended <- err
		}()
	}
	<-begun
	require(t, translator.Close())
	for worker := 0; worker < cap(ended); worker++ {
		if err := <-ended; !errors.Is(err, dragoman.Cancelled) && !errors.Is(err, dragoman.ErrClosed) {
			t.Errorf("got %v, expected Cancelled or ErrClosed", err)
		}
	}
}

func TestContexts(t *testing.T) {
	translator := toy(t)
	texts, options := many()
	stop, cancel := context.WithCancel(ctx)
	options.Progress = func(done, total int) { cancel() }
	_, err := translator.TranslateTexts(stop, texts, options)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, dragoman.Cancelled) {
		t.Errorf("got %v, expected Cancelled", err)
	}
	stats, err := translator.Stats()
	require(t, err)
	if stats.Sentences >= uint64(len(texts)) {
		t.Errorf("%d sentences were translated after the end of the context", stats.Sentences)
	}
	options.Progress = nil
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if _, err = translator.TranslateTexts(short, texts, options); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, expected DeadlineExceeded", err)
	}
	_, err = translator.TranslateTexts(ctx, texts[:20], options)
	require(t, err)
	for what, err := range map[string]error{
		"load":    fails(dragoman.LoadModel(stop, textModel, nil)),
		"score":   fails(translator.ScoreTexts(stop, []string{"batiß."}, []string{"vöpiй."}, nil)),
		"embed":   fails(shared.Embed(stop, []string{text}, nil)),
		"convert": dragoman.Convert(stop, textModel, t.TempDir()+"/never.gguf", nil),
		"bench":   fails(dragoman.Bench(stop, textModel, nil, nil, nil, nil)),
	} {
		if !errors.Is(err, context.Canceled) || !errors.Is(err, dragoman.Cancelled) {
			t.Errorf("%s: got %v, expected Canceled", what, err)
		}
	}
}

// A load whose context ends returns at once, and what it loads is closed.
func TestAbandonedLoad(t *testing.T) {
	stop, cancel := context.WithCancel(ctx)
	files := slowFiles(t, cancel)
	if _, err := dragoman.LoadModelFiles(stop, files, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, expected Canceled", err)
	}
}

func TestProgress(t *testing.T) {
	texts, options := many()
	var last, total int
	options.Progress = func(done, all int) {
		if done < last {
			t.Errorf("%d after %d", done, last)
		}
		last, total = done, all
	}
	_, err := toy(t).TranslateTexts(ctx, texts[:20], options)
	require(t, err)
	if last != total || total == 0 {
		t.Errorf("%d of %d at the end", last, total)
	}
}

func TestPanicInProgress(t *testing.T) {
	defer func() { equal(t, "panic", fmt.Sprint(recover()), "mine") }()
	dragoman.Convert(ctx, textModel, t.TempDir()+"/x.gguf", &dragoman.ConvertOptions{
		Progress: func(done, total int) { panic("mine") }})
}

func TestJob(t *testing.T) {
	translator := toy(t)
	job, err := translator.Submit(ctx, []string{text, "batiß. batiß."}, nil,
		&dragoman.JobOptions{Sentences: true, Partial: true, Priority: 1})
	require(t, err)
	kinds, sources := map[dragoman.EventKind]int{}, ""
	for event := range job.Events() {
		kinds[event.Kind]++
		if event.Kind == dragoman.EventSentence && event.Input == 1 {
			sources += event.Source
			equal(t, "text", event.Text, "vöpiй.")
		}
	}
	equal(t, "sentences", kinds[dragoman.EventSentence], 3)
	equal(t, "sources", sources, "batiß.batiß.")
	if kinds[dragoman.EventPartial] == 0 {
		t.Error("no partial translations")
	}
	for round := 0; round < 2; round++ {
		found, err := job.Wait(ctx)
		require(t, err)
		equal(t, "text", found[0].Text, translation)
	}
	info, err := job.Poll()
	require(t, err)
	equal(t, "state", info.State, dragoman.JobDone)
	require(t, job.Close())
}

func TestJobsThatEnd(t *testing.T) {
	translator := toy(t)
	texts, options := many()
	job, err := translator.Submit(ctx, texts, options, nil)
	require(t, err)
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if _, err = job.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, expected DeadlineExceeded", err)
	}
	require(t, job.Cancel())
	<-job.Done()
	if _, err = job.Wait(ctx); !errors.Is(err, dragoman.Cancelled) || errors.Is(err, context.Canceled) {
		t.Errorf("got %v, expected Cancelled", err)
	}
	job.Close()
	job, err = translator.Submit(ctx, texts, options, &dragoman.JobOptions{Sentences: true})
	require(t, err)
	job.All()(func(event dragoman.Event, err error) bool { return false }) // a loop that is left
	if _, err = job.Wait(ctx); !errors.Is(err, dragoman.Cancelled) {
		t.Errorf("got %v, expected Cancelled", err)
	}
	job.Close()
	job, err = translator.Submit(ctx, texts, options, nil)
	require(t, err)
	go job.Close()
	if _, err = job.Wait(ctx); err == nil {
		t.Error("a closed job gave translations")
	}
}

func feed(count int) <-chan dragoman.Input {
	inputs := make(chan dragoman.Input)
	go func() {
		defer close(inputs)
		for place := 0; place < count; place++ {
			inputs <- dragoman.Input{Text: strings.Repeat("batiß. ", place%3+1)}
		}
	}()
	return inputs
}

func TestFeed(t *testing.T) {
	translator := toy(t)
	fed, err := translator.TranslateEach(ctx, feed(300), nil, &dragoman.JobOptions{Ahead: 10, Sentences: true})
	require(t, err)
	events := make(chan int)
	go func() {
		count := 0
		for event := range fed.Events() {
			if event.Source != "batiß." {
				t.Errorf("event %d: %q", event.Input, event.Source)
			}
			count++
		}
		events <- count
	}()
	place := 0
	for found := range fed.Results() {
		equal(t, "source", found.Source, strings.Repeat("batiß. ", place%3+1))
		equal(t, "text", found.Text, strings.Repeat("vöpiй. ", place%3+1))
		place++
	}
	require(t, fed.Err())
	equal(t, "results", place, 300)
	equal(t, "events", <-events, 600)
	require(t, fed.Close())
}

// Inputs before one with a fault are translated, and the error says which one that is.
func TestFeedsWithFaults(t *testing.T) {
	translator := toy(t)
	for message, fault := range map[string]dragoman.Input{
		"texts[25]: invalid UTF-8 at byte 1":       {Text: "a\xff"},
		"prefixes[25][1]: invalid UTF-8 at byte 2": {Text: text, Prefix: []string{"a", "bc\xff"}},
	} {
		inputs := make(chan dragoman.Input, 50)
		for place := 0; place < cap(inputs); place++ {
			input := dragoman.Input{Text: fmt.Sprint("batiß. ", place)}
			if place == 25 {
				input = fault
			}
			inputs <- input
		}
		fed, err := translator.TranslateEach(ctx, inputs, nil, nil)
		require(t, err)
		count := 0
		for found := range fed.Results() {
			equal(t, "source", found.Source, fmt.Sprint("batiß. ", count))
			count++
		}
		equal(t, "results", count, 25)
		var failed *dragoman.Error
		if !errors.As(fed.Err(), &failed) {
			t.Fatalf("got %v, expected an error", fed.Err())
		}
		equal(t, "message", failed.Message, message)
		require(t, fed.Close())
	}
}

func TestFeedsThatEnd(t *testing.T) {
	translator := toy(t)
	before := runtime.NumGoroutine()
	fed, err := translator.TranslateEach(ctx, feed(20), nil, nil)
	require(t, err)
	count := 0
	fed.All()(func(found dragoman.Translation, err error) bool {
		require(t, err)
		count++
		return true
	})
	equal(t, "results", count, 20)

	stop, cancel := context.WithCancel(ctx)
	inputs := make(chan dragoman.Input) // never closed
	fed, err = translator.TranslateEach(stop, inputs, nil, nil)
	require(t, err)
	inputs <- dragoman.Input{Text: text}
	equal(t, "text", (<-fed.Results()).Text, translation)
	cancel()
	for range fed.Results() {
		t.Error("a result after the end")
	}
	if !errors.Is(fed.Err(), context.Canceled) {
		t.Errorf("got %v, expected Canceled", fed.Err())
	}

	inputs = make(chan dragoman.Input, 3)
	inputs <- dragoman.Input{Text: text, Prefix: []string{"▁Gasa"}}
	inputs <- dragoman.Input{Text: "a\xff"}
	fed, err = translator.TranslateEach(ctx, inputs, nil, nil)
	require(t, err)
	for found := range fed.Results() {
		equal(t, "prefix", found.Tokens[0], "▁Gasa")
	}
	if !errors.Is(fed.Err(), dragoman.InvalidArgument) {
		t.Errorf("got %v, expected InvalidArgument", fed.Err())
	}
	fed, err = translator.TranslateEach(ctx, feed(3), nil, nil)
	require(t, err)
	require(t, fed.Close())
	for end := time.Now().Add(5 * time.Minute); runtime.NumGoroutine() > before+2 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before+2 { // feed's last one waits for a reader, and there may be one of cgo
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines, expected at most %d:\n%s", now, before+2, stacks[:runtime.Stack(stacks, true)])
	}
}
