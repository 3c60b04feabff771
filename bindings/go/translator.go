// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import "context"

// Translator translates with one model. Any number of goroutines may use it at the same time: their sentences share the
// device. Close cancels what has not ended and gives the memory back; translations live on.
//
// The options of a call stand instead of the translator's own; nil: the translator's own.
type Translator struct {
	*handle
	own TranslateOptions
}

func ownOptions(options *TranslateOptions, t *Translator, err error) (*Translator, error) {
	if err != nil {
		return nil, err
	}
	if options != nil {
		t.own = *options
	}
	return t, nil
}

// NewRoute makes a translator from one language to another over models of one device: the way with the fewest. Each
// takes what the one before it made of a sentence. It takes texts without prefixes, and tells no partial results.
func NewRoute(models []*Model, sourceLanguage, targetLanguage string, options *TranslateOptions) (*Translator, error) {
	made, err := plain().translatorCreateRoute(models, sourceLanguage, targetLanguage)
	return ownOptions(options, made, err)
}

// options gives those of a call.
func (t *Translator) options(given *TranslateOptions) *TranslateOptions {
	if given == nil {
		return &t.own
	}
	return given
}

// Translate translates a text of any length, sentence by sentence. What is between sentences is copied.
func (t *Translator) Translate(ctx context.Context, text string, options *TranslateOptions) (Translation, error) {
	found, err := t.TranslateTexts(ctx, []string{text}, options)
	if err != nil {
		return Translation{}, err
	}
	return found[0], nil
}

// TranslateTexts translates texts; the translations stand in their order.
func (t *Translator) TranslateTexts(ctx context.Context, texts []string, options *TranslateOptions,
) ([]Translation, error) {
	return t.run(ctx, inputs{texts: texts}, options)
}

// TranslateTokens translates sequences of source tokens as they stand, as the model was trained on them. A token outside
// the vocabulary counts as the unknown token.
func (t *Translator) TranslateTokens(ctx context.Context, sources [][]string, options *TranslateOptions,
) ([]Translation, error) {
	return t.run(ctx, inputs{sequences: sources, tokens: true}, options)
}

// run waits for a job: no thread waits meanwhile. Progress is called on the caller's goroutine.
func (t *Translator) run(ctx context.Context, in inputs, options *TranslateOptions) ([]Translation, error) {
	progress := t.options(options).Progress
	job, err := t.submit(ctx, in, options, &JobOptions{Sentences: progress != nil})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	if progress != nil {
		job.events.each(func(event Event) bool {
			progress(event.Done, event.Total)
			return true
		})
	}
	return job.Wait(context.Background())
}

// Submit begins a translation of texts and returns at once. The end of the context cancels it.
func (t *Translator) Submit(ctx context.Context, texts []string, options *TranslateOptions, job *JobOptions,
) (*Job, error) {
	return t.submit(ctx, inputs{texts: append([]string{}, texts...)}, options, job)
}

// SubmitTokens is Submit for sequences of tokens.
func (t *Translator) SubmitTokens(ctx context.Context, sources [][]string, options *TranslateOptions, job *JobOptions,
) (*Job, error) {
	return t.submit(ctx, inputs{sequences: sources, tokens: true}, options, job)
}

// Score is how probable a given translation is.
type Score struct {
	Tokens   []string  `json:"tokens"`    // those that were scored, end token last
	LogProbs []float32 `json:"log_probs"` // the natural log-probability of each of them
	Ranges   []Range   `json:"ranges"`    // of a text: what each stands for; the end's is empty
}

// Total is the sum of the log-probabilities.
func (s Score) Total() (sum float64) {
	for _, one := range s.LogProbs {
		sum += float64(one)
	}
	return sum
}

// ScoreTexts gives the log-probability of each token of the targets, and of the end token, given the sources. Each side
// is one sequence. Where the context ends first, the work ends unseen.
func (t *Translator) ScoreTexts(ctx context.Context, sources, targets []string, options *ScoreOptions,
) ([]Score, error) {
	return readScores(during(ctx).scoreTexts(t.handle, sources, targets, options))
}

// ScoreTokens is ScoreTexts for sequences of tokens as they stand.
func (t *Translator) ScoreTokens(ctx context.Context, sources, targets [][]string, options *ScoreOptions,
) ([]Score, error) {
	return readScores(during(ctx).scoreTokens(t.handle, sources, targets, options))
}

func readScores(scores *C.dragoman_scores, err error) ([]Score, error) {
	defer C.dragoman_scores_destroy(scores)
	found := make([]Score, int(C.dragoman_scores_count(scores)))
	for pair := range found {
		found[pair] = Score{scoresTokens(&err, scores, pair), scoresLogProbs(&err, scores, pair).Data,
			scoresRanges(&err, scores, pair)}
	}
	return found, err
}
