// SPDX-License-Identifier: Apache-2.0
// Strings of programs, in four notations; the first byte says which.
#include "fuzz/document.h"

namespace dragoman::test::strings_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr Format kFormats[] = {Format::json, Format::arb, Format::android, Format::strings};
    return test::fuzz_document({reinterpret_cast<const char*>(data) + 1, size - 1}, kFormats[data[0] % 4], false);
}

}  // namespace dragoman::test::strings_fuzz
