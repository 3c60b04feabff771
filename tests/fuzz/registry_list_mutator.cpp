// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

// The registry's name stays; the list behind it is changed by its values where it is JSON.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string_view bytes = view(data, size);
    const std::size_t line = bytes.find('\n');
    if (line == bytes.npos || chance.one_in(20)) return LLVMFuzzerMutate(data, size, max_size);
    const std::string head(bytes.substr(0, line + 1));
    std::string list(bytes.substr(line + 1));
    const std::size_t most = max_size - std::min(max_size, head.size());
    if (chance.one_in(4) || !change_json_text(list, chance, most)) list = changed(list, most);
    return give(head + list, data, max_size);
}
