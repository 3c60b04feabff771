// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "support/device.h"
#include "support/final_check.h"
#include "support/pinned_drivers.h"
#include "support/quiet_reporter.h"
#include "support/validation.h"
#include "vulkan/context.h"

namespace dragoman::test {

namespace {

uint64_t expected = 0;
bool clean = true;

struct ValidationListener : QuietReporter {
    explicit ValidationListener(const doctest::ContextOptions&) {}
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    void test_run_start() override { pin_drivers(); }
#endif
    // Static objects go after the drivers.
    void test_run_end(const doctest::TestRunStats&) override { held_contexts().clear(); }
    void test_case_start(const doctest::TestCaseData& data) override { name_ = data.m_name; }
    void test_case_end(const doctest::CurrentTestCaseStats&) override {
        const uint64_t seen = vulkan::validation_message_count();
        if (seen == expected) return;
        std::fprintf(stderr, "test case '%s': %lld validation messages more than expected\n", name_,
                     static_cast<long long>(seen - expected));
        expected = seen;
        clean = false;
    }

private:
    const char* name_ = "";
};
REGISTER_LISTENER("validation", 1, ValidationListener);

const bool registered = [] {
    final_check = [] { return clean; };
    return true;
}();

}  // namespace

void expect_validation_messages(uint64_t count) { expected += count; }

}  // namespace dragoman::test
