// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_file.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::sentencepiece_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { formats::check_sentencepiece(test::fuzz_file(data, size)); });
}

}  // namespace dragoman::test::sentencepiece_fuzz
