// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"dragoman"
)

// The bodies of these functions are the programs of README.md.

func Example() {
	ctx := context.Background()
	model, err := dragoman.LoadModel(ctx, "", nil) // the one that comes with the library
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "en"})
	if err != nil {
		log.Fatal(err)
	}
	defer translator.Close()

	found, err := translator.Translate(ctx, "Wo ist der Bahnhof?", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Text)
	// Output: Where is the station?
}

func ExampleTranslator_TranslateTexts() {
	ctx := context.Background()
	model, err := dragoman.LoadModel(ctx, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	translator, err := model.Translator(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer translator.Close()

	options := dragoman.TranslateOptions{TargetLanguage: "de", BeamSize: 4, NumHypotheses: 2, ReturnAttention: true}
	options.LengthPenalty = dragoman.Ptr[float32](0.6) // of some options 0 is not the default: these are pointers
	texts := []string{"Good morning!", "How are you? I am fine."}
	list, err := translator.TranslateTexts(ctx, texts, &options)
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range list {
		fmt.Println(len(found.Hypotheses), "hypotheses")
		for _, sentence := range found.Sentences {
			attention := sentence.Attention // attention.At(target token, source token)
			fmt.Println(sentence.Source, sentence.SourceRange, attention.Rows == len(sentence.Tokens))
		}
	}

	_, err = translator.Translate(ctx, "Good morning!", &dragoman.TranslateOptions{BeamSize: 100})
	if errors.Is(err, dragoman.InvalidArgument) {
		fmt.Println(err)
	}
	// Output:
	// 2 hypotheses
	// Good morning! {0 13} true
	// 2 hypotheses
	// How are you? {0 12} true
	// I am fine. {13 23} true
	// dragoman: invalid_argument: beam_size: 100 is not allowed; expected 1 to 64
}

func ExampleTranslator_Submit() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // its end stops everything
	defer cancel()
	model, err := dragoman.LoadModel(ctx, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "de"})
	if err != nil {
		log.Fatal(err)
	}
	defer translator.Close()

	// Each sentence as it is done, and before that as it grows.
	text := []string{"Good morning! Where is the station?"}
	job, err := translator.Submit(ctx, text, nil, &dragoman.JobOptions{Sentences: true, Partial: true})
	if err != nil {
		log.Fatal(err)
	}
	defer job.Close()
	sentences := 0
	for event := range job.Events() {
		if event.Kind == dragoman.EventSentence {
			sentences++
		}
	}
	found, err := job.Wait(ctx)
	fmt.Println(sentences, "sentences,", len(found[0].Sentences), "in the result,", err)

	// What comes through a channel, however much, in bounded memory and in order.
	lines := make(chan dragoman.Input)
	go func() {
		defer close(lines)
		for number := 0; number < 20; number++ {
			select {
			case lines <- dragoman.Input{Text: fmt.Sprintf("This is line %d.", number)}:
			case <-ctx.Done(): // a feed that has ended early reads no more
				return
			}
		}
	}()
	feed, err := translator.TranslateEach(ctx, lines, nil, &dragoman.JobOptions{Ahead: 10})
	if err != nil {
		log.Fatal(err)
	}
	defer feed.Close()
	count := 0
	for range feed.Results() {
		count++
	}
	fmt.Println(count, "lines,", feed.Err())
	// Output:
	// 2 sentences, 2 in the result, <nil>
	// 20 lines, <nil>
}

func ExampleConvert() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "dragoman")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	path := folder + "/en-de.gguf" // a file that every program that uses Dragoman loads
	err = dragoman.Convert(ctx, "", path, &dragoman.ConvertOptions{WeightType: dragoman.WeightsQ8})
	if err != nil {
		log.Fatal(err)
	}
	info, err := dragoman.Describe(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Format, info.EncoderLayers > 0)

	no := dragoman.Ptr(false)
	quick := &dragoman.BenchOptions{Repeat: 1, LatencySamples: dragoman.Ptr[uint32](2), Ceilings: no, Passes: no}
	german := &dragoman.TranslateOptions{TargetLanguage: "de"}
	content, err := dragoman.Bench(ctx, path, []string{"Good morning!", "How are you?"}, nil, german, quick)
	if err != nil {
		log.Fatal(err)
	}
	var report struct { // that of `dragoman bench`
		Throughput struct {
			Speed float64 `json:"target_tokens_per_second"`
		}
	}
	err = json.Unmarshal(content, &report)
	fmt.Println(report.Throughput.Speed > 0, err)
	// Output:
	// gguf true
	// true <nil>
}

func ExampleModel() {
	ctx := context.Background()
	devices, err := dragoman.Devices()
	if err != nil {
		log.Fatal(err)
	}
	// Models on one device share its memory limit and its queue of work. Name: an index, a UUID, or a part of a name.
	device, err := dragoman.OpenDevice(&dragoman.DeviceOptions{Name: devices[0].UUID, MemoryLimitBytes: 2e9})
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	model, err := dragoman.LoadModel(ctx, "", &dragoman.ModelOptions{Device: device})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	languages, err := model.Languages(dragoman.SideTarget)
	fmt.Println(len(languages), "languages,", err)

	text := "Good morning."
	tokens, err := model.Tokenize(dragoman.SideSource, []string{text})
	last := tokens[0].Ranges[len(tokens[0].Ranges)-1]
	fmt.Println(last.Of(text), err) // what the last token stands for

	vectors, err := model.Embed(ctx, []string{text, "Good evening."}, nil)
	fmt.Println(vectors.Rows, len(vectors.Row(0)) == vectors.Cols, err)

	guesses, err := dragoman.DetectLanguages([]string{"Wo ist der Bahnhof?"})
	fmt.Println(guesses[0][0].Tag, err)
	sentences, err := dragoman.SplitSentences("One. Two.", "en", false)
	fmt.Println(sentences, err)

	translator, err := model.Translator(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer translator.Close()
	german := &dragoman.ScoreOptions{TargetLanguage: "de"}
	scores, err := translator.ScoreTexts(ctx, []string{text}, []string{"Guten Morgen."}, german)
	fmt.Println(scores[0].Total() < 0, err)
	// Output:
	// 2 languages, <nil>
	// . <nil>
	// 2 true <nil>
	// de <nil>
	// [{0 4} {5 9}] <nil>
	// true <nil>
}
