// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>

#include "support/final_check.h"
#include "support/quiet_reporter.h"

namespace dragoman::test {

bool (*final_check)() = nullptr;

namespace {

unsigned cases_run = 0;

struct CountCases : QuietReporter {
    explicit CountCases(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& stats) override { cases_run = stats.numTestCasesPassingFilters; }
};
REGISTER_LISTENER("count_cases", 1, CountCases);

}  // namespace

}  // namespace dragoman::test

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int result = context.run();
    if (context.shouldExit()) return result;
    if (dragoman::test::cases_run == 0) {
        std::fprintf(stderr, "no test case matches the filter\n");
        return 1;
    }
    if (dragoman::test::final_check && !dragoman::test::final_check()) return 1;
    return result;
}
