// SPDX-License-Identifier: Apache-2.0
// For mutators that know a format: they change what a file says and put lengths, offsets and checksums right again, so
// that the change gets behind the first check. NAME_mutator.cpp belongs to NAME_fuzz.cpp; libFuzzer alone has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(uint8_t* data, std::size_t size, std::size_t max_size);

namespace dragoman::test {

class Chance {
public:
    explicit Chance(unsigned seed) : random_(seed) {}
    std::size_t below(std::size_t bound) { return bound ? random_() % bound : 0; }
    bool one_in(std::size_t bound) { return below(bound) == 0; }
    // Numbers where readers go wrong, of at most so many bits.
    uint64_t number(unsigned bits) {
        const uint64_t most = bits < 64 ? (uint64_t{1} << bits) - 1 : UINT64_MAX;
        switch (below(7)) {
            case 0: return below(4);
            case 1: return below(64);
            case 2: return most - below(3);
            case 3: return most / 2 + below(3);
            case 4: return (uint64_t{1} << below(bits)) - below(2);
            case 5: return most / (1 + below(16));
            default: return random_() & most;
        }
    }

private:
    std::mt19937_64 random_;
};

// libFuzzer's own changes of a text.
inline std::string changed(std::string text, std::size_t most) {
    const std::size_t size = text.size();
    most = std::max<std::size_t>(most, 1);
    text.resize(std::max(size, most));
    text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), std::min(size, most), most));
    return text;
}

inline std::size_t give(std::string_view bytes, uint8_t* data, std::size_t max_size) {
    const std::size_t size = std::min(bytes.size(), max_size);
    std::memcpy(data, bytes.data(), size);
    return size;
}

inline std::string_view view(const uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

template <class T>
T read_le(std::string_view bytes, std::size_t at) {
    T value{};
    if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
void write_le(std::string& bytes, std::size_t at, T value) {
    if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
}

// One change of a JSON value, somewhere in it.
void change_json(nlohmann::json& value, Chance& chance);

// The same of JSON in a text, which then has at most `most` bytes. False: it is no JSON, or would be longer.
bool change_json_text(std::string& text, Chance& chance, std::size_t most);

}  // namespace dragoman::test
