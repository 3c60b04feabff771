// SPDX-License-Identifier: Apache-2.0
#include "text/cut_long.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "text/kept.h"

namespace dragoman::text {
namespace {

// Kinds of places to cut, the best first.
enum Place { kClause, kComma, kSpace, kCharacter, kPlaces };

bool is_clause_mark(int32_t c) { return c == ';' || c == ':' || c == 0xff1b || c == 0xff1a || c == 0x61b; }
bool is_comma(int32_t c) { return c == ',' || c == 0x3001 || c == 0xff0c || c == 0x60c; }

// The kind of place at byte `at`, where a part would end, and the next one begin after the white space.
Place place_at(std::string_view text, std::size_t at) {
    std::size_t peek = at, end = at;
    const int32_t before = previous_character(text, peek), after = next_character(text, end);
    const bool wide = is_unspaced(before) || before == 0x3001;
    if (is_space(after) || wide) {
        if (is_clause_mark(before)) return kClause;
        if (is_space(after) && is_dash(before) && is_space(previous_character(text, peek))) return kClause;
        if (is_comma(before)) return kComma;
    }
    return is_space(after) && !is_space(before) ? kSpace : kCharacter;
}

// Stretches, in order, that must not be cut.
class Whole {
public:
    Whole(std::string_view text, Range sentence, std::span<const Range> together) {
        for (const Kept& kept : find_kept(part(text, sentence)))
            ranges_.push_back({sentence.begin + kept.range.begin, sentence.begin + kept.range.end});
        const std::size_t found = ranges_.size();
        ranges_.insert(ranges_.end(), together.begin(), together.end());
        std::ranges::inplace_merge(ranges_, ranges_.begin() + std::ptrdiff_t(found), {}, &Range::begin);
        std::size_t end = 0;
        for (Range& range : ranges_) end = range.end = std::max(range.end, end);
    }
    bool cut_by(std::size_t at) const {
        const auto after = std::ranges::lower_bound(ranges_, at, {}, &Range::begin);
        return after != ranges_.begin() && at < std::prev(after)->end;
    }

private:
    std::vector<Range> ranges_;
};

// The best place in (low, high], near `ideal`; `high` moves down to the beginning of a character where it is inside
// one.
std::size_t best_place(std::string_view text, Range within, std::size_t ideal, const Whole& whole) {
    std::size_t found[kPlaces] = {};
    const auto distance = [&](std::size_t at) { return at > ideal ? at - ideal : ideal - at; };
    for (std::size_t at = within.begin; at < within.end;) {
        at = cluster_end(text, at);
        if (at > within.end) break;
        std::size_t& best = found[whole.cut_by(at) ? kCharacter : place_at(text, at)];
        if (best == 0 || distance(at) < distance(best)) best = at;
    }
    // A better kind may be further away, but must not leave a part of only a few words.
    const std::size_t slack[kPlaces] = {within.size() / 2, within.size() / 2, within.size(), within.size()};
    for (int kind = 0; kind < kPlaces; ++kind)
        if (found[kind] && distance(found[kind]) <= slack[kind]) return found[kind];
    return 0;
}

std::size_t character_begin(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
    return at;
}

// Those of ordered stretches that have bytes in a range.
std::span<const Range> stretches_in(std::span<const Range> stretches, Range range) {
    const auto first = std::ranges::upper_bound(stretches, range.begin, {}, &Range::end);
    const auto last = std::ranges::lower_bound(stretches, range.end, {}, &Range::begin);
    return {first, std::max(first, last)};
}

// The end of a first part of about `most` bytes. What has no blanks is not cut shortly before its end: the few
// characters behind the cut would look like a word.
std::size_t first_bytes(std::string_view text, Range rest, std::size_t most, std::span<const Range> together) {
    constexpr std::size_t kTail = 256;
    const Range seen{rest.begin, character_begin(text, rest.begin + most)};
    const std::string_view within = text.substr(0, seen.end);
    const Whole uncut(within, seen, stretches_in(together, seen));
    const std::size_t low = character_begin(text, rest.begin + most / 2);
    const std::size_t at = best_place(within, {low, seen.end}, seen.end, uncut);
    const std::size_t best = at > rest.begin ? at : seen.end;
    for (std::size_t end = best, next = best; end < std::min(best + kTail, rest.end); end = next)
        if (is_space(next_character(text, next))) return end;
    return best;
}

// The end of the first part of text[begin, end). The text has more than `most` tokens; its first `fitting` bytes have
// no more.
std::size_t first_part(std::string_view text, Range whole, std::size_t fitting, std::size_t tokens, std::size_t most,
                       const CountTokens& count, const Whole& uncut) {
    const double parts = std::ceil(double(tokens) / double(most));
    std::size_t ideal = whole.begin + std::size_t(double(whole.size()) / parts);
    std::size_t limit = whole.begin + std::size_t(double(whole.size()) * double(most) / double(tokens));
    // Where the first bytes are few tokens and the next ones many, the mean says little.
    if (whole.begin + fitting > limit) limit = ideal = whole.begin + fitting;
    for (;;) {
        const std::size_t one = cluster_end(text, whole.begin);
        std::size_t at = best_place(text, {whole.begin, limit}, std::min(ideal, limit), uncut);
        if (at == 0) at = one < whole.end ? one : whole.end;
        if (count(text.substr(whole.begin, at - whole.begin)) <= most) return at;
        if (at <= one) {  // marks upon marks: the cut is between them then
            std::size_t next = whole.begin;
            next_character(text, next);
            std::size_t end = next;
            while (next < at) {
                next_character(text, next);
                if (count(text.substr(whole.begin, next - whole.begin)) > most) break;
                end = next;
            }
            return end;
        }
        limit = whole.begin + (at - whole.begin) * 3 / 4;
        ideal = std::min(ideal, limit);
    }
}

}  // namespace

std::vector<Range> cut_long(std::string_view text, Range sentence, std::size_t most, const CountTokens& count,
                            std::span<const Range> together) {
    DRAGOMAN_ASSERT(most > 0);
    constexpr std::size_t kBytesPerToken = 8;  // a window of that many bytes usually has enough tokens
    std::vector<Range> parts;
    const Whole uncut(text, sentence, together);
    text = text.substr(0, sentence.end);
    std::size_t window = std::max<std::size_t>(most * kBytesPerToken, 256), fitting = 0;
    for (Range rest = trim(text, sentence); rest.size() > 0; rest = trim(text, rest)) {
        Range seen = rest;
        if (rest.size() > window) {
            seen.end = rest.begin + window;
            while (seen.end < rest.end && (static_cast<unsigned char>(text[seen.end]) & 0xc0) == 0x80) ++seen.end;
        }
        const std::size_t tokens = count(part(text, seen));
        if (tokens <= most) {
            if (seen.end == rest.end) {
                parts.push_back(rest);
                break;
            }
            fitting = seen.size();
            window *= 2;
            continue;
        }
        window = std::max<std::size_t>(most * kBytesPerToken, 256);
        const std::size_t end = first_part(text.substr(0, seen.end), seen, std::exchange(fitting, 0), tokens, most,
                                           count, uncut);
        parts.push_back(trim(text, {rest.begin, end}));
        rest.begin = end;
    }
    return parts;
}

Range first_of_bytes(std::string_view text, Range& rest, std::size_t most, std::span<const Range> together) {
    DRAGOMAN_ASSERT(most >= 16);  // room for any character
    text = text.substr(0, rest.end);
    rest = trim(text, rest);
    if (rest.size() <= most) return std::exchange(rest, {rest.end, rest.end});
    const std::size_t end = first_bytes(text, rest, most, together);
    const Range first = trim(text, {rest.begin, end});
    rest = trim(text, {end, rest.end});
    return first;
}

std::vector<Range> cut_bytes(std::string_view text, Range sentence, std::size_t most, std::span<const Range> together) {
    std::vector<Range> parts;
    for (Range rest = trim(text.substr(0, sentence.end), sentence); rest.size() > 0;)
        parts.push_back(first_of_bytes(text, rest, most, together));
    return parts;
}

}  // namespace dragoman::text
