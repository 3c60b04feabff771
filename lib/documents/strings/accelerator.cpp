// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/accelerator.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "markup/entities.h"
#include "text/capitals.h"

namespace dragoman::documents {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// Small words that "&" joins without blanks.
constexpr std::array<std::string_view, 16> kJoined{"at&t",      "black&white",    "click&collect", "copy&paste",
                                                   "cut&paste", "drag&drop",      "find&replace",  "park&ride",
                                                   "plug&play", "point&click",    "rock&roll",     "save&close",
                                                   "save&exit", "search&replace", "bed&breakfast", "track&trace"};
// Parts of the names that programs give: "user_id", "is_valid".
constexpr std::array<std::string_view, 28> kOfNames{"at", "by", "cb", "db", "de", "en", "fk", "fn", "fr", "go",
                                                    "id", "in", "io", "ip", "is", "js", "my", "no", "nr", "ns",
                                                    "of", "ok", "on", "os", "pk", "to", "ui", "us"};

bool is_word(int32_t c) { return text::is_letter(c) || text::is_digit(c); }

int32_t before(std::string_view text, std::size_t at) { return text::previous_character(text, at); }
int32_t behind(std::string_view text, std::size_t at) { return text::next_character(text, at); }

std::size_t letters_in(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); text::next_character(text, at)) ++count;
    return count;
}

template <class Is>
bool every(std::string_view text, Is is) {
    for (std::size_t at = 0; at < text.size();)
        if (!is(text::next_character(text, at))) return false;
    return true;
}

std::string small(std::string_view text) { return text::small_letters(text, {}); }

// The text around a mark up to the next blanks, without the punctuation around it.
struct Around {
    std::string_view left, right;
};

Around around(std::string_view text, std::size_t at) {
    std::size_t begin = at, end = at + 1;
    for (std::size_t next = begin; next > 0 && !text::is_space(text::previous_character(text, next));) begin = next;
    for (std::size_t next = end; next < text.size() && !text::is_space(text::next_character(text, next));) end = next;
    const auto opens = [](int32_t c) { return text::is_opening(c) || c == '"' || c == '\''; };
    while (begin < at) {
        std::size_t next = begin;
        if (!opens(text::next_character(text, next))) break;
        begin = next;
    }
    const auto closes = [](int32_t c) {
        return text::is_closing(c) || c == 0x2026 ||
               (c > 0 && c < 0x80 && std::string_view(".,:;!?\"'").find(char(c)) != kNowhere);
    };
    while (end > at + 1) {
        std::size_t next = end;
        if (!closes(text::previous_character(text, next))) break;
        end = next;
    }
    return {text.substr(begin, at - begin), text.substr(at + 1, end - at - 1)};
}

// The letters next to a mark.
Around letters(const Around& whole) {
    std::size_t begin = whole.left.size(), end = 0;
    for (std::size_t next = begin; next > 0 && is_word(text::previous_character(whole.left, next));) begin = next;
    for (std::size_t next = 0; next < whole.right.size() && is_word(text::next_character(whole.right, next));)
        end = next;
    return {whole.left.substr(begin), whole.right.substr(0, end)};
}

bool is_ampersand(const Around& whole) {
    const auto plain = [](int32_t c) { return is_word(c) || c == '-' || c == '\'' || c == 0x2019 || c == '/'; };
    if (!every(whole.left, plain) || !every(whole.right, plain)) return false;
    const auto [left, right] = letters(whole);
    if (left.empty()) return true;
    if (!text::is_letter(behind(right, 0)) || text::is_upper(behind(right, 0))) return false;  // AT&T, Drag&Drop
    if (letters_in(left) == 1 && letters_in(right) == 1) return false;
    return std::ranges::find(kJoined, small(left) + "&" + small(right)) == kJoined.end();
}

bool is_underscore(std::string_view text, const Around& whole) {
    const auto plain = [](int32_t c) { return is_word(c) || c == '-' || c == '\'' || c == 0x2019; };
    if (!every(whole.left, plain) || !every(whole.right, plain)) return false;
    const auto [left, right] = letters(whole);
    const bool one_word = every(text, [](int32_t c) { return !text::is_space(c); });
    if (left.empty()) return !(one_word && text::is_lower(behind(right, 0)));  // "_blank"
    const std::string word = std::string(left) + std::string(right);
    if (!every(word, text::is_letter)) return false;
    std::size_t second = 0;
    const bool capital = text::is_upper(text::next_character(word, second));
    const bool rest_small = every(std::string_view(word).substr(second), text::is_lower);
    if (capital) return rest_small && text::is_lower(behind(right, 0));
    // In small letters it may be a name, "file_name": not in a short text in which a part is no word.
    constexpr std::ptrdiff_t kMostBlanks = 3;
    const auto is_rest = [](std::string_view part) {
        const std::size_t count = letters_in(part);
        const bool short_one = count == 2 || (count == 1 && std::string_view("aeiou").find(part) != kNowhere);
        return short_one && std::ranges::find(kOfNames, part) == kOfNames.end();
    };
    return rest_small && text::is_lower(before(word, second)) && text::is_upper(behind(text, 0)) && !one_word &&
           std::ranges::count(text, ' ') <= kMostBlanks && (is_rest(left) || is_rest(right));
}

