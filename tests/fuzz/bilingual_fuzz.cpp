// SPDX-License-Identifier: Apache-2.0
// XLIFF and TMX.
#include "fuzz/document.h"

namespace dragoman::test::bilingual_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    return test::fuzz_document(bytes, Format::xliff, false) + test::fuzz_document(bytes, Format::tmx, false);
}

}  // namespace dragoman::test::bilingual_fuzz
