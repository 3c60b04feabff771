// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

// A change of the JSON's values; one in four of the bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    std::string text(view(data, size));
    if (chance.one_in(4) || !change_json_text(text, chance, max_size)) return LLVMFuzzerMutate(data, size, max_size);
    return give(text, data, max_size);
}
