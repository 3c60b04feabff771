// SPDX-License-Identifier: Apache-2.0
#include "formats/byte_bpe_file.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::byte_bpe_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const FileBytes file = test::fuzz_file(data, size);
    test::refusing([&] { formats::read_merges(file); });
    return test::refusing([&] { formats::read_byte_bpe_json(file); });
}

}  // namespace dragoman::test::byte_bpe_fuzz
