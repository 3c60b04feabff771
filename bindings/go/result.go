// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

// Translation is the translation of one input: its best hypothesis, and all of them. It is a plain value; nothing in it
// belongs to the library.
type Translation struct {
	Hypothesis
	Source       string       // the text that was given; "" for tokens
	PlainSource  string       // what ranges of the source are places in: Source; with Markup its texts without tags
	SourceTokens []string     // of all sentences, before any cut
	SourceRanges []Range      // what of PlainSource each of them stands for; none for an input of tokens
	Hypotheses   []Hypothesis // best first, at least one
}

// Hypothesis is one translation of an input.
type Hypothesis struct {
	Text      string // "" for a model without tokenizer
	PlainText string // what ranges of the translation are places in: Text; with Markup the translations without tags
	Tokens    []string
	Ranges    []Range // what of PlainText each token stands for
	Score     float32 // 0 unless ReturnScores was set
	Quality   float32 // how good it probably is, 0 to 1; 0 unless ReturnQuality was set
	// Target tokens by source tokens. No rows unless ReturnAttention was set; with it nil for a text of several
	// sentences, each of which has its own.
	Attention *Matrix
	Pharaoh   string // the alignment of the words as "0-0 1-2"; "" unless ReturnAlignment was set
	Sentences []Sentence
}

// Sentence is a sentence of a text, or a part of one that was too long, and its translation.
type Sentence struct {
	Source, Text             string
	SourceRange, TargetRange Range // in PlainSource and PlainText
	SourceTokens, Tokens     []string
	SourceTokenRange         Range // in those of the whole text
	TargetTokenRange         Range
	Score, Quality           float32 // as those of the hypothesis
	Language                 string  // BCP 47, with SourceLanguage "auto"; else ""
	LanguageProbability      float32
	Flags                    SentenceFlag
	Attention                Matrix // as that of the hypothesis
	Alignment                Alignment
	Coverage                 float32   // share of its words that the translation reaches, 0 to 1; 0 unless ReturnCoverage was set
	UncoveredWords           int       // in the longest run of words that the translation does not reach
	UncoveredRange           Range     // that run in PlainSource
	WordQuality              []float32 // how probable it is that each of Alignment.TargetWords is right
	Terms                    []Term    // of the glossary, in the order of the text
	Matches                  []Match   // of the memory, the most similar first
}

// Alignment says which words of a sentence those of its translation stand for. Without words unless ReturnAlignment was
// set; ReturnQuality gives the target's.
type Alignment struct {
	SourceWords, TargetWords []Range // in PlainSource and PlainText
	Weights                  Matrix  // target words by source words; a row adds up to 1, or is 0
}

// Links gives pairs of a source word and a target word: for each target word the source word with the largest weight,
// and others with threshold or more. Pharaoh's threshold is 0.4.
func (a Alignment) Links(threshold float32) [][2]int {
	var links [][2]int
	for target := 0; target < a.Weights.Rows; target++ {
		row, best := a.Weights.Row(target), 0
		for source, weight := range row {
			if weight > row[best] {
				best = source
			}
		}
		for source, weight := range row {
			if row[best] > 0 && (source == best || weight >= threshold) {
				links = append(links, [2]int{source, target})
			}
		}
	}
	return links
}

// Term is a term of the glossary that a sentence has.
type Term struct {
	SourceRange Range
	Met         bool // the translation has what it must become
}

// Match is a segment of a memory that is like a sentence, and what it became.
type Match struct {
	Source, Target string
	Similarity     float32 // 1 - edits / number of words of the longer one
}

// Has says whether all of some flags are set.
func (v SentenceFlag) Has(flags SentenceFlag) bool { return v&flags == flags }

// String is the translation's text.
func (h Hypothesis) String() string { return h.Text }

// translations reads a result and ends it; sources are the texts of its inputs, nil for tokens. What comes with an
// error is not whole.
func translations(from *C.dragoman_result, sources []string) ([]Translation, error) {
	defer C.dragoman_result_destroy(from)
	r := results{from: from}
	found := make([]Translation, int(C.dragoman_result_count(from)))
	for input := range found {
		if sources != nil {
			found[input].Source = sources[input]
		}
		r.input(input, &found[input])
	}
	return found, r.err
}

