// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A term, and its translations.
struct GlossaryEntry {
    enum class Case : int {
        automatic,  // case matters if there is a capital behind the first letter (NATO, iPhone)
        exact,
        ignored,
    };
    std::string source;
    std::vector<std::string> targets;  // alternatives: any of them will do
    Case capitals = Case::automatic;
    bool part_of_word = false;         // also found inside words
};

// A place of an entry in a text, with its targets in the case that it has there.
struct GlossaryMatch {
    Range range;
    std::vector<std::string> targets;
};

// Finds the terms of a list in texts. Immutable: any number of threads may use one.
class Glossary {
public:
    // Throws invalid_argument, naming the entry, for empty sides and for sides of more than kMaxBytes.
    explicit Glossary(std::vector<GlossaryEntry> entries);

    static constexpr std::size_t kMaxBytes = 1024;  // per term

    // Finds terms in order without overlaps: the first, and of several there the longest. Terms begin and end with
    // words, except in scripts without spaces; of entries for equal terms the later one counts. Blanks in a term match
    // any white space.
    std::vector<GlossaryMatch> find(std::string_view text) const;
    std::size_t size() const { return entries_.size(); }
    // Differs between lists with different entries, so that answers are not mixed up.
    uint64_t fingerprint() const { return fingerprint_; }

private:
    struct Found {
        std::size_t entry = SIZE_MAX, end = 0;
    };
    Found longest_at(std::string_view text, std::size_t begin) const;
    bool matches(const GlossaryEntry& entry, std::string_view text, Range range) const;

    std::vector<GlossaryEntry> entries_;
    std::unordered_map<uint64_t, uint32_t> children_;  // edges of the trie of folded characters, by node and character
    std::vector<std::vector<uint32_t>> ends_;  // entries that end at a node
    uint64_t fingerprint_ = 0;
};

// Glossaries as files, recognised by their content. A table has a term and its targets in a row, with tabs or, quoted
// as in RFC 4180, commas between them: source, target ("a|b": either), then optionally "exact" or "ignore" for case and
// "part" for parts of words. Lines that begin with # are notes. A first row "source, target" names the columns. TBX:
// entries of the languages (the first letters of a tag are enough); forbidden and deprecated terms are left out, and a
// term marked as not to be translated is its own target. Throws invalid_argument, naming the line.
std::vector<GlossaryEntry> read_glossary(std::string_view bytes, std::string_view source_language = {},
                                         std::string_view target_language = {});

}  // namespace dragoman::text
