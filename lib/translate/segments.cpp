// SPDX-License-Identifier: Apache-2.0
#include "translate/segments.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "base/utf8.h"
#include "text/split_sentences.h"
#include "text/tokenizer.h"

namespace dragoman::translate {
namespace {

void check_utf8(std::span<const Text> texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (const auto bad = first_invalid_utf8(texts[i].text))
            fail(Status::invalid_argument, "text {}: invalid UTF-8 at byte {}", i, *bad);
}

// The language code a sentence begins with, or nothing.
std::string_view leading_code(const Model& model, std::string_view text) {
    for (const std::string& code : model.language_codes())
        if (text.starts_with(code)) return code;
    return {};
}

struct Key {
    std::string_view source, code;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        const std::hash<std::string_view> hash;
        return hash(key.source) * 31 + hash(key.code);
    }
};

}  // namespace

Segments find_segments(const Model& model, std::span<const Text> texts, const TextOptions& options) {
    check_utf8(texts);
    const std::string_view asked_code = model.language_code(options.target_language);
    const text::SentenceSplitter splitter(
        options.source_language, options.join_lines ? text::LineBreaks::join : text::LineBreaks::separate);

    Segments segments;
    segments.texts.resize(texts.size());
    std::unordered_map<Key, uint32_t, KeyHash> known;
    const auto add = [&](const Segments::Unit& unit) {
        const auto next = uint32_t(segments.units.size());
        if (next == std::numeric_limits<uint32_t>::max())
            fail(Status::unsupported, "texts: more than {} different sentences", next);
        if (!unit.prefix)
            if (const auto [found, fresh] = known.try_emplace({unit.source, unit.code}, next); !fresh)
                return found->second;
        segments.units.push_back(unit);
        return next;
    };
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string_view text = texts[i].text;
        std::vector<text::Range> ranges;
        if (options.split_sentences) {
            ranges = splitter.split(text);
        } else if (const text::Range whole = text::trim(text, {0, text.size()}); whole.size() > 0) {
            ranges.push_back(whole);
        }
        segments.texts[i].reserve(ranges.size());
        std::string_view code = asked_code;
        for (const text::Range range : ranges) {
            text::Range body = range;
            if (const std::string_view own = leading_code(model, text::part(text, range)); !own.empty()) {
                code = own;  // from here on
                body = text::trim(text, {range.begin + own.size(), range.end});
            }
            const bool first = segments.texts[i].empty();
            segments.texts[i].push_back({range, add({text::part(text, body), code,
                                                     first && !texts[i].target_prefix.empty() ? &texts[i].target_prefix
                                                                                              : nullptr})});
        }
    }
    return segments;
}

std::string_view gap_between(std::string_view text, text::Range gap, bool same_sentence, std::string_view left,
                             std::string_view right) {
    const std::string_view between = text::part(text, gap);
    if (between.size() > 1 || left.empty() || right.empty()) return between;
    const int32_t source_left = text::character_before(text, gap.begin);
    const int32_t source_right = text::character_behind(text, gap.end);
    const int32_t target_left = text::character_before(left, left.size());
    const int32_t target_right = text::character_behind(right, 0);
    const bool source_spaced = !text::is_unspaced(source_left) && !text::is_unspaced(source_right);
    // Thai and its neighbours have spaces between sentences, some of them nothing else.
    const bool target_spaced = !text::is_spaceless(target_left) || !text::is_spaceless(target_right);
    if (between.empty()) {
        // A word that was cut goes on; a sentence of a script without spaces ends in one with.
        if (same_sentence && source_spaced) return between;
        return target_spaced && !text::is_space(target_left) && !text::is_space(target_right) ? " " : between;
    }
    return between == " " && source_spaced && !target_spaced ? std::string_view() : between;
}

}  // namespace dragoman::translate
