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

// Devices describes all Vulkan devices. NoDevice where there is no Vulkan loader.
func Devices() ([]DeviceInfo, error) {
	count, err := plain().deviceCount()
	found := make([]DeviceInfo, int(count))
	for index := uint32(0); err == nil && index < count; index++ {
		found[index], err = plain().deviceDescribe(index)
	}
	return found, err
}

// Device is a device in use. Models that are loaded onto it share its memory limit and its queue of work. Close lets go
// of it; models on it keep what they need.
type Device struct{ *handle }

// Check runs the kernels of the device on small inputs and says which give wrong results, as JSON for a bug report
// (docs/devices.md). It takes seconds where no pipelines are kept. Where the context ends, the check goes on unseen.
func (d *Device) Check(ctx context.Context) (json.RawMessage, error) {
	return readReport(during(ctx).deviceCheck(d.handle))
}
