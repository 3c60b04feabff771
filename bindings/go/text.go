// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"context"
	"strings"
)

// SplitSentences finds the sentences of a text as translating does, without the space between them. language "":
// unknown. joinLines: a line break is a space, and a blank line ends a paragraph. It needs no model.
func SplitSentences(text, language string, joinLines bool) ([]Range, error) {
	list, err := plain().splitSentences(text, language, joinLines)
	defer C.dragoman_range_list_destroy(list)
	return goRanges(C.dragoman_ranges{C.dragoman_range_list_data(list), C.dragoman_range_list_count(list)}), err
}

// LanguageGuess is a language that a text may be in.
type LanguageGuess struct {
	Tag         string  `json:"tag"`         // BCP 47: "de", "zh-Hant"
	Name        string  `json:"name"`        // in English: "German"
	Probability float32 `json:"probability"` // that the text, or most of it, is in this language
}

// DetectLanguages gives for each text the languages that it may be in, at most three, the most probable first; none
// where it has no letters of a known language. Languages that are expected are likelier than others; at most 8 are
// heeded, none is excluded. It needs no model.
func DetectLanguages(texts []string, expected ...string) ([][]LanguageGuess, error) {
	list, err := plain().detectLanguages(texts, strings.Join(expected, ","))
	defer C.dragoman_detection_destroy(list)
	found := make([][]LanguageGuess, int(C.dragoman_detection_count(list)))
	for text := range found {
		found[text] = make([]LanguageGuess, int(C.dragoman_detection_guess_count(list, C.size_t(text))))
		for index := range found[text] {
			guess := detectionGuess(&err, list, text, index)
			found[text][index] = LanguageGuess{C.GoString(guess.tag), C.GoString(guess.name), float32(guess.probability)}
		}
	}
	return found, err
}

// TokenList is the tokens of a text, and what of the text each of them stands for.
type TokenList struct {
	Tokens []string `json:"tokens"`
	Ranges []Range  `json:"ranges"`
}

// Tokenize cuts each text, as one sentence, into the model's tokens of a side. No token is added.
func (m *Model) Tokenize(side Side, texts []string) ([]TokenList, error) {
	list, err := plain().tokenize(m.handle, side, texts)
	defer C.dragoman_token_lists_destroy(list)
	found := make([]TokenList, int(C.dragoman_token_lists_count(list)))
	for index := range found {
		found[index] = TokenList{tokenListsGet(&err, list, index), tokenListsRanges(&err, list, index)}
	}
	return found, err
}

// Detokenize puts each sequence of tokens together to a text. Tokens that control the model vanish.
func (m *Model) Detokenize(side Side, sequences [][]string) ([]string, error) {
	list, err := plain().detokenize(m.handle, side, sequences)
	defer C.dragoman_text_list_destroy(list)
	found := make([]string, int(C.dragoman_text_list_count(list)))
	for index := range found {
		found[index] = textListGet(&err, list, index)
	}
	return found, err
}

// TokenVectors is the tokens that an encoder read, with those around the text, and a row for each.
type TokenVectors struct {
	TokenList
	Vectors Matrix
}

// Embed gives vectors of texts from the encoder, a row for each text. Each text is one sequence, whatever sentences it
// has. PoolingTokens is for EmbedTokens.
func (m *Model) Embed(ctx context.Context, texts []string, options *EmbedOptions) (Matrix, error) {
	if options != nil && options.Pooling == PoolingTokens {
		return Matrix{}, invalid("pooling: tokens, expected another one; or EmbedTokens")
	}
	vectors, err := during(ctx).embedTexts(m.handle, texts, options)
	defer C.dragoman_vectors_destroy(vectors)
	return vectorsAll(&err, vectors), err
}

// EmbedTokens gives a vector for each token of each text; Pooling in the options is not heeded.
func (m *Model) EmbedTokens(ctx context.Context, texts []string, options *EmbedOptions) ([]TokenVectors, error) {
	given := EmbedOptions{}
	if options != nil {
		given = *options
	}
	given.Pooling = PoolingTokens
	vectors, err := during(ctx).embedTexts(m.handle, texts, &given)
	defer C.dragoman_vectors_destroy(vectors)
	found := make([]TokenVectors, int(C.dragoman_vectors_count(vectors)))
	for text := range found {
		tokens := TokenList{vectorsTokens(&err, vectors, text), vectorsRanges(&err, vectors, text)}
		found[text] = TokenVectors{tokens, vectorsGet(&err, vectors, text)}
	}
	return found, err
}