// results reads a result. The first error stays, and what is read after it is empty.
type results struct {
	from *C.dragoman_result
	err  error
}

func (r *results) input(input int, t *Translation) {
	t.PlainSource = resultPlainSource(&r.err, r.from, input)
	if t.PlainSource == "" {
		t.PlainSource = t.Source
	}
	t.SourceTokens = resultSourceTokens(&r.err, r.from, input)
	t.SourceRanges = resultSourceRanges(&r.err, r.from, input)
	t.Hypotheses = make([]Hypothesis, int(C.dragoman_result_hypothesis_count(r.from, C.size_t(input))))
	for rank := range t.Hypotheses {
		r.hypothesis(input, rank, t, &t.Hypotheses[rank])
	}
	if len(t.Hypotheses) > 0 {
		t.Hypothesis = t.Hypotheses[0]
	}
}

func (r *results) hypothesis(input, rank int, t *Translation, h *Hypothesis) {
	var noText, several error // a model without tokenizer, a text of several sentences
	attention := resultAttention(&several, r.from, input, rank)
	*h = Hypothesis{
		Text:      resultText(&noText, r.from, input, rank),
		PlainText: resultPlainText(&r.err, r.from, input, rank),
		Tokens:    resultTokens(&r.err, r.from, input, rank),
		Ranges:    resultRanges(&r.err, r.from, input, rank),
		Score:     resultScore(&r.err, r.from, input, rank),
		Quality:   resultQuality(&r.err, r.from, input, rank),
		Pharaoh:   resultPharaoh(&r.err, r.from, input, rank),
		Sentences: make([]Sentence, int(C.dragoman_result_sentence_count(r.from, C.size_t(input)))),
	}
	if h.PlainText == "" {
		h.PlainText = h.Text
	}
	if several == nil {
		h.Attention = &attention
	}
	for place := range h.Sentences {
		h.Sentences[place] = r.sentence(input, rank, place, t, h)
	}
}

func (r *results) sentence(input, rank, place int, t *Translation, h *Hypothesis) Sentence {
	info := resultSentence(&r.err, r.from, input, rank, place)
	s := Sentence{
		SourceRange: goRange(info.source_begin, info.source_end), TargetRange: goRange(info.target_begin, info.target_end),
		SourceTokenRange: goRange(info.source_token_begin, info.source_token_end),
		TargetTokenRange: goRange(info.target_token_begin, info.target_token_end), Coverage: float32(info.coverage),
		Score: float32(info.score), Quality: float32(info.quality), Flags: SentenceFlag(info.flags),
		Language: C.GoString(info.language), LanguageProbability: float32(info.language_probability),
		Attention:      resultSentenceAttention(&r.err, r.from, input, rank, place),
		WordQuality:    resultWordQuality(&r.err, r.from, input, rank, place).Data,
		UncoveredWords: int(info.uncovered_words), UncoveredRange: goRange(info.uncovered_begin, info.uncovered_end),
		Alignment: Alignment{
			resultSourceWords(&r.err, r.from, input, rank, place),
			resultTargetWords(&r.err, r.from, input, rank, place),
			resultSentenceAlignment(&r.err, r.from, input, rank, place),
		},
	}
	s.Source, s.Text = s.SourceRange.Of(t.PlainSource), s.TargetRange.Of(h.PlainText)
	if s.SourceTokenRange.End <= len(t.SourceTokens) && s.TargetTokenRange.End <= len(h.Tokens) { // else DiscardTokens
		s.SourceTokens = t.SourceTokens[s.SourceTokenRange.Begin:s.SourceTokenRange.End]
		s.Tokens = h.Tokens[s.TargetTokenRange.Begin:s.TargetTokenRange.End]
	}
	i, j, k := C.size_t(input), C.size_t(rank), C.size_t(place)
	for index := 0; index < int(C.dragoman_result_term_count(r.from, i, j, k)); index++ {
		term := resultTerm(&r.err, r.from, input, rank, place, index)
		s.Terms = append(s.Terms, Term{goRange(term.source_begin, term.source_end), term.met != 0})
	}
	for index := 0; index < int(C.dragoman_result_match_count(r.from, i, k)); index++ {
		match := resultMatch(&r.err, r.from, input, place, index)
		s.Matches = append(s.Matches, Match{goString(match.source), goString(match.target), float32(match.similarity)})
	}
	return s
}
