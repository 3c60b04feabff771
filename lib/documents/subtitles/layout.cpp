// SPDX-License-Identifier: Apache-2.0
#include "documents/subtitles/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace dragoman::documents {
namespace {

struct Character {
    std::size_t begin, size;
    char32_t code;
};

// The text must be valid UTF-8, which readers and the library ensure.
std::vector<Character> characters(std::string_view text) {
    std::vector<Character> result;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t wanted = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const std::size_t size = std::min(wanted, text.size() - at);
        char32_t code = size == 1 ? lead : lead & (0x7Fu >> size);
        for (std::size_t i = 1; i < size; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
        result.push_back({at, size, code});
        at += size;
    }
    return result;
}

// Whether a character is Han, Kana or their punctuation.
bool without_spaces(char32_t c) {
    return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) ||
           (c >= 0x20000 && c <= 0x3FFFF);
}

bool not_at_line_begin(char32_t c) {
    constexpr std::array<char32_t, 16> kClosing{0x3001, 0x3002, 0x300D, 0x300F, 0x3011, 0x3009, 0x30FC, 0x3063,
                                                0x30C3, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F};
    return std::ranges::find(kClosing, c) != kClosing.end();
}

bool ends_in_punctuation(std::string_view text) {
    constexpr std::array<std::string_view, 12> kMarks{".", ",", ";", ":", "!", "?", "…", "–", "。", "、", "！", "？"};
    return std::ranges::any_of(kMarks, [&](std::string_view mark) { return text.ends_with(mark); });
}

// The end of the tag that begins at `at`; `at` if there is none.
std::size_t tag_end(std::string_view text, std::size_t at) {
    const std::size_t close = text.substr(at).starts_with("{\\") ? text.find('}', at)
                              : text[at] == '<'                  ? text.find('>', at)
                                                                 : std::string_view::npos;
    return close == std::string_view::npos ? at : close + 1;
}

std::string_view part(std::string_view text, std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin);
}

// Fills lines of at most kLineLength as far as possible.
std::vector<std::string> fill(std::string_view text, const std::vector<Break>& places) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    const Break* last = nullptr;
    const auto flush = [&] {
        lines.emplace_back(part(text, begin, last->end));
        begin = last->next;
        last = nullptr;
    };
    for (const Break& place : places) {
        if (last && visible_length(part(text, begin, place.end)) > kLineLength) flush();
        last = &place;
    }
    if (last && visible_length(text.substr(begin)) > kLineLength) flush();
    lines.emplace_back(text.substr(begin));
    return lines;
}

}  // namespace

std::vector<Break> breaks(std::string_view text) {
    std::vector<Break> places;
    std::size_t skip = 0;
    const std::vector<Character> all = characters(text);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Character& c = all[i];
        if (c.begin < skip) continue;
        if (const std::size_t end = tag_end(text, c.begin); end != c.begin) {
            skip = end;
            continue;
        }
        const std::size_t next = c.begin + c.size;
        if (c.code == ' ') {
            if (c.begin > 0 && next < text.size()) places.push_back({c.begin, next});
        } else if (i + 1 < all.size() && all[i + 1].code != ' ' && !not_at_line_begin(all[i + 1].code) &&
                   all[i + 1].code != '<' && (without_spaces(c.code) || without_spaces(all[i + 1].code))) {
            places.push_back({next, next});
        }
    }
    return places;
}

std::size_t visible_length(std::string_view text) {
    std::size_t length = 0, skip = 0;
    for (const Character& c : characters(text)) {
        if (c.begin < skip) continue;
        skip = tag_end(text, c.begin);
        if (skip == c.begin) ++length;
    }
    return length;
}

std::vector<std::string> wrap(std::string_view text) {
    const std::size_t length = visible_length(text);
    if (length <= kLineLength) return {std::string(text)};
    const std::vector<Break> places = breaks(text);
    if (length > 2 * kLineLength + 1) return fill(text, places);  // two lines and the blank between them
    const Break* best = nullptr;
    double best_cost = 0;
    for (const Break& place : places) {
        const auto top = static_cast<double>(visible_length(text.substr(0, place.end)));
        const auto bottom = static_cast<double>(visible_length(text.substr(place.next)));
        if (std::max(top, bottom) > static_cast<double>(kLineLength)) continue;
        // With the longer line below, less of the picture is hidden.
        const double cost = std::abs(top - bottom) + (top > bottom ? 2 : 0) -
                            (ends_in_punctuation(text.substr(0, place.end)) ? 12 : 0);
        if (!best || cost < best_cost) {
            best = &place;
            best_cost = cost;
        }
    }
    if (best) return {std::string(text.substr(0, best->end)), std::string(text.substr(best->next))};
    return fill(text, places);
}

