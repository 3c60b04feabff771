// SPDX-License-Identifier: Apache-2.0
#include "model/sentencepiece_file.h"

#include <filesystem>
#include <functional>
#include <optional>

#include "base/file_map.h"
#include "model/ct2_model.h"
#include "model/marian_files.h"
#include "model/marian_refused.h"

namespace dragoman::model {
namespace {

using test::little_endian;

// Protobuf, put together by hand.
std::string number(uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
}

std::string field(uint32_t number_of, const std::string& bytes) {
    return number(number_of << 3 | 2) + number(bytes.size()) + bytes;
}

std::string piece(const std::string& text, uint32_t type = 1) {
    return field(1, field(1, text) + "\x15" + little_endian(0, 4) + "\x18" + number(type));
}

// A trie of Darts-clone; every step from block B leads on to block B + 256.
struct Map {
    std::vector<uint32_t> units;
    uint32_t size = 0;  // as the map says; 0: that of the units
    std::string texts = std::string("x\0yz\0", 5);

    explicit Map(uint32_t blocks = 4) : units(blocks * 256) { units[0] = 256 << 10; }

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
Map small_map() {
    Map map;
    map.step(256, 'a', 0);
    map.step(512, 'b', 2);
    return map;
}

void check(const std::string& content) { check_sentencepiece(test::in_memory(content, "m.spm")); }

void refused(std::initializer_list<const char*> parts, const std::string& content) {
    test::check_refused(Status::bad_model, {"m.spm: SentencePiece model"}, [&] { check(content); });
    test::check_refused(Status::bad_model, parts, [&] { check(content); });
}

void refused(std::initializer_list<const char*> parts, const std::function<void(Map&)>& spoil) {
    for (const uint32_t normalizer : {3u, 5u}) {
        Map map = small_map();
        spoil(map);
        refused(parts, map.model(normalizer));
    }
}

TEST_CASE("models that the trainer wrote pass") {
    for (const char* name : {"toy-text/source.spm", "toy-text/target.spm", "letters/source.spm", "letters/target.spm",
                             "huggingface/shared/source.spm", "marian/int8-firefox/vocab.xxyy.spm"}) {
        CAPTURE(name);
        CHECK_NOTHROW(check_sentencepiece(map_file(std::filesystem::path(DRAGOMAN_TEST_DATA) / name)));
    }
}

TEST_CASE("fields lie within the file") {
    CHECK_NOTHROW(check(""));
    CHECK_NOTHROW(check(piece("a") + field(2, "any") + number(200 << 3) + number(~uint64_t{0})));
    refused({"byte 2", "expected 4 bytes", "file has 3"}, std::string("\x0a\x04xyz"));
    refused({"byte 4", "expected 9 bytes", "file has 1"}, field(1, "\x0a\x09z"));
    refused({"expected 1 bytes", "file has 0"}, std::string("\x0a"));
    refused({"expected 4 bytes", "file has 2"}, std::string("\x15xy"));
    refused({"expected 8 bytes", "file has 2"}, std::string("\x11xy"));
    refused({"byte 0", "type 0, 1, 2 or 5", "file has 3"}, std::string("\x0b\x0c"));
    refused({"byte 1", "at most 10 bytes"}, "\x08" + std::string(10, '\x80') + '\1');
    refused({"byte 0", "tag", "4294967306"}, number(uint64_t{1} << 32 | 10) + std::string("\0", 1));
}

TEST_CASE("long pieces and NUL in them are refused") {
    CHECK_NOTHROW(check(piece(std::string(4096, 'x'))));
    refused({"piece 1", "at most 4096 bytes", "has 4097"}, piece("a") + piece(std::string(4097, 'x')));
    refused({"piece 0", "at most 4096 bytes", "has 200000"}, piece(std::string(200'000, 'x')));
    refused({"piece 0", "NUL in byte 1"}, piece(std::string("a\0b", 3)));
    // The last one counts for the library; each is looked at.
    refused({"piece 0", "has 5000"}, field(1, field(1, std::string(5000, 'x')) + field(1, "a")));
}

TEST_CASE("user-defined symbols begin at most 64 deep with one another") {
    const auto nested = [](std::size_t depth, uint32_t type) {
        std::string content;
        for (std::size_t i = depth; i > 0; --i)
            content += piece(std::string(i, 'x'), type) + piece("y" + std::to_string(i), 4);
        return content;
    };
    CHECK_NOTHROW(check(nested(64, 4)));
    CHECK_NOTHROW(check(nested(200, 1)));
    refused({"at most 64", "has 65"}, nested(65, 4));
}

TEST_CASE("rules lead into their trie and texts") {
    CHECK_NOTHROW(check(small_map().model()));
    CHECK_NOTHROW(check(field(3, field(2, ""))));
    refused({"unit 0", "one of 1024 units", "has 1024"}, [](Map& m) { m.lead(0, 1024); });
    refused({"unit 353", "one of 1024 units", "has 2000"}, [](Map& m) { m.lead(256 + 'a', 2000); });
    refused({"unit 353", "one of 1024 units"}, [](Map& m) { m.units[256 + 'a'] |= 1 << 9; });  // offset times 256
    refused({"unit 353", "offset into 5 bytes", "has 5"}, [](Map& m) { m.units[512] = 0x80000005; });
    refused({"unit 610", "offset into 5 bytes", "has 2147483647"}, [](Map& m) { m.units[768] = ~0u; });
    refused({"NUL at the end", "0x7a"}, [](Map& m) { m.texts.pop_back(); });
    refused({"fewer than 4096 bytes", "has 4096"}, [](Map& m) { m.texts = ""; });
    refused({"fewer than 4101 bytes", "has 8192"}, [](Map& m) { m.size = 8192; });
    refused({"whole blocks of 1024 bytes", "has 4092"}, [](Map& m) { m.size = 4092; });
    refused({"4 to 16777216 bytes", "has 3"}, field(3, field(2, "abc")));
    refused({"4 to 16777216 bytes", "has 16777217"}, field(3, field(2, std::string((1 << 24) + 1, '\0'))));
    // Two normalizers are merged by the library; both are looked at.
    Map broken = small_map();
    broken.lead(0, 4096);
    refused({"unit 0"}, broken.model() + field(3, field(2, small_map().bytes())));
}

TEST_CASE("no text has more than 32 rules for its beginnings") {
    const auto chain = [](uint32_t rules) {
        Map map(2 * rules + 2);
        for (uint32_t i = 0; i < 2 * rules; ++i)  // every other step ends a rule
            map.step(256 * (i + 1), 'a' + i % 26, i % 2 ? std::optional(0u) : std::nullopt);
        return map.model();
    };
    CHECK_NOTHROW(check(chain(32)));
    refused({"at most 32 for one text"}, chain(33));
    refused({"at most 32 for one text"}, [](Map& m) { m.lead(512 + 'b', 512); });  // "abbb" and so on, without end
    Map round = small_map();
    round.units[512 + 'b'] = 'b';  // without end too, but no rule on the way
    round.lead(512 + 'b', 512);
    CHECK_NOTHROW(check(round.model()));
}

TEST_CASE("a model is not loaded with a forged file beside it") {
    test::Ct2Model model = test::Ct2Model::tiny();
    model.files["source.spm"] = small_map().model();
    CHECK_NOTHROW(model.load());
    Map map = small_map();
    map.lead(0, 1 << 20);
    model.files["target.spm"] = map.model();
    const Error error = model.error();
    CHECK(error.status() == Status::bad_model);
    CHECK(std::string(error.what()).find("target.spm: SentencePiece model: normalization rules: unit 0") !=
          std::string::npos);
}

}  // namespace
}  // namespace dragoman::model
