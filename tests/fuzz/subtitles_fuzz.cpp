// SPDX-License-Identifier: Apache-2.0
#include "fuzz/document.h"

namespace dragoman::test::subtitles_fuzz {

using test::Format;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    return test::fuzz_document(std::string(bytes), bytes.starts_with('[') ? Format::ass : Format::srt, false);
}

}  // namespace dragoman::test::subtitles_fuzz
