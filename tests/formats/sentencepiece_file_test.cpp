// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_file.h"

#include <filesystem>
#include <functional>
#include <optional>

#include "files/file_map.h"
#include "formats/sentencepiece_map.h"
#include "support/refused.h"

namespace dragoman::formats::sentencepiece_file_test {
namespace {

using Map = test::SentencepieceMap;
using test::field;
using test::little_endian;
using test::number;
using test::piece;
using test::small_map;

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
        CHECK_NOTHROW(check_sentencepiece(read_whole(std::filesystem::path(DRAGOMAN_TEST_DATA) / name)));
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

}  // namespace
}  // namespace dragoman::formats::sentencepiece_file_test
