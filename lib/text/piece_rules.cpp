// SPDX-License-Identifier: Apache-2.0
#include "text/piece_rules.h"

#include <algorithm>

#include "text/characters.h"
#include "text/sentencepiece.h"

namespace dragoman::text {
namespace {

// Builds the text with the source of each byte.
class NormalWriter {
public:
    NormalWriter(PieceRules::Normal& normal, bool escapes) : normal_(normal), space_(escapes ? kWordBegin : " ") {}

    void add(std::string_view text, std::size_t source) {
        normal_.text += text;
        normal_.source.resize(normal_.text.size(), uint32_t(source));
    }
    void add_escaped(std::string_view text, std::size_t source) {
        for (const char c : text) add(c == ' ' ? space_ : std::string_view(&c, 1), source);
    }
    void add_space(std::size_t source) { add(space_, source); }
    // Takes off spaces at the end; `end` becomes the source of the first of them.
    void drop_spaces(std::size_t& end) {
        while (normal_.text.ends_with(space_)) {
            const std::size_t size = normal_.text.size() - space_.size();
            end = normal_.source[size];
            normal_.text.resize(size);
            normal_.source.resize(size);
        }
    }

private:
    PieceRules::Normal& normal_;
    const std::string_view space_;
};

}  // namespace

std::size_t PieceRules::symbol_size(std::string_view text) const {
    if (symbols.empty() || text.empty()) return 0;
    std::size_t longest = 0;
    auto low = symbols.begin(), high = symbols.end();
    for (std::size_t size = 1; size <= text.size() && low != high; ++size) {
        const auto byte_at = [&](const std::string& symbol) { return uint8_t(symbol[size - 1]); };
        low = std::lower_bound(low, high, text.substr(0, size));
        high = std::partition_point(low, high, [&](const std::string& symbol) {
            return symbol.size() >= size && byte_at(symbol) == uint8_t(text[size - 1]);
        });
        if (low != high && low->size() == size) longest = size;
    }
    return longest;
}

// A rule for the beginning of a short cluster stands for the whole cluster; others are for one character.
PieceRules::Prefix PieceRules::character_of(std::string_view text, std::size_t at, Range& cluster) const {
    constexpr std::size_t kShort = 6;  // bytes
    if (at >= cluster.end) cluster = {at, cluster_end(text, at)};
    std::size_t end = at;
    next_character(text, end);
    Prefix found{part(text, {at, end}), end - at};
    const auto replace = [&](std::size_t size) {
        rules.each_beginning(text.substr(at, size), [&](std::size_t, uint32_t offset) {
            found = {texts.c_str() + offset, size};
            return false;
        });
    };
    replace(found.size);
    if (at == cluster.begin && cluster.size() < kShort) replace(cluster.size());
    return found;
}

// What the text at `at` becomes, and how much of it; `cluster` is kept from one call to the next.
PieceRules::Prefix PieceRules::prefix(std::string_view whole, std::size_t at, Range& cluster) const {
    const std::string_view text = whole.substr(at);
    if (const std::size_t size = symbol_size(text)) return {text.substr(0, size), size};
    if (of_clusters) return character_of(whole, at, cluster);
    std::size_t longest = 0, offset = 0;
    rules.each_beginning(text, [&](std::size_t bytes, uint32_t value) {
        longest = bytes, offset = value;
        return true;
    });
    if (longest > 0) return {texts.c_str() + offset, longest};
    std::size_t size = 0;
    next_character(text, size);
    return {text.substr(0, size), size};
}

PieceRules::Normal PieceRules::normalize(std::string_view text) const {
    Normal normal;
    NormalWriter out(normal, escapes_spaces);
    std::size_t at = 0;
    Range cluster;
    while (removes_spaces && at < text.size()) {
        const Prefix first = prefix(text, at, cluster);
        if (first.text != " ") break;
        at += first.size;
    }
    if (at == text.size()) return normal;
    if (dummy_prefix && !spaces_behind) out.add_space(at);
    bool after_space = removes_spaces;
    while (at < text.size()) {
        auto [written, size] = prefix(text, at, cluster);
        while (after_space && written.starts_with(' ')) written.remove_prefix(1);
        if (!written.empty()) {
            out.add_escaped(written, at);
            after_space = removes_spaces && written.ends_with(' ');
        }
        at += size;
    }
    if (removes_spaces) out.drop_spaces(at);
    if (dummy_prefix && spaces_behind) out.add_space(at);
    normal.source.push_back(uint32_t(at));
    return normal;
}

}  // namespace dragoman::text
