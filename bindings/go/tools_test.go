// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dragoman"
)

func TestLibrary(t *testing.T) {
	if !strings.HasPrefix(dragoman.Version(), "1.") || dragoman.VersionNumber() < 10000 {
		t.Errorf("version %s, %d", dragoman.Version(), dragoman.VersionNumber())
	}
	if !dragoman.HasFeature("jobs") || dragoman.HasFeature("magic") || len(dragoman.Features()) < 5 {
		t.Errorf("features %v", dragoman.Features())
	}
	var lines []string
	logger, err := dragoman.NewLogger(func(level dragoman.LogLevel, line string) { lines = append(lines, line) },
		dragoman.LogDebug)
	require(t, err)
	require(t, dragoman.SetLog(func(dragoman.LogLevel, string) {}, dragoman.LogError))
	model, err := dragoman.LoadModel(ctx, tokenModel, nil)
	require(t, err)
	require(t, model.Close())
	require(t, logger.Close())
	require(t, dragoman.SetLog(nil, dragoman.LogError))
	if len(lines) == 0 {
		t.Error("no line was logged")
	}
}

func TestDevices(t *testing.T) {
	devices, err := dragoman.Devices()
	require(t, err)
	device, err := dragoman.OpenDevice(&dragoman.DeviceOptions{Name: devices[0].UUID, MemoryLimitBytes: 1 << 30})
	require(t, err)
	defer device.Close()
	info, err := device.Info()
	require(t, err)
	equal(t, "name", info.Name, devices[0].Name)
	equal(t, "dots", strings.Count(info.APIVersion, "."), 2)
	model, err := dragoman.LoadModel(ctx, textModel, &dragoman.ModelOptions{Device: device})
	require(t, err)
	defer model.Close()
	memory, err := device.Memory()
	require(t, err)
	equal(t, "limit", memory.LimitBytes, 1<<30)
	its, err := model.Memory()
	require(t, err)
	if memory.HeldBytes == 0 || its.HeldBytes != memory.HeldBytes {
		t.Errorf("held: %d of the device, %d of the model", memory.HeldBytes, its.HeldBytes)
	}
	on, err := model.Device()
	require(t, err)
	equal(t, "device", on.UUID, info.UUID)
	require(t, device.Trim())
	heap, err := dragoman.DeviceMemory(0)
	require(t, err)
	equal(t, "heap", heap.HeapBytes, memory.HeapBytes)
	if _, err := dragoman.DeviceMemory(1000); !errors.Is(err, dragoman.NoDevice) {
		t.Errorf("got %v, expected NoDevice", err)
	}
	small, err := dragoman.OpenDevice(&dragoman.DeviceOptions{MemoryLimitBytes: 1000})
	require(t, err)
	defer small.Close()
	if _, err := dragoman.LoadModel(ctx, textModel, &dragoman.ModelOptions{Device: small}); !errors.Is(err, dragoman.OutOfMemory) {
		t.Errorf("got %v, expected OutOfMemory", err)
	}
}

func TestDeviceCheck(t *testing.T) {
	device, err := dragoman.OpenDevice(nil)
	require(t, err)
	defer device.Close()
	content, err := device.Check(ctx)
	require(t, err)
	var report struct{ Right, Wrong int }
	require(t, json.Unmarshal(content, &report))
	if report.Right == 0 || report.Wrong != 0 {
		t.Errorf("%s", content)
	}
}

func TestModel(t *testing.T) {
	info, err := shared.Info()
	require(t, err)
	described, err := dragoman.Describe(textModel)
	require(t, err)
	equal(t, "parameters", described.Parameters, info.Parameters)
	languages, err := shared.Languages(dragoman.SideTarget)
	require(t, err)
	also, err := dragoman.DescribeLanguages(textModel, dragoman.SideTarget)
	require(t, err)
	equal(t, "languages", len(also), len(languages))
	equal(t, "language", languages[0].Code, "xx")
	tokens, err := shared.Tokenize(dragoman.SideSource, []string{text})
	require(t, err)
	equal(t, "last token", tokens[0].Ranges[len(tokens[0].Ranges)-1].Of(text), "!")
}

// slow reads a file no faster than a disk that sleeps.
type slow struct {
	io.ReaderAt
	then func()
}

