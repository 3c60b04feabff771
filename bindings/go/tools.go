// SPDX-License-Identifier: Apache-2.0

package dragoman

import (
	"context"
	"encoding/json"
)

// Convert writes the model at a path (any format; "": the default one) as one GGUF file with everything it needs. The
// file appears complete or not at all.
func Convert(ctx context.Context, path, outPath string, options *ConvertOptions) error {
	return during(ctx).modelConvert(path, outPath, options)
}

// Bench loads the model at a path, translates the texts (none: random words) again and again, and measures; docs/bench.md
// says what is in the report. Options that are nil have their defaults; those of the model must name no device.
func Bench(ctx context.Context, path string, texts []string, model *ModelOptions, translate *TranslateOptions,
	options *BenchOptions) (json.RawMessage, error) {
	return readReport(during(ctx).benchTexts(path, model, texts, translate, options))
}

// BenchTokens is Bench with sequences of source tokens.
func BenchTokens(ctx context.Context, path string, sources [][]string, model *ModelOptions,
	translate *TranslateOptions, options *BenchOptions) (json.RawMessage, error) {
	return readReport(during(ctx).benchTokens(path, model, sources, translate, options))
}
