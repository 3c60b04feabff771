// SPDX-License-Identifier: Apache-2.0
#include "files/zstd.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::zstd_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] { test::touch(unzstd(test::fuzz_file(data, size), "unpacked").bytes); });
}

}  // namespace dragoman::test::zstd_fuzz