func (s slow) ReadAt(to []byte, offset int64) (int, error) {
	s.then()
	time.Sleep(10 * time.Millisecond)
	return s.ReaderAt.ReadAt(to, offset)
}

func slowFiles(t *testing.T, then func()) []dragoman.File {
	var files []dragoman.File
	names, err := filepath.Glob(filepath.Join(textModel, "*"))
	require(t, err)
	for _, name := range names {
		content, err := os.ReadFile(name)
		require(t, err)
		file := dragoman.BytesFile(filepath.Base(name), content)
		file.Reader = slow{file.Reader, then}
		files = append(files, file)
	}
	return files
}

func TestFiles(t *testing.T) {
	model, err := dragoman.LoadModelFS(ctx, os.DirFS(textModel), nil)
	require(t, err)
	defer model.Close()
	translator, err := model.Translator(nil)
	require(t, err)
	defer translator.Close()
	found, err := translator.Translate(ctx, text, &dragoman.TranslateOptions{TargetLanguage: "xx"})
	require(t, err)
	equal(t, "text", found.Text, translation)
	info, err := dragoman.DescribeFiles(slowFiles(t, func() {}))
	require(t, err)
	equal(t, "width", info.DModel, 32)
	if _, err = dragoman.LoadModelFS(ctx, os.DirFS("/nowhere"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, expected ErrNotExist", err)
	}
	short := slowFiles(t, func() {})
	for place := range short {
		short[place].Size += 5
	}
	if _, err = dragoman.LoadModelFiles(ctx, short, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, expected ErrUnexpectedEOF", err)
	}
	defer func() { equal(t, "panic", fmt.Sprint(recover()), "mine") }()
	dragoman.LoadModelFiles(ctx, slowFiles(t, func() { panic("mine") }), nil)
}

func TestDetect(t *testing.T) {
	found, err := dragoman.DetectLanguages([]string{"Wo ist der Bahnhof?", "123"}, "de", "en")
	require(t, err)
	equal(t, "language", found[0][0].Tag, "de")
	equal(t, "name", found[0][0].Name, "German")
	equal(t, "no language", len(found[1]), 0)
}

func TestEmbed(t *testing.T) {
	texts := []string{text, "batiß."}
	found, err := shared.Embed(ctx, texts, &dragoman.EmbedOptions{Normalize: dragoman.NormalizeOn})
	require(t, err)
	equal(t, "rows", found.Rows, 2)
	sum := float32(0)
	for _, one := range found.Row(1) {
		sum += one * one
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("length: %v", sum)
	}
	tokens, err := shared.EmbedTokens(ctx, texts, nil)
	require(t, err)
	equal(t, "rows of tokens", tokens[1].Vectors.Rows, len(tokens[1].Tokens))
	calls := 0
	_, err = shared.Embed(ctx, texts, &dragoman.EmbedOptions{Progress: func(done, total int) { calls++ }})
	require(t, err)
	if calls == 0 {
		t.Error("no progress")
	}
}

func TestScores(t *testing.T) {
	translator := toy(t)
	found, err := translator.ScoreTexts(ctx, []string{text, text}, []string{translation, "vöpiй."},
		&dragoman.ScoreOptions{TargetLanguage: "xx"})
	require(t, err)
	if found[0].Total() <= found[1].Total() {
		t.Errorf("%v for the translation, %v for another", found[0].Total(), found[1].Total())
	}
}

func TestGlossary(t *testing.T) {
	glossary, err := dragoman.NewGlossary([2]string{"kénara", "Gax"})
	require(t, err)
	equal(t, "entries", glossary.Len(), 1)
	options := &dragoman.TranslateOptions{TargetLanguage: "xx", Glossary: glossary}
	found, err := toy(t).Translate(ctx, text, options)
	require(t, err)
	terms := found.Sentences[0].Terms
	if len(terms) != 1 || !terms[0].Met || terms[0].SourceRange.Of(text) != "kénara" || !strings.Contains(found.Text, "Gax") {
		t.Errorf("%s: %v", found.Text, terms)
	}
	odd, err := dragoman.NewGlossary([2]string{"source", "target"}, [2]string{"#note", "#Notiz"}, [2]string{"<b>", "<i>"})
	require(t, err)
	equal(t, "odd entries", odd.Len(), 3)
	require(t, odd.Close())
	require(t, glossary.Close())
	if _, err = toy(t).Translate(ctx, text, options); !errors.Is(err, dragoman.ErrClosed) {
		t.Errorf("got %v, expected ErrClosed", err)
	}
	if _, err = dragoman.NewGlossary([2]string{"a\tb", "c"}); !errors.Is(err, dragoman.InvalidArgument) {
		t.Errorf("got %v, expected InvalidArgument", err)
	}
	if _, err = dragoman.LoadGlossary("/nowhere", "", ""); !errors.Is(err, dragoman.IOError) {
		t.Errorf("got %v, expected IOError", err)
	}
}

func TestMemory(t *testing.T) {
	folder := t.TempDir()
	memory, err := dragoman.NewTranslationMemory(&dragoman.MemoryOptions{Path: folder + "/kept", Record: true,
		MaxMatches: dragoman.Ptr[uint32](2)})
	require(t, err)
	defer memory.Close()
	require(t, memory.Add("en", "de", "I have a cat.", "Ich habe einen Kater."))
	model, err := dragoman.LoadModel(ctx, filepath.Join("..", "..", "models", "en-de"), nil)
	require(t, err)
	defer model.Close()
	translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "de", Memory: memory})
	require(t, err)
	defer translator.Close()
	for round := 0; round < 2; round++ {
		found, err := translator.Translate(ctx, "I have a dog. I have a cat. I have a big cat.", nil)
		require(t, err)
		exact, like := found.Sentences[1], found.Sentences[2]
		equal(t, "segment", exact.Text, "Ich habe einen Kater.")
		equal(t, "from memory", exact.Flags.Has(dragoman.SentenceFromMemory), true)
		if len(like.Matches) != 1 || like.Matches[0].Target != exact.Text || like.Matches[0].Similarity < 0.8 {
			t.Errorf("matches: %v", like.Matches)
		}
	}
	counts, err := memory.Counts()
	require(t, err)
	if counts.Hits == 0 || counts.Segments != 1 {
		t.Errorf("%+v", counts)
	}
	require(t, memory.WriteTMX(folder+"/record.tmx"))
	units, err := memory.LoadTMX(folder + "/record.tmx")
	require(t, err)
	if units == 0 {
		t.Error("nothing was recorded")
	}
	content, err := os.ReadFile(folder + "/record.tmx")
	require(t, err)
	again, err := memory.ReadTMX(string(content))
	require(t, err)
	equal(t, "units", again, units)
	require(t, memory.Clear())
}

