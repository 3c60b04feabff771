// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"context"
	"encoding/json"
)

// Devices describes all Vulkan devices. NoDevice where there is no Vulkan loader.
func Devices() ([]DeviceInfo, error) {
	count, err := plain().deviceCount()
	found := make([]DeviceInfo, int(count))
	for index := range found {
		if err == nil {
			found[index], err = plain().deviceDescribe(uint32(index))
		}
	}
	return found, err
}

// DeviceMemory asks the driver for the memory of one of Devices().
func DeviceMemory(index uint32) (MemoryInfo, error) { return plain().deviceMemory(index) }

// Device is a device in use. Models that are loaded onto it share its memory limit and its queue of work. Close lets go
// of it; models on it keep what they need.
type Device struct{ *handle }

// OpenDevice opens a device; nil options: the best one.
func OpenDevice(options *DeviceOptions) (*Device, error) {
	return plain().deviceOpen(options)
}

// Info describes the device.
func (d *Device) Info() (DeviceInfo, error) { return plain().deviceGetInfo(d.handle) }

// Memory tells its memory, and what everything on it holds.
func (d *Device) Memory() (MemoryInfo, error) { return plain().deviceGetMemory(d.handle) }

// Trim gives back device memory except models and what running calls and jobs use.
func (d *Device) Trim() error { return plain().deviceTrim(d.handle) }

// Check runs the kernels of the device on small inputs and says which give wrong results, as JSON for a bug report
// (docs/devices.md). It takes seconds where no pipelines are kept. Where the context ends, the check goes on unseen.
func (d *Device) Check(ctx context.Context) (json.RawMessage, error) {
	return readReport(during(ctx).deviceCheck(d.handle))
}

func readReport(report *C.dragoman_report, err error) (json.RawMessage, error) {
	defer C.dragoman_report_destroy(report)
	return json.RawMessage(reportJson(&err, report)), err
}
