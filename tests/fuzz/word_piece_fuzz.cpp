// SPDX-License-Identifier: Apache-2.0
#include "formats/word_piece_file.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::word_piece_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { formats::read_word_piece_json(test::fuzz_file(data, size)); });
}

}  // namespace dragoman::test::word_piece_fuzz
