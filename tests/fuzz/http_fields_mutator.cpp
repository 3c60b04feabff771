// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

// A body of JSON is changed by its values.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string_view bytes = view(data, size);
    const std::size_t first = bytes.find('\n'), second = first == bytes.npos ? first : bytes.find('\n', first + 1);
    if (second == bytes.npos || chance.one_in(3)) return LLVMFuzzerMutate(data, size, max_size);
    const std::string head(bytes.substr(0, second + 1));
    std::string body(bytes.substr(second + 1));
    const std::size_t most = max_size - std::min(max_size, head.size());
    if (chance.one_in(4) || !change_json_text(body, chance, most)) body = changed(body, most);
    return give(head + body, data, max_size);
}
