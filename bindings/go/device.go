// SPDX-License-Identifier: Apache-2.0

package dragoman

import (
	"context"
	"encoding/json"
)

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
