// SPDX-License-Identifier: Apache-2.0
#include "formats/shortlist_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/real.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

constexpr uint64_t kMagic = 0xF11A48D5013417F5ull;
constexpr uint64_t kShortlistHeaderBytes = 48, kBytesBeforeChecked = 16;

uint64_t checksum(std::span<const std::byte> bytes) {
    uint64_t seed = 0;
    ByteReader in(bytes, "");
    while (in.remaining() >= sizeof(uint64_t))
        seed ^= in.read<uint64_t>("word") + 0x9e3779b9u + (seed << 6) + (seed >> 2);
    return seed;
}

std::string_view next_word(std::string_view& line) {
    constexpr std::string_view space = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(space), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(space));
    line.remove_prefix(word.size());
    return word;
}

class Ids {
public:
    Ids(std::span<const std::string> tokens, const std::string& unk_token) {
        for (uint32_t id = 0; id < tokens.size(); ++id) ids_.emplace(tokens[id], id);
        const auto unk = ids_.find(unk_token);
        unk_ = unk == ids_.end() ? 0 : unk->second;
    }
    uint32_t of(std::string_view token) const {
        const auto found = ids_.find(token);
        return found == ids_.end() ? unk_ : found->second;
    }

private:
    std::unordered_map<std::string_view, uint32_t> ids_;
    uint32_t unk_ = 0;
};

}  // namespace

spec::Shortlist read_shortlist(const FileBytes& file, spec::Shortlist::Sizes sizes) {
    ByteReader in(file.bytes, file.name);
    const auto expect = [&](std::string_view what, uint64_t found, uint64_t expected) {
        if (found != expected)
            fail(Status::bad_model, "{}: {}: expected {}, file has {}", file.name, what, expected, found);
    };
    const auto at_most = [&](std::string_view what, uint64_t found, uint64_t most) {
        if (found > most)
            fail(Status::bad_model, "{}: {}: expected at most {}, file has {}", file.name, what, most, found);
    };
    expect("magic number", in.read<uint64_t>("magic number"), kMagic);
    const auto stored_checksum = in.read<uint64_t>("checksum");
    const auto first = in.read<uint64_t>("number of first tokens");
    in.read<uint64_t>("number of best tokens");
    const auto begins = in.read<uint64_t>("number of source tokens");
    const auto targets = in.read<uint64_t>("number of target tokens");
    at_most("number of first tokens", first, sizes.target);
    expect("number of source tokens", begins, uint64_t{sizes.source} + 1);
    at_most("number of target tokens", targets, file.bytes.size() / sizeof(uint32_t));
    expect("size", file.bytes.size(), kShortlistHeaderBytes + begins * sizeof(uint64_t) + targets * sizeof(uint32_t));
    expect("checksum", stored_checksum, checksum(file.bytes.subspan(kBytesBeforeChecked)));
    std::vector<uint64_t> offsets(begins);
    uint64_t last = 0;
    for (uint64_t& begin : offsets) {
        begin = in.read<uint64_t>("offset");
        at_most("offset", begin, targets);
        if (begin < last) {
            fail(Status::bad_model, "{}: offset at byte {}: expected at least {}, file has {}", file.name, in.offset(),
                 last, begin);
        }
        last = begin;
    }
    expect("last offset", last, targets);
    std::vector<uint32_t> ids(targets);
    for (uint32_t& id : ids) {
        id = in.read<uint32_t>("target token");
        if (id >= sizes.target) {
            fail(Status::bad_model, "{}: target token at byte {}: expected an id below {}, file has {}", file.name,
                 in.offset() - sizeof id, sizes.target, id);
        }
    }
    return {sizes, static_cast<uint32_t>(first), std::move(offsets), std::move(ids)};
}

spec::Shortlist read_lexicon(const FileBytes& file, std::span<const std::string> source,
                             std::span<const std::string> target, const std::string& unk_token, LexiconLimits limits) {
    const Ids source_ids(source, unk_token), target_ids(target, unk_token);
    struct Entry {
        float probability;
        uint32_t target;
    };
    std::vector<std::vector<Entry>> entries(source.size());
    std::string_view text = file.text();
    for (uint64_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::string_view to = next_word(line), from = next_word(line), value = next_word(line);
        if (to.empty()) continue;
        float probability = 0.0f;
        if (read_real(value, probability) == std::errc::invalid_argument) {
            fail(Status::bad_model, "{}: line {}: expected \"target source probability\", file has \"{} {} {}\"",
                 file.name, number, to.substr(0, 40), from.substr(0, 40), value.substr(0, 40));
        }
        if (to == "NULL" || from == "NULL" || !(probability > limits.threshold) || source.empty()) continue;
        entries[source_ids.of(from)].push_back({probability, target_ids.of(to)});
    }
    const spec::Shortlist::Sizes sizes{static_cast<uint32_t>(source.size()), static_cast<uint32_t>(target.size()),
                                       std::ranges::equal(source, target)};
    std::vector<uint64_t> begins{0};
    std::vector<uint32_t> targets;
    for (auto& of_token : entries) {
        std::ranges::sort(of_token, [](const Entry& a, const Entry& b) {
            return a.probability != b.probability ? a.probability > b.probability : a.target > b.target;
        });
        if (of_token.size() > limits.best) of_token.resize(limits.best);
        for (const Entry& entry : of_token) targets.push_back(entry.target);
        std::sort(targets.begin() + static_cast<std::ptrdiff_t>(begins.back()), targets.end());
        begins.push_back(targets.size());
    }
    const uint32_t first = std::min(limits.first, sizes.target);
    return {sizes, first, std::move(begins), std::move(targets)};
}

std::vector<std::byte> shortlist_bytes(const spec::Shortlist& list) {
    const auto begins = list.begins();
    const auto targets = list.targets();
    std::vector<std::byte> bytes(kShortlistHeaderBytes + begins.size_bytes() + targets.size_bytes());
    std::byte* at = bytes.data();
    const auto put = [&](const auto* from, std::size_t count) {
        if (count) std::memcpy(at, from, count * sizeof *from);
        at += count * sizeof *from;
    };
    const uint64_t header[] = {kMagic, 0, list.first(), 0, begins.size(), targets.size()};
    put(header, std::size(header));
    put(begins.data(), begins.size());
    put(targets.data(), targets.size());
    const uint64_t sum = checksum(std::span<const std::byte>(bytes).subspan(kBytesBeforeChecked));
    std::memcpy(bytes.data() + sizeof(uint64_t), &sum, sizeof sum);
    return bytes;
}

}  // namespace dragoman::formats
