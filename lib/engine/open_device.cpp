// SPDX-License-Identifier: Apache-2.0
#include "engine/open_device.h"

#include "base/background.h"
#include "base/error.h"
#include "base/log.h"
#include "check/check.h"
#include "vulkan/reopen.h"

namespace dragoman::engine {

OpenDevice::OpenDevice(std::shared_ptr<vulkan::Context> context) : context_(std::move(context)), scheduler_(context_) {
    check::watch(*context_);
    if (!context_->caps().is_cpu()) context_->background().start();
}

OpenDevice::~OpenDevice() { context_->background().stop(); }

void OpenDevice::trim() {
    scheduler_.trim();
    if (vulkan::is_lost(*context_)) return;
    try {
        context_->trim();
    } catch (const Error& error) {  // a lost device gives all of it back when it is opened again
        if (error.status() != Status::device_lost) throw;
        log(LogLevel::debug, "giving memory back: {}", error.what());
    }
}

}  // namespace dragoman::engine