func TestConvertAndBench(t *testing.T) {
	path := t.TempDir() + "/toy.gguf"
	calls := 0
	require(t, dragoman.Convert(ctx, textModel, path, &dragoman.ConvertOptions{WeightType: dragoman.WeightsQ8,
		Progress: func(done, total int) { calls++ }}))
	if calls == 0 {
		t.Error("no progress")
	}
	if err := dragoman.Convert(ctx, textModel, path, nil); !errors.Is(err, dragoman.IOError) {
		t.Errorf("got %v, expected IOError", err)
	}
	no := dragoman.Ptr(false)
	quick := &dragoman.BenchOptions{Repeat: 1, LatencySamples: dragoman.Ptr[uint32](2), Ceilings: no, Passes: no}
	content, err := dragoman.Bench(ctx, path, []string{text}, nil, &dragoman.TranslateOptions{TargetLanguage: "xx"}, quick)
	require(t, err)
	var report struct{ Throughput map[string]any }
	require(t, json.Unmarshal(content, &report))
	if report.Throughput["target_tokens_per_second"] == nil {
		t.Errorf("%s", content)
	}
	_, err = dragoman.BenchTokens(ctx, tokenModel, [][]string{{"آ"}}, nil, nil, quick)
	require(t, err)
}

func TestOptionsAsJSON(t *testing.T) {
	var options dragoman.TranslateOptions
	given := `{"beam_size":2,"search":"marian","split_sentences":false,"end_tokens":["a"]}`
	require(t, json.Unmarshal([]byte(given), &options))
	equal(t, "search", options.Search, dragoman.SearchMarian)
	text, err := json.Marshal(options)
	require(t, err)
	for _, part := range []string{`"beam_size":2`, `"search":"marian"`, `"split_sentences":false`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s: expected %s", text, part)
		}
	}
}
