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

namespace dragoman {
class Fingerprint;
}

namespace dragoman::tm {

// A sentence or so in one language, without tags.
struct Segment {
    std::string language;  // a tag that spec::LanguageTag::find() accepts
    std::string text;
};

// A segment that is similar to a sentence, and its translation.
struct Match {
    std::string source, target;
    float similarity = 0.0f;  // 1 - edits / the longer one's number of words
    bool operator==(const Match&) const = default;
};

// Segments translated before, by people or programs. Languages are the same if language and script are; among several
// translations the one with equal tags counts, and of these the latest. Safe from any thread.
class Segments {
public:
    // Adds one text in several languages. Units in one language only, and those without words, are no help and are not
    // kept: returns whether it was kept.
    bool add(std::vector<Segment> unit);
    void clear();
    std::size_t size() const;  // number of units
    Fingerprint fingerprint() const;  // of the units in their order: the latest counts
    // The translation of a text that is equal in normal form. If `from` is unknown: from any language but `to`.
    std::optional<std::string> exact(const spec::LanguageTag& from, const spec::LanguageTag& to,
                                     std::string_view text) const;
    // Segments whose similarity to the text is at least `least` (more than 0), the most similar first, equal ones
    // included.
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
    // The index of one language, whatever its region and script.
    struct Index {
        std::unordered_map<std::string, std::vector<uint32_t>> equal;  // places by their normal form
        std::unordered_map<std::string, uint32_t> words;
        std::vector<std::vector<uint32_t>> having;  // places of segments with a word
        std::vector<Place> places;
    };
    std::vector<const Index*> indices(const spec::LanguageTag& from, const spec::LanguageTag& to) const;
    const Variant* translation(const Place& place, const spec::LanguageTag& from, const spec::LanguageTag& to) const;
    static std::vector<uint32_t> candidates(const Index& index, const std::vector<uint32_t>& words, float least);

    mutable std::shared_mutex mutex_;
    std::vector<Unit> units_;
    std::map<std::string, Index> languages_;
};

// The form in which texts are compared: Unicode's form NFC, without invisible characters, with one space for any white
// space.
std::string normal_form(std::string_view text);

// 1 - edits / the longer one's number of words. Below `least` the result may be any smaller number.
float similarity(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, float least);

}  // namespace dragoman::tm
