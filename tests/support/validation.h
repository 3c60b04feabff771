// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman::test {

// A test that provokes `count` validation messages says so; any other message fails its test case.
void expect_validation_messages(uint64_t count);

}  // namespace dragoman::test
