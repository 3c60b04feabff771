// SPDX-License-Identifier: Apache-2.0
#include "fuzz/zip_mutate.h"

using namespace dragoman::test;

namespace {

// An array's header, and the length before it; its values as they are, or as many as before and some.
void change_npy(Member& member, Chance& chance) {
    std::string& npy = member.content;
    constexpr std::size_t kHeader = 10;
    const std::size_t length = read_le<uint16_t>(npy, 8);
    if (npy.size() < kHeader || kHeader + length > npy.size() || chance.one_in(6)) {
        npy = changed(npy, npy.size() + 8);
        return;
    }
    std::string header = npy.substr(kHeader, length), values = npy.substr(kHeader + length);
    static constexpr std::string_view kTypes[] = {"<f4", "<f2", "<i4", "|i1", "|u1", "<i8", "<f8", ">f4", "|S1"};
    switch (chance.below(5)) {
        case 0:
            if (const auto at = header.find("'descr': '"); at != header.npos)
                header.replace(at + 10, 3, kTypes[chance.below(std::size(kTypes))]);
            break;
        case 1:
            if (const auto at = header.find("'shape': ("); at != header.npos)
                header.insert(at + 10, std::to_string(chance.number(33)) + ", ");
            break;
        case 2:
            if (const auto at = header.find("False"); at != header.npos) header.replace(at, 5, "True");
            break;
        case 3: values = changed(values, values.size() + 8); break;
        default: header = changed(header, header.size() + 16);
    }
    if (header.size() > 65535) return;
    npy.resize(kHeader);
    write_le<uint16_t>(npy, 8, static_cast<uint16_t>(header.size()));
    npy += header + values;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    return change_zip(data, size, max_size, seed, change_npy);
}
