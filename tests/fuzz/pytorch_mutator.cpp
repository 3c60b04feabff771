// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

// dragoman.json up to the zero byte is changed by its values, names and shapes behind it as text.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string_view bytes = view(data, size);
    const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
    std::string description(bytes.substr(0, zero));
    std::string tensors(bytes.substr(std::min(zero + 1, bytes.size())));
    const std::size_t most = max_size - std::min(max_size, tensors.size() + 1);
    if (chance.one_in(4)) tensors = changed(tensors, tensors.size() + 32);
    else if (chance.one_in(6) || !change_json_text(description, chance, most)) description = changed(description, most);
    return give(description + '\0' + tensors, data, max_size);
}
