// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"context"
	"encoding/json"
)

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

func readReport(report *C.dragoman_report, err error) (json.RawMessage, error) {
	defer C.dragoman_report_destroy(report)
	return json.RawMessage(reportJson(&err, report)), err
}
