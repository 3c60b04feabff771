// SPDX-License-Identifier: Apache-2.0
#include "formats/safetensors.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::safetensors_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { test::read_all(formats::Safetensors(test::fuzz_file(data, size))); });
}

}  // namespace dragoman::test::safetensors_fuzz
