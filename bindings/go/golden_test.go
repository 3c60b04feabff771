// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dragoman"
)

// goldenCase is one that every way into the library runs.
type goldenCase struct {
	Name, Call, Model string
	Side              dragoman.Side
	Inputs, Targets   json.RawMessage
	Prefixes          [][]string
	Options           json.RawMessage
	Expected          any
	Error             any
}

func read[T any](t *testing.T, from json.RawMessage) (value T) {
	t.Helper()
	if from == nil {
		return value
	}
	decoder := json.NewDecoder(bytes.NewReader(from))
	decoder.DisallowUnknownFields()
	require(t, decoder.Decode(&value))
	return value
}

func span(r dragoman.Range) []int { return []int{r.Begin, r.End} }

func described(found []dragoman.Translation, texts bool) any {
	list := []any{}
	for _, one := range found {
		hypotheses := []any{}
		for _, h := range one.Hypotheses {
			sentences := []any{}
			for _, s := range h.Sentences {
				sentences = append(sentences, map[string]any{
					"source": span(s.SourceRange), "target": span(s.TargetRange), "score": s.Score,
					"source_tokens": span(s.SourceTokenRange), "target_tokens": span(s.TargetTokenRange),
					"attention": []int{s.Attention.Rows, s.Attention.Cols}})
			}
			hypothesis := map[string]any{"tokens": h.Tokens, "score": h.Score, "attention": nil, "sentences": sentences}
			if h.Attention != nil {
				hypothesis["attention"] = []int{h.Attention.Rows, h.Attention.Cols}
			}
			if texts {
				hypothesis["text"] = h.Text
			}
			hypotheses = append(hypotheses, hypothesis)
		}
		list = append(list, map[string]any{"source_tokens": one.SourceTokens, "hypotheses": hypotheses})
	}
	return list
}

func (c *goldenCase) run(t *testing.T) (any, error) {
	path := filepath.Join(data, c.Model)
	if c.Call == "describe" {
		info, err := dragoman.Describe(path)
		return only(info, c.Expected), err
	}
	if c.Call == "split_sentences" {
		return c.split(t)
	}
	model := shared
	if path != textModel {
		var err error
		model, err = dragoman.LoadModel(ctx, path, &dragoman.ModelOptions{ComputeType: dragoman.ComputeF32})
		require(t, err)
		defer model.Close()
	}
	translator, err := model.Translator(nil)
	require(t, err)
	defer translator.Close()
	switch c.Call {
	case "translate_texts":
		options := read[dragoman.TranslateOptions](t, c.Options)
		options.Prefixes = c.Prefixes
		found, err := translator.TranslateTexts(ctx, read[[]string](t, c.Inputs), &options)
		return described(found, true), err
	case "translate_tokens":
		options := read[dragoman.TranslateOptions](t, c.Options)
		options.Prefixes = c.Prefixes
		found, err := translator.TranslateTokens(ctx, read[[][]string](t, c.Inputs), &options)
		return described(found, false), err
	case "score_tokens", "score_texts":
		return c.score(t, translator)
	case "tokenize":
		found, err := model.Tokenize(c.Side, read[[]string](t, c.Inputs))
		tokens := []any{}
		for _, one := range found {
			tokens = append(tokens, one.Tokens)
		}
		return tokens, err
	case "detokenize":
		return model.Detokenize(c.Side, read[[][]string](t, c.Inputs))
	}
	return nil, fmt.Errorf("%s: expected a call that is known", c.Call)
}

func (c *goldenCase) split(t *testing.T) (any, error) {
	options := read[struct {
		Language  string
		JoinLines bool `json:"join_lines"`
	}](t, c.Options)
	list := []any{}
	for _, text := range read[[]string](t, c.Inputs) {
		found, err := dragoman.SplitSentences(text, options.Language, options.JoinLines)
		if err != nil {
			return nil, err
		}
		spans := []any{}
		for _, one := range found {
			spans = append(spans, span(one))
		}
		list = append(list, spans)
	}
	return list, nil
}

func (c *goldenCase) score(t *testing.T, translator *dragoman.Translator) (any, error) {
	options := read[dragoman.ScoreOptions](t, c.Options)
	var found []dragoman.Score
	var err error
	if c.Call == "score_tokens" {
		found, err = translator.ScoreTokens(ctx, read[[][]string](t, c.Inputs), read[[][]string](t, c.Targets), &options)
	} else {
		found, err = translator.ScoreTexts(ctx, read[[]string](t, c.Inputs), read[[]string](t, c.Targets), &options)
	}
	list := []any{}
	for _, one := range found {
		entry := map[string]any{"tokens": one.Tokens, "log_probs": one.LogProbs}
		if c.Call == "score_texts" {
			spans := []any{}
			for _, r := range one.Ranges {
				spans = append(spans, span(r))
			}
			entry["ranges"] = spans
		}
		list = append(list, entry)
	}
	return list, err
}

// only the fields of information that a case expects.
func only(info dragoman.ModelInfo, expected any) any {
	text, _ := json.Marshal(info)
	all, some := map[string]any{}, map[string]any{}
	json.Unmarshal(text, &all)
	if wanted, ok := expected.(map[string]any); ok {
		for name := range wanted {
			some[name] = all[name]
		}
	}
	return some
}

// same names the first place where two values of JSON differ; "": none.
func same(found, expected any, where string) string {
	switch wanted := expected.(type) {
	case float64:
		number, ok := found.(float64)
		allowed := 1e-3 * math.Max(1, math.Abs(wanted))
		if wanted == math.Trunc(wanted) && number == math.Trunc(number) {
			allowed = 0
		}
		if !ok || math.Abs(number-wanted) > allowed {
			return fmt.Sprintf("%s: got %v, expected %v", where, found, expected)
		}
	case map[string]any:
		given, _ := found.(map[string]any)
		if len(given) != len(wanted) {
			return fmt.Sprintf("%s: got %v, expected %v", where, found, expected)
		}
		for name := range wanted {
			if wrong := same(given[name], wanted[name], where+"."+name); wrong != "" {
				return wrong
			}
		}
	case []any:
		given, _ := found.([]any)
		if len(given) != len(wanted) {
			return fmt.Sprintf("%s: got %v, expected %v", where, found, expected)
		}
		for place := range wanted {
			if wrong := same(given[place], wanted[place], fmt.Sprintf("%s[%d]", where, place)); wrong != "" {
				return wrong
			}
		}
	default:
		if found != expected {
			return fmt.Sprintf("%s: got %v, expected %v", where, found, expected)
		}
	}
	return ""
}

func TestGolden(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(data, "golden", "golden.json"))
	require(t, err)
	var golden struct{ Cases []goldenCase }
	require(t, json.Unmarshal(content, &golden))
	if len(golden.Cases) < 37 {
		t.Fatalf("%d cases, expected 37 or more", len(golden.Cases))
	}
	for place := range golden.Cases {
		c := &golden.Cases[place]
		t.Run(c.Name, func(t *testing.T) {
			found, err := c.run(t)
			outcome, expected := found, c.Expected
			if err != nil {
				var failed *dragoman.Error
				if !errors.As(err, &failed) {
					t.Fatal(err)
				}
				message := strings.ReplaceAll(failed.Message, data+string(filepath.Separator), "")
				outcome, expected = map[string]any{"status": failed.Status, "message": message}, c.Error
			}
			var plain any
			text, err := json.Marshal(outcome)
			require(t, err)
			require(t, json.Unmarshal(text, &plain))
			if wrong := same(plain, expected, ""); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}
