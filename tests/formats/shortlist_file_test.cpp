// SPDX-License-Identifier: Apache-2.0
#include "formats/shortlist_file.h"

#include <algorithm>
#include <random>
#include <set>

#include "formats/marian_files.h"
#include "support/refused.h"

namespace dragoman::formats::shortlist_file_test {
namespace {

using test::check_refused;
using test::in_memory;
using spec::Shortlist;
using test::little_endian;
using Ids = std::vector<uint32_t>;

struct BinaryList {
    uint64_t magic = 0xF11A48D5013417F5, first = 2;
    std::vector<uint64_t> offsets = {0, 2, 3, 3, 5};
    Ids targets = {4, 7, 9, 1, 19};
    int64_t checksum_off_by = 0;

    std::string bytes() const {
        std::string checked = little_endian(first, 8) + little_endian(2, 8) + little_endian(offsets.size(), 8) +
                              little_endian(targets.size(), 8);
        for (const uint64_t offset : offsets) checked += little_endian(offset, 8);
        for (const uint32_t target : targets) checked += little_endian(target, 4);
        uint64_t seed = 0;
        for (std::size_t at = 0; at + 8 <= checked.size(); at += 8) {
            uint64_t word;
            std::memcpy(&word, checked.data() + at, 8);
            seed ^= word + 0x9e3779b9 + (seed << 6) + (seed >> 2);
        }
        return little_endian(magic, 8) + little_endian(seed + uint64_t(checksum_off_by), 8) + checked;
    }
};

constexpr Shortlist::Sizes kSizes{.source = 4, .target = 20};

Shortlist read(const BinaryList& list, Shortlist::Sizes sizes = kSizes) {
    return read_shortlist(in_memory(list.bytes()), sizes);
}

TEST_CASE("a batch may use the first tokens, those of its sources, and fills up to a multiple of eight") {
    const Shortlist list = read({});
    CHECK(list.first() == 2);
    CHECK(list.allowed(Ids{0}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(list.allowed(Ids{2}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(list.allowed(Ids{3, 1}) == Ids{0, 1, 2, 3, 4, 5, 9, 19});
    CHECK(list.allowed(Ids{3, 1, 0, 0}) == Ids{0, 1, 2, 3, 4, 7, 9, 19});
    // With one vocabulary a token may stay as it is.
    CHECK(read({.targets = {4, 7, 9, 9, 19}}, {.source = 4, .target = 20, .shared = true}).allowed(Ids{3}) ==
          Ids{0, 1, 2, 3, 4, 5, 9, 19});
    // A vocabulary that is no multiple of eight ends it.
    CHECK(read({.targets = {4, 7, 9, 1, 9}}, {.source = 4, .target = 10}).allowed(Ids{0, 1, 3}).size() == 8);
    CHECK(read({.first = 9, .targets = {4, 7, 9, 1, 9}}, {.source = 4, .target = 10}).allowed(Ids{1}).size() == 10);
}

TEST_CASE("random lists give what the rule says") {
    std::mt19937 random(3);
    const uint32_t sources = 40, size = 200;
    BinaryList file{.first = 13, .offsets = {0}, .targets = {}};
    for (uint32_t s = 0; s < sources; ++s) {
        std::set<uint32_t> targets;
        while (targets.size() < s % 6) targets.insert(random() % size);
        file.targets.insert(file.targets.end(), targets.begin(), targets.end());
        file.offsets.push_back(file.targets.size());
    }
    const Shortlist list = read(file, {.source = sources, .target = size, .shared = true});
    for (int round = 0; round < 50; ++round) {
        Ids batch(random() % 12);
        for (uint32_t& id : batch) id = random() % sources;
        std::set<uint32_t> expected;
        for (uint32_t id = 0; id < 13; ++id) expected.insert(id);
        for (const uint32_t id : batch) {
            expected.insert(id);
            for (uint64_t i = file.offsets[id]; i < file.offsets[id + 1]; ++i) expected.insert(file.targets[i]);
        }
        for (uint32_t id = 13; expected.size() % 8; ++id) expected.insert(id);
        CHECK(list.allowed(batch) == Ids(expected.begin(), expected.end()));
    }
}

TEST_CASE("binary files that contradict the model or themselves are refused") {
    const auto refuse = [](std::initializer_list<const char*> parts, const BinaryList& list) {
        check_refused(Status::bad_model, parts, [&] { read(list); });
    };
    refuse({"magic"}, {.magic = 1234567890});
    refuse({"checksum"}, {.checksum_off_by = 1});
    refuse({"source tokens", "expected 5", "file has 4"}, {.offsets = {0, 2, 3, 5}});
    refuse({"target token", "below 20", "file has 20"}, {.targets = {4, 7, 9, 1, 20}});
    refuse({"first tokens", "20", "21"}, {.first = 21});
    refuse({"offset", "at least 3", "file has 2"}, {.offsets = {0, 3, 2, 3, 5}});
    refuse({"offset", "at most 5", "file has 6"}, {.offsets = {0, 2, 3, 3, 6}});
    refuse({"last offset", "5", "4"}, {.offsets = {0, 2, 3, 3, 4}});
    const std::string whole = BinaryList{}.bytes();
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK_THROWS_AS(read_shortlist(in_memory(whole.substr(0, size)), kSizes), Error);
    CHECK_THROWS_AS(read_shortlist(in_memory(whole + "x"), kSizes), Error);
    std::string forged = whole;
    forged.replace(40, 8, std::string(8, '\x3f'));
    CHECK_THROWS_AS(read_shortlist(in_memory(forged), kSizes), Error);
}

TEST_CASE("text files keep the most probable tokens") {
    const std::vector<std::string> source = {"</s>", "<unk>", "x", "y"};
    std::vector<std::string> target = {"</s>", "<unk>"};
    for (char c = 'a'; c < 'a' + 16; ++c) target.emplace_back(1, c);
    const std::string text = "c x 0.5\nd x 0.2\ne x 0.2\nf x 0.1\ng\ty\t1e-3\nnone other 0.9\nNULL x 1\nh NULL 1\n\n";
    const auto read_text = [&](LexiconLimits limits) {
        return read_lexicon(in_memory(text), source, target, "<unk>", limits);
    };
    // c = 4, d = 5, e = 6: of equals the larger id is kept; then 2 and 3 to fill up.
    CHECK(read_text({.first = 5, .best = 2}).allowed(Ids{2}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(read_text({.first = 2, .best = 4}).allowed(Ids{2, 3}) == Ids{0, 1, 2, 4, 5, 6, 7, 8});
    CHECK(read_text({.first = 2, .best = 4, .threshold = 0.15f}).allowed(Ids{2, 3}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(read_text({.first = 8, .best = 0}).allowed(Ids{2}).size() == 8);
    for (const char* bad : {"a x", "a x much", "a x 0.5y", "a"}) {
        check_refused(Status::bad_model, {"line 1"},
                      [&] { read_lexicon(in_memory(bad), source, target, "<unk>", {}); });
    }
}

}  // namespace
}  // namespace dragoman::formats::shortlist_file_test
