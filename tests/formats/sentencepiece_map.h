// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/marian_files.h"

namespace dragoman::test {

// Protobuf, put together by hand.
inline std::string number(uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
}

inline std::string field(uint32_t number_of, const std::string& bytes) {
    return number(number_of << 3 | 2) + number(bytes.size()) + bytes;
}

inline std::string piece(const std::string& text, uint32_t type = 1) {
    return field(1, field(1, text) + "\x15" + little_endian(0, 4) + "\x18" + number(type));
}

// A trie of Darts-clone; every step from block B leads on to block B + 256.
struct SentencepieceMap {
    std::vector<uint32_t> units;
    uint32_t size = 0;  // as the map says; 0: that of the units
    std::string texts = std::string("x\0yz\0", 5);

    explicit SentencepieceMap(uint32_t blocks = 4) : units(blocks * 256) { units[0] = 256 << 10; }

    void lead(uint32_t unit, uint32_t target) { units[unit] = (units[unit] & 0x3ff) | (unit ^ target) << 10; }
    // A rule ends in this step when there is a value.
    void step(uint32_t block, uint32_t byte, std::optional<uint32_t> value) {
        units[block + byte] = byte | (value ? 0x100 : 0);
        lead(block + byte, block + 256);
        if (value) units[block + 256] = 0x80000000 | *value;
    }

    std::string bytes() const {
        std::string out = little_endian(size ? size : units.size() * 4, 4);
        for (const uint32_t unit : units) out += little_endian(unit, 4);
        return out + texts;
    }
    std::string model(uint32_t normalizer = 3) const {
        return piece("<unk>", 2) + piece("a") + field(normalizer, field(1, "rules") + field(2, bytes()));
    }
};

// "a" and "ab" become the texts at 0 and 2.
inline SentencepieceMap small_map() {
    SentencepieceMap map;
    map.step(256, 'a', 0);
    map.step(512, 'b', 2);
    return map;
}

}  // namespace dragoman::test
