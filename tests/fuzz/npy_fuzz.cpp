// SPDX-License-Identifier: Apache-2.0
#include "formats/npy.h"

#include "fuzz/fuzz.h"

namespace dragoman::test::npy_fuzz {

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    return test::refusing([&] {
        const formats::NpyArray array = formats::read_npy(test::fuzz_file(data, size));
        uint64_t elements = 1;
        for (const uint32_t dimension : array.shape) elements *= dimension;
        DRAGOMAN_ASSERT(elements == array.elements && array.bytes.size() >= elements * (array.type.back() - '0'));
        test::touch(array.bytes);
    });
}

}  // namespace dragoman::test::npy_fuzz
