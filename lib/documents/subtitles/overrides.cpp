// SPDX-License-Identifier: Apache-2.0
#include "documents/subtitles/overrides.h"

#include <algorithm>
#include <array>
#include <vector>

#include "documents/is_one.h"

namespace dragoman::documents {
namespace {

// Longer names come before those that begin them.
constexpr std::array<std::string_view, 26> kAroundWords{"alpha", "bord", "shad", "blur", "fscx", "fscy", "fsp",
                                                        "frx",   "fry",  "frz",  "be",   "fr",   "fn",   "fs",
                                                        "1c",    "2c",   "3c",   "4c",   "1a",   "2a",   "3a",
                                                        "4a",    "i",    "b",    "u",    "s"};
constexpr std::array<std::string_view, 4> kSwitches{"i", "b", "u", "s"};
constexpr std::array<std::string_view, 10> kOfLines{"pos",  "move", "fade",  "fad", "org",
                                                    "clip", "an",   "iclip", "a",   "q"};

constexpr std::size_t kLongestBlock = 1u << 14;  // bytes

struct Override {
    std::string_view name, value;
};

bool is_value(std::string_view rest) {
    return rest.empty() || (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '-' || rest[0] == '(' || rest[0] == '&';
}

// An override without its backslash; "kf20" and others that stand for moments have no name.
Override parse(std::string_view text) {
    if (text.starts_with("fn")) return {"fn", text.substr(2)};
    for (const std::string_view name : kAroundWords)
        if (text.starts_with(name) && is_value(text.substr(name.size()))) return {name, text.substr(name.size())};
    if (text.starts_with("c") && is_value(text.substr(1))) return {"1c", text.substr(1)};
    for (const std::string_view name : kOfLines)
        if (text.starts_with(name) && is_value(text.substr(name.size()))) return {name, text.substr(name.size())};
    if (text.starts_with("r")) return {"r", text.substr(1)};
    return {};
}

// The overrides of a block, without those that count for the whole line.
std::vector<Override> overrides(std::string_view block) {
    std::vector<Override> found;
    block = block.substr(1, block.size() - 2);
    for (std::size_t at = block.find('\\'); at < block.size();) {
        std::size_t end = at + 1;
        for (int depth = 0; end < block.size() && (block[end] != '\\' || depth > 0); ++end) {
            if (block[end] == '(') ++depth;
            if (block[end] == ')') --depth;
        }
        const Override one = parse(block.substr(at + 1, end - at - 1));
        if (!is_one(kOfLines, one.name)) found.push_back(one);
        at = end;
    }
    return found;
}

// Whether a block begins or ends a drawing, or goes on with what was there.
bool draws(std::string_view block, bool before) {
    for (std::size_t at = block.find("\\p"); at != block.npos; at = block.find("\\p", at + 2))
        if (at + 2 < block.size() && block[at + 2] >= '0' && block[at + 2] <= '9') before = block[at + 2] != '0';
    return before;
}

}  // namespace

std::size_t override_length(std::string_view text) {
    if (!text.starts_with('{')) return 0;
    std::size_t begin = 0, end = text.substr(0, kLongestBlock).find('}');
    if (end == text.npos) return 0;
    for (bool drawing = false;; end = text.find('}', begin)) {
        if (end == text.npos) return text.size();
        drawing = draws(text.substr(begin, end - begin), drawing);
        if (!drawing) return end + 1;
        begin = text.find('{', end);
        if (begin == text.npos) return text.size();
    }
}

std::string override_name(std::string_view block) {
    std::string name;
    for (const Override& one : overrides(block)) {
        if (one.name.empty()) return "";
        name.append("\\").append(one.name);
    }
    return name;
}

bool override_closes(std::string_view block) {
    const std::vector<Override> all = overrides(block);
    return !override_name(block).empty() && std::ranges::all_of(all, [](const Override& one) {
        return one.value.empty() || (one.value == "0" && is_one(kSwitches, one.name));
    });
}

bool has_place(std::string_view text) { return text.find("\\pos(") != text.npos || text.find("\\move(") != text.npos; }

bool has_hidden_text(std::string_view text) {
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const std::size_t size = override_length(text.substr(at));
        const bool drawing = size > 0 && text.substr(at, size).find('}') + 1 != size;
        if (drawing || !text.substr(at).starts_with("{\\")) return true;
    }
    return false;
}

}  // namespace dragoman::documents
