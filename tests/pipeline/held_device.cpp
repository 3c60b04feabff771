// SPDX-License-Identifier: Apache-2.0
// The tests load one model after another. The device stays open over all of them, which keeps its kernels: most of their
// time would be spent on compiling these again.
#include "engine/device.h"
#include "support/quiet_reporter.h"

namespace dragoman::test {

namespace {

struct HeldDevice : QuietReporter {
    explicit HeldDevice(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData&) override {
        if (!device_) device_ = engine::Device::shared();
    }
    void test_run_end(const doctest::TestRunStats&) override { device_.reset(); }

private:
    std::shared_ptr<engine::Device> device_;
};
REGISTER_LISTENER("held_device", 2, HeldDevice);

}  // namespace

}  // namespace dragoman::test