// What of a text stands for something that is kept.
class Kept {
public:
    explicit Kept(std::vector<Range> ranges) : ranges_(std::move(ranges)) {
        std::ranges::sort(ranges_, {}, &Range::begin);
    }
    bool has(std::size_t at) const {
        const auto next = std::ranges::upper_bound(ranges_, at, {}, &Range::begin);
        return next != ranges_.begin() && at < std::prev(next)->end;
    }

private:
    std::vector<Range> ranges_;
};

Kept kept_in(const Unit& unit, std::span<const Range> places) {
    std::vector<Range> ranges;
    for (std::size_t m = 0; m < unit.marks.size(); ++m)
        if (unit.marks[m].kind == markup::Mark::Kind::literal)
            ranges.push_back(places.empty() ? unit.marks[m].plain : places[m]);
    return Kept(std::move(ranges));
}

// The place of the only mark of a kind in front of a letter or figure; nowhere: there is none, or another one.
std::size_t only_mark(std::string_view text, char mark, const Kept& kept) {
    std::size_t found = kNowhere;
    if (text.find(std::string(2, mark)) != kNowhere) return kNowhere;
    for (std::size_t at = text.find(mark); at != kNowhere; at = text.find(mark, at + 1)) {
        if (at + 1 == text.size() || !is_word(behind(text, at + 1)) || kept.has(at)) continue;
        const std::size_t reference = mark == '&' ? markup::html_reference(text.substr(at), false).bytes : 0;
        if (reference > 0 && text[at + reference - 1] == ';') continue;
        if (found != kNowhere) return kNowhere;
        found = at;
    }
    return found;
}

// The end of a text's words, before dots, a colon or blanks.
std::size_t words_end(std::string_view text) {
    std::size_t end = text.size();
    for (std::size_t next = end; next > 0;) {
        const int32_t c = text::previous_character(text, next);
        if (c != '.' && c != ':' && c != 0x2026 && c != 0xff1a && !text::is_space(c)) break;
        end = next;
    }
    return end;
}

}  // namespace

Accelerator take_accelerator(Units& units, bool ampersands) {
    Unit& unit = units.units.back();
    const std::string_view text = text::part(units.text, unit.plain);
    const Kept kept = kept_in(unit, {});
    std::size_t place = ampersands ? only_mark(text, '&', kept) : kNowhere;
    if (place != kNowhere && !is_ampersand(around(text, place))) place = kNowhere;
    if (place == kNowhere) {
        place = only_mark(text, '_', kept);
        if (place == kNowhere || !is_underscore(text, around(text, place))) return {};
    }
    std::size_t end = place + 1;
    text::next_character(text, end);
    Accelerator accelerator{text[place], std::string(text.substr(place + 1, end - place - 1))};
    units.text.erase(unit.plain.begin + place, 1);
    --unit.plain.end;
    for (markup::Mark& mark : unit.marks) {
        mark.plain.begin -= mark.plain.begin > place;
        mark.plain.end -= mark.plain.end > place;
    }
    return accelerator;
}

std::string with_accelerator(const Accelerator& accelerator, std::string_view target, const Unit& unit,
                             std::vector<Range>& places) {
    std::string result(target);
    if (accelerator.mark == 0) return result;
    const Kept kept = kept_in(unit, places);
    const std::string wanted = small(accelerator.letter);
    std::size_t first = kNowhere, inside = kNowhere, place = kNowhere;
    for (std::size_t at = 0, next = 0; at < target.size() && place == kNowhere; at = next) {
        const int32_t c = text::next_character(target, next);
        if (!is_word(c) || kept.has(at)) continue;
        if (first == kNowhere && text::is_letter(c)) first = at;
        if (small(target.substr(at, next - at)) != wanted) continue;
        if (at == 0 || !is_word(before(target, at))) place = at;
        else if (inside == kNowhere) inside = at;
    }
    if (place == kNowhere) place = inside != kNowhere ? inside : first;
    if (place == kNowhere) return result;
    std::string added(1, accelerator.mark);
    const bool same = place != first ||
                      small(accelerator.letter) == small(target.substr(first, accelerator.letter.size()));
    if (!same && text::is_unspaced(behind(target, place))) {
        std::size_t whole = 0;
        const int32_t letter = text::next_character(accelerator.letter, whole);
        added = "(" + added + text::capital_letter(letter, {}) + ")";
        place = words_end(target);
    }
    result.insert(place, added);
    for (Range& range : places) {
        range.begin += range.begin > place ? added.size() : 0;
        range.end += range.end > place ? added.size() : 0;
    }
    return result;
}

}  // namespace dragoman::documents
