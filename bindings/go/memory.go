// SPDX-License-Identifier: Apache-2.0

package dragoman

// TranslationMemory is answers of models, segments of translation memories (TMX) and, on request, a record of what is
// translated; for TranslateOptions (docs/translation_memory.md). Calls that use it go on after its Close, which writes
// what waits for its file.
type TranslationMemory struct{ *handle }

// NewTranslationMemory makes one; nil options: the defaults, without a file.
func NewTranslationMemory(options *MemoryOptions) (*TranslationMemory, error) {
	return plain().memoryCreate(options)
}

// LoadTMX reads a translation memory of any size from a file, and says how many of its units are of use.
func (m *TranslationMemory) LoadTMX(path string) (int, error) {
	return plain().memoryLoadTmx(m.handle, path)
}

// ReadTMX is LoadTMX for the content of such a file.
func (m *TranslationMemory) ReadTMX(content string) (int, error) {
	return plain().memoryReadTmx(m.handle, content)
}

// Add adds a segment and its translation, of two languages (BCP 47).
func (m *TranslationMemory) Add(sourceLanguage, targetLanguage, source, target string) error {
	return plain().memoryAdd(m.handle, sourceLanguage, targetLanguage, source, target)
}

// WriteTMX writes what was recorded, and replaces an old file. InvalidArgument for a memory that records nothing.
func (m *TranslationMemory) WriteTMX(path string) error {
	return plain().memoryWriteTmx(m.handle, path)
}

// Clear forgets everything, in the file too.
func (m *TranslationMemory) Clear() error { return plain().memoryClear(m.handle) }

// Counts says what the memory has, and what it was asked since it was made.
func (m *TranslationMemory) Counts() (MemoryCounts, error) { return plain().memoryStats(m.handle) }