std::vector<Range> distribute(std::string_view text, const std::vector<std::size_t>& shares) {
    const std::vector<Break> places = breaks(text);
    const auto sum = static_cast<double>(std::accumulate(shares.begin(), shares.end(), std::size_t{0}));
    const auto length = static_cast<double>(visible_length(text));
    std::vector<Range> parts;
    std::size_t begin = 0, place = 0;
    double wanted = 0;
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
        wanted += static_cast<double>(shares[i]) / std::max(sum, 1.0) * length;
        // Every later part keeps a place to end at, while there are enough.
        const std::size_t later = shares.size() - 2 - i;
        const std::size_t last = places.size() > place + later ? places.size() - later : places.size();
        std::size_t best = last;
        double best_cost = 0;
        for (std::size_t j = place; j < last; ++j) {
            const std::string_view before = text.substr(0, places[j].end);
            const double cost = std::abs(static_cast<double>(visible_length(before)) - wanted) -
                                (ends_in_punctuation(before) ? 0.15 * length : 0);
            if (best == last || cost < best_cost) {
                best = j;
                best_cost = cost;
            }
        }
        if (best == last) {  // no words are left
            parts.push_back({begin, text.size()});
            begin = text.size();
        } else {
            parts.push_back({begin, places[best].end});
            begin = places[best].next;
            place = best + 1;
        }
    }
    parts.push_back({begin, text.size()});
    return parts;
}

namespace {

constexpr std::size_t kMostPlaces = 500;  // beyond them a text is no sentence, and is cut by length
constexpr double kReadable = 0.017;       // characters in a millisecond
constexpr double kTooMuch = 0.1;          // for each character beyond the room
constexpr double kPunctuation = 0.7, kShortWord = 0.4, kShare = 0.15;  // in misplaced words

std::size_t last_word_length(std::string_view text) {
    const std::size_t blank = text.rfind(' ');
    return visible_length(blank == std::string_view::npos ? text : text.substr(blank + 1));
}

// The choice of places to cut a text at, by what the parts before cost.
class Division {
public:
    Division(std::string_view text, const std::vector<CueRoom>& cues, const Misplaced& misplaced)
        : text_(text), cues_(cues), misplaced_(misplaced), places_(breaks(text)), length_(visible_length(text)) {
        for (const Break& place : places_) before_.push_back(visible_length(text.substr(0, place.end)));
        for (const CueRoom& cue : cues) sum_ += double(cue.share);
    }

    std::vector<Range> best() const {
        const std::size_t cuts = cues_.size() - 1, places = places_.size();
        std::vector<std::vector<double>> costs(cuts, std::vector<double>(places, kNever));
        std::vector<std::vector<std::size_t>> from(cuts, std::vector<std::size_t>(places, 0));
        for (std::size_t cut = 0; cut < cuts; ++cut)
            for (std::size_t p = cut; p + (cuts - cut) <= places; ++p) {
                double least = cut == 0 ? part_cost(0, kBegin, p) : kNever;
                for (std::size_t q = cut == 0 ? p : cut - 1; q < p; ++q) {
                    const double cost = costs[cut - 1][q] + part_cost(cut, q, p);
                    if (cost >= least) continue;
                    least = cost;
                    from[cut][p] = q;
                }
                costs[cut][p] = least + cut_cost(cut, p);
            }
        std::size_t last = cuts - 1;
        double least = kNever;
        for (std::size_t p = cuts - 1; p < places; ++p) {
            const double cost = costs[cuts - 1][p] + part_cost(cuts, p, kEnd);
            if (cost >= least) continue;
            least = cost;
            last = p;
        }
        std::vector<Range> parts(cues_.size());
        parts.back().end = text_.size();
        for (std::size_t cut = cuts; cut-- > 0; last = from[cut][last]) {
            parts[cut].end = places_[last].end;
            parts[cut + 1].begin = places_[last].next;
        }
        return parts;
    }

private:
    static constexpr double kNever = 1e30;
    static constexpr std::size_t kBegin = SIZE_MAX, kEnd = SIZE_MAX - 1;

    double part_cost(std::size_t cue, std::size_t first, std::size_t last) const {
        const std::size_t begin = first == kBegin ? 0 : before_[first];
        const std::size_t end = last == kEnd ? length_ : before_[last];
        const double length = double(end - begin);
        const double lines = std::max(0.0, length - 2.0 * double(kLineLength));
        const double time = std::max(0.0, length - kReadable * double(cues_[cue].milliseconds));
        return kTooMuch * (2 * lines + time);
    }
    double cut_cost(std::size_t cut, std::size_t place) const {
        double wanted = 0;
        for (std::size_t i = 0; i <= cut; ++i) wanted += double(cues_[i].share) / std::max(sum_, 1.0);
        const std::string_view before = text_.substr(0, places_[place].end);
        const double words = double(places_.size() + 1);
        double cost = misplaced_(cut, places_[place].end);
        cost += kShare * words * std::abs(double(before_[place]) / std::max(double(length_), 1.0) - wanted);
        if (ends_in_punctuation(before)) cost -= kPunctuation;
        else if (last_word_length(before) <= 3) cost += kShortWord;
        return cost;
    }

    const std::string_view text_;
    const std::vector<CueRoom>& cues_;
    const Misplaced& misplaced_;
    const std::vector<Break> places_;
    const std::size_t length_;
    std::vector<std::size_t> before_;  // visible characters before each place
    double sum_ = 0;
};

}  // namespace

std::vector<Range> divide(std::string_view text, const std::vector<CueRoom>& cues, const Misplaced& misplaced) {
    const std::size_t places = text.size() > kLongestDivided ? 0 : breaks(text).size();
    if (cues.size() > 1 && places + 1 >= cues.size() && places <= kMostPlaces)
        return Division(text, cues, misplaced).best();
    std::vector<std::size_t> shares;
    for (const CueRoom& cue : cues) shares.push_back(cue.share);
    return distribute(text, shares);
}

}  // namespace dragoman::documents
