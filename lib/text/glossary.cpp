// SPDX-License-Identifier: Apache-2.0
#include "text/glossary.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::text {
namespace {

constexpr int32_t kBlank = ' ';

int32_t folded(int32_t c) { return u_foldCase(c, U_FOLD_CASE_DEFAULT); }

void append(std::string& to, int32_t c) {
    uint8_t bytes[U8_MAX_LENGTH];
    int32_t size = 0;
    UBool failed = false;
    U8_APPEND(bytes, size, U8_MAX_LENGTH, c, failed);
    if (!failed) to.append(reinterpret_cast<const char*>(bytes), std::size_t(size));
}

// The next character in the form in which terms are compared: white space of any length is one blank, invisible
// characters are nothing.
int32_t next_of_term(std::string_view text, std::size_t& at) {
    while (at < text.size()) {
        const int32_t c = next_character(text, at);
        if (is_invisible(c)) continue;
        if (!is_space(c)) return c;
        while (at < text.size()) {
            std::size_t next = at;
            const int32_t behind = next_character(text, next);
            if (!is_space(behind) && !is_invisible(behind)) break;
            at = next;
        }
        return kBlank;
    }
    return -1;
}

bool belongs_to_word(int32_t c) {
    if (c == -1 || is_unspaced(c)) return false;
    return is_letter(c) || is_digit(c) || c == '_' || u_charType(c) == U_NON_SPACING_MARK;
}

// Whether a word may begin or end here.
bool is_border(std::string_view text, std::size_t at) {
    std::size_t before = at, after = at;
    const int32_t left = before > 0 ? previous_character(text, before) : -1;
    const int32_t right = after < text.size() ? next_character(text, after) : -1;
    return !belongs_to_word(left) || !belongs_to_word(right);
}

struct Capitals {
    bool first = false, later = false, lower = false;
    std::size_t letters = 0;
};

Capitals capitals_of(std::string_view text) {
    Capitals found;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        if (!is_letter(c)) continue;
        if (is_upper(c)) (found.letters == 0 ? found.first : found.later) = true;
        found.lower |= is_lower(c);
        ++found.letters;
    }
    return found;
}

std::string with_capitals(std::string_view text, bool all) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        append(result, all || result.empty() ? u_toupper(c) : c);
    }
    return result;
}

uint64_t key_of(uint32_t node, int32_t c) { return uint64_t(node) << 32 | uint32_t(c); }

// A step of FNV-1a.
uint64_t mixed(uint64_t hash, std::string_view bytes) {
    for (const char byte : bytes) hash = (hash ^ uint8_t(byte)) * 0x100000001b3ull;
    return (hash ^ 0xff) * 0x100000001b3ull;
}

}  // namespace

Glossary::Glossary(std::vector<GlossaryEntry> entries) : entries_(std::move(entries)), ends_(1) {
    fingerprint_ = 0xcbf29ce484222325ull;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        GlossaryEntry& entry = entries_[i];
        entry.source = std::string(part(entry.source, trim(entry.source, {0, entry.source.size()})));
        for (std::string& target : entry.targets) target = std::string(part(target, trim(target, {0, target.size()})));
        std::erase(entry.targets, "");
        if (entry.source.empty() || entry.targets.empty())
            fail(Status::invalid_argument, "glossary, entry {}: expected a term and a target, got \"{}\" and {}", i + 1,
                 entry.source, entry.targets.size());
        for (const std::string& side : entry.targets)
            if (const std::size_t most = std::max(side.size(), entry.source.size()); most > kMaxBytes)
                fail(Status::invalid_argument, "glossary, entry {}: expected at most {} bytes, got {}", i + 1,
                     kMaxBytes, most);
        fingerprint_ = mixed(fingerprint_, entry.source);
        for (const std::string& target : entry.targets) fingerprint_ = mixed(fingerprint_, target);
        const char rules[] = {char('0' + int(entry.capitals)), char('0' + entry.part_of_word)};
        fingerprint_ = mixed(fingerprint_, {rules, sizeof rules});
        uint32_t node = 0;
        for (std::size_t at = 0;;) {
            const int32_t c = next_of_term(entry.source, at);
            if (c == -1) break;
            const auto [child, added] = children_.try_emplace(key_of(node, folded(c)), uint32_t(ends_.size()));
            if (added) ends_.emplace_back();
            node = child->second;
        }
        if (node == 0)
            fail(Status::invalid_argument, "glossary, entry {}: expected a term of visible characters, got \"{}\"",
                 i + 1, entry.source);
        ends_[node].push_back(uint32_t(i));
    }
}

bool Glossary::matches(const GlossaryEntry& entry, std::string_view text, Range range) const {
    if (!entry.part_of_word && !(is_border(text, range.begin) && is_border(text, range.end))) return false;
    const bool exact = entry.capitals == GlossaryEntry::Case::exact ||
                       (entry.capitals == GlossaryEntry::Case::automatic && capitals_of(entry.source).later);
    if (!exact) return true;
    const std::string_view found = part(text, range);
    for (std::size_t a = 0, b = 0;;) {
        const int32_t left = next_of_term(entry.source, a), right = next_of_term(found, b);
        if (left != right) return false;
        if (left == -1) return true;
    }
}

Glossary::Found Glossary::longest_at(std::string_view text, std::size_t begin) const {
    Found found;
    uint32_t node = 0;
    for (std::size_t at = begin;;) {
        const int32_t c = next_of_term(text, at);
        if (c == -1) return found;
        const auto child = children_.find(key_of(node, folded(c)));
        if (child == children_.end()) return found;
        node = child->second;
        for (const uint32_t entry : ends_[node])
            if (matches(entries_[entry], text, {begin, at})) found = {entry, at};
    }
}

std::vector<GlossaryMatch> Glossary::find(std::string_view text) const {
    std::vector<GlossaryMatch> list;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t next = at;
        if (is_blank(next_character(text, next))) {
            at = next;
            continue;
        }
        const Found found = longest_at(text, at);
        if (found.entry == SIZE_MAX) {
            at = next;
            continue;
        }
        const GlossaryEntry& entry = entries_[found.entry];
        GlossaryMatch match{.range = {at, found.end}, .targets = entry.targets};
        const Capitals here = capitals_of(part(text, match.range)), listed = capitals_of(entry.source);
        const bool all = here.letters > 1 && !here.lower && here.first && listed.lower;
        if (all || (here.first && !listed.first))
            for (const std::string& target : entry.targets) match.targets.push_back(with_capitals(target, all));
        std::vector<std::string> different;
        for (std::string& target : match.targets)
            if (std::ranges::find(different, target) == different.end()) different.push_back(std::move(target));
        match.targets = std::move(different);
        at = found.end;
        list.push_back(std::move(match));
    }
    return list;
}

}  // namespace dragoman::text
