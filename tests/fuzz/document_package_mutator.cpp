// SPDX-License-Identifier: Apache-2.0
#include "fuzz/zip_mutate.h"

using namespace dragoman::test;

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    return change_zip(data, size, max_size, seed, [](Member& member, Chance&) {
        member.content = changed(member.content, member.content.size() + 32);
    });
}
