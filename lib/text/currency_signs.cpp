// SPDX-License-Identifier: Apache-2.0
#include "text/currency_signs.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <set>
#include <string>

#include "text/characters.h"

namespace dragoman::text {
namespace {

bool names_sign(std::string_view text, int32_t sign) {
    static constexpr struct {
        int32_t sign;
        std::string_view words[4];
    } kWords[]{{'%', {"ercent", "rozent", "er cent", "por ciento"}},
               {0x20ac, {"uro", "EUR", "URO", "EUR"}},
               {'$', {"ollar", "USD", "OLLAR", "\xc3\xb3lar"}},
               {0xa3, {"ound", "fund", "GBP", "OUND"}},
               {0xb0, {"egree", "rad", "EGREE", "RAD"}}};
    for (const auto& [of, words] : kWords)
        if (of == sign)
            return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
    return false;
}

constexpr std::size_t kLongestJoin = 12, kNear = 24;  // bytes

// One currency's sign in a text and its translation.
class Currency {
public:
    Currency(std::string_view target, int32_t sign, std::string_view written, std::span<const NumberPair> pairs,
             std::span<const Number> of_target)
        : target_(target), sign_(sign), written_(written), of_target_(of_target) {
        for (const Number& number : of_target) {
            if (number.sign != sign) continue;
            ++signed_;
            prefix_ = number.range.begin < number.figures.begin;
            gap_ = prefix_ ? target.substr(number.range.begin + written.size(),
                                           number.figures.begin - number.range.begin - written.size())
                           : target.substr(number.figures.end, number.range.end - written.size() - number.figures.end);
        }
        for (const NumberPair& pair : pairs) {
            if (pair.from->sign != sign || pair.from->kind != Number::Kind::value) continue;
            ++wanted_;
            if (pair.to && pair.to->kind == Number::Kind::value && pair.to->sign < 0) lacking_.push_back(pair.to);
        }
        std::ranges::sort(lacking_, {}, [](const Number* number) { return number->figures.begin; });
    }

    void mend(std::vector<Edit>& edits) {
        const Range stray = stray_sign();
        if (signed_ >= wanted_ || lacking_.empty() || (signed_ == 0 && stray.size() == 0)) return;
        if (signed_ == 0) prefix_ = false, gap_ = " ";
        bool mended = false;
        const Number* next = nullptr;  // that got its sign now
        for (auto number = lacking_.rbegin(); number != lacking_.rend(); ++number) {
            if (is_said(**number) || shares(**number, next)) continue;
            if (prefix_) edits.push_back({{(*number)->figures.begin, (*number)->figures.begin}, written_ + gap_});
            else edits.push_back({{(*number)->figures.end, (*number)->figures.end}, gap_ + written_});
            next = *number;
            mended = true;
        }
        if (mended && stray.size() > 0) edits.push_back({stray, ""});
    }

private:
    // By name or code, or by a sign behind a word of scale: "3 Mio. $".
    bool is_said(const Number& number) const {
        const std::size_t begin = number.figures.begin - std::min(number.figures.begin, kNear / 3);
        if (names_sign(target_.substr(begin, number.figures.end + kNear - begin), sign_)) return true;
        std::size_t at = number.figures.end;
        for (std::size_t blanks = 0; at < target_.size() && at < number.figures.end + kNear;) {
            const std::size_t place = at;
            const int32_t c = next_character(target_, at);
            if (is_currency_sign(c)) return !is_of_number({place, at});
            blanks += std::size_t(is_space(c));
            if (is_digit(c) || blanks > 2) break;
        }
        std::size_t before = number.figures.begin;  // "US$", "CHF"
        const int32_t left = previous_character(target_, before);
        return is_letter(left) || is_currency_sign(left);
    }

    // Whether nothing but a word stands between two numbers.
    bool joins(const Number& left, const Number& right) const {
        if (left.range.end > right.range.begin || right.range.begin - left.range.end > kLongestJoin) return false;
        const std::string_view between = target_.substr(left.range.end, right.range.begin - left.range.end);
        return between.find_first_of(".;:!?0123456789") == between.npos && std::ranges::count(between, ' ') <= 2;
    }

    bool shares(const Number& number, const Number* signed_now) const {
        const auto at = std::ranges::find(of_target_, number.range.begin,
                                          [](const Number& n) { return n.range.begin; });
        for (auto next = at; next != of_target_.end() && next + 1 != of_target_.end(); ++next) {
            if (!joins(*next, *(next + 1))) break;
            const Number& other = *(next + 1);
            if (&other == signed_now || (other.sign == sign_ && other.range.begin == other.figures.begin))
                return !prefix_;
        }
        return at != of_target_.begin() && joins(*(at - 1), *at) && (at - 1)->sign == sign_ &&
               (at - 1)->range.begin < (at - 1)->figures.begin;
    }

    // The only sign that stands by no number, with the blank before it.
    Range stray_sign() const {
        Range found{};
        for (std::size_t at = target_.find(written_); at != target_.npos; at = target_.find(written_, at + 1)) {
            const Range sign{at, at + written_.size()};
            const bool owned = std::ranges::any_of(of_target_, [&](const Number& number) {
                return number.sign < 0 && is_near(number, sign.begin);
            });
            if (owned || is_of_number(sign)) continue;
            if (found.size() > 0) return {};
            const bool blank = at > 0 && target_[at - 1] == ' ';
            found = {at - std::size_t(blank), sign.end};
        }
        return found;
    }

    bool is_of_number(Range sign) const {
        return std::ranges::any_of(of_target_, [&](const Number& number) { return overlap(number.range, sign) > 0; });
    }

    // Whether at most one word stands between a number and a sign.
    bool is_near(const Number& number, std::size_t sign) const {
        if (number.figures.end > sign || sign - number.figures.end > kNear) return false;
        const std::string_view between = target_.substr(number.figures.end, sign - number.figures.end);
        return std::ranges::count(between, ' ') <= 2 && between.find_first_of("0123456789") == between.npos;
    }

    const std::string_view target_;
    const int32_t sign_;
    const std::string written_;
    const std::span<const Number> of_target_;
    std::vector<const Number*> lacking_;
    std::size_t signed_ = 0, wanted_ = 0;
    bool prefix_ = false;
    std::string gap_;  // between sign and figures, as the translation has it
};

}  // namespace

bool is_currency_sign(int32_t c) { return c >= 0 && u_charType(c) == U_CURRENCY_SYMBOL; }

bool has_sign(std::string_view text, int32_t sign) {
    for (std::size_t at = 0; at < text.size();)
        if (next_character(text, at) == sign) return true;
    return names_sign(text, sign);
}

std::vector<Edit> lost_currencies(std::string_view source, std::string_view target, std::span<const NumberPair> pairs,
                                  std::span<const Number> of_target) {
    std::set<int32_t> done;
    std::vector<Edit> edits;
    for (const NumberPair& pair : pairs) {
        const Number& from = *pair.from;
        if (!is_currency_sign(from.sign) || !done.insert(from.sign).second) continue;
        const bool before = from.range.begin < from.figures.begin;
        std::size_t begin = before ? from.range.begin : from.range.end, end = begin;
        if (before) next_character(source, end);
        else previous_character(source, begin);
        Currency(target, from.sign, part(source, {begin, end}), pairs, of_target).mend(edits);
    }
    return edits;
}

}  // namespace dragoman::text
