// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/language_tag.h"

namespace dragoman::recall {

// A sentence or so in one language, without tags.
struct Segment {
    std::string language;  // a tag, as spec::LanguageTag::find() takes it
    std::string text;
};

// A segment that is like a sentence, and what it became.
struct Match {
    std::string source, target;
    float similarity = 0.0f;  // of its words to the sentence's: 1 - edits / the longer one's number of words
    bool operator==(const Match&) const = default;
};

// Segments that people or programs translated before. Languages are the same if language and script are; where several
// translations are there, the one whose tags are the same counts, and of these the one that came last. Any thread.
class Segments {
public:
    // The same in several languages. Segments of one language, and those without words, are no help and not kept:
    // returns whether it was kept.
    bool add(std::vector<Segment> unit);
    void clear();
    std::size_t size() const;  // units
    // The translation of a text that is equal in normal form. `from` unknown: any language but `to`.
    std::optional<std::string> exact(const spec::LanguageTag& from, const spec::LanguageTag& to,
                                     std::string_view text) const;
    // Segments that are at least `least` like the text (more than 0), the most similar first, equal ones too.
    std::vector<Match> similar(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text,
                               float least, std::size_t most) const;

private:
    struct Variant {
        spec::LanguageTag tag;
        std::string text;
    };
    using Unit = std::vector<Variant>;
    struct Place {
        uint32_t unit = 0, variant = 0;
        std::vector<uint32_t> words{};
    };
    // Of one language, whatever its region and script.
    struct Index {
        std::unordered_map<std::string, std::vector<uint32_t>> equal;  // places by their normal form
        std::unordered_map<std::string, uint32_t> words;
        std::vector<std::vector<uint32_t>> having;  // places that have a word
        std::vector<Place> places;
    };
    std::vector<const Index*> indices(const spec::LanguageTag& from, const spec::LanguageTag& to) const;
    const Variant* translation(const Place& place, const spec::LanguageTag& from, const spec::LanguageTag& to) const;
    static std::vector<uint32_t> candidates(const Index& index, const std::vector<uint32_t>& words, float least);

    mutable std::shared_mutex mutex_;
    std::vector<Unit> units_;
    std::map<std::string, Index> languages_;
};

// How texts are compared: in Unicode's form NFC, without what cannot be seen, with one space for any white space.
std::string normal_form(std::string_view text);

// 1 - edits / the longer one's number of words. Below `least` any smaller number may come.
float similarity(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, float least);

}  // namespace dragoman::recall
