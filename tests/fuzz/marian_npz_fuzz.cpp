// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.h"
#include "fuzz/marian.h"

namespace dragoman::test::marian_npz_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { test::read_all(formats::read_marian_npz(test::fuzz_file(data, size))); });
}

}  // namespace dragoman::test::marian_npz_fuzz
