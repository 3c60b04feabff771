// SPDX-License-Identifier: Apache-2.0

package dragoman

import "strings"

// Glossary is terms with what they become, for TranslateOptions (docs/terms.md). It never changes. Calls that use it go
// on after its Close.
type Glossary struct{ *handle }

// NewGlossary makes one of pairs of a term and what it becomes; "a|b": either.
func NewGlossary(terms ...[2]string) (*Glossary, error) {
	var content strings.Builder
	for place, term := range terms {
		if strings.ContainsAny(term[0]+term[1], "\t\r\n") {
			return nil, invalid("terms[%d]: expected no tab and no line break, got %q, %q", place, term[0], term[1])
		}
		content.WriteString(" " + term[0] + "\t" + term[1] + "\n") // behind a blank, which is cut, no term is a note
	}
	return ReadGlossary("source\ttarget\n"+content.String(), "", "") // nor a header or the beginning of TBX
}

// TranslationMemory is answers of models, segments of translation memories (TMX) and, on request, a record of what is
// translated; for TranslateOptions (docs/translation_memory.md). Calls that use it go on after its Close, which writes
// what waits for its file.
type TranslationMemory struct{ *handle }
