// SPDX-License-Identifier: Apache-2.0
#include "fuzz/document.h"

namespace dragoman::test::subtitles_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::fuzz_document({reinterpret_cast<const char*>(data), size}, Format::srt, false);
}

}  // namespace dragoman::test::subtitles_fuzz
