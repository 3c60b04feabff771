// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman::test {

// Set before main by what wants a last word on the run; returns false to fail it.
extern bool (*final_check)();

}  // namespace dragoman::test
