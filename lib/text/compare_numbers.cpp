// SPDX-License-Identifier: Apache-2.0
#include "text/compare_numbers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "text/capitals.h"
#include "text/currency_signs.h"
#include "text/number_words.h"
#include "text/pair_times.h"
#include "text/primes.h"
#include "text/spoken_times.h"

namespace dragoman::text {
namespace {

bool is_small(const Number& number) {
    return number.sign < 0 && number.kind == Number::Kind::value && number.digits.size() <= 2 &&
           number.figures.size() <= 2 && std::atoi(number.digits.c_str()) <= 12;
}

// Pairs the numbers of a text with those of its translation.
class Comparison {
public:
    Comparison(std::string_view source, std::vector<Number> of_source, std::string_view target,
               const NumberNotations& notations, std::span<const Range> fixed_target)
        : source_(source), target_(target), notations_(notations), fixed_target_(fixed_target),
          of_source_(std::move(of_source)), place_(of_source_.size(), kNone) {
        std::vector<Range> names;
        for (std::size_t i = 0; i < of_source_.size(); ++i)
            if (of_source_[i].kind == Number::Kind::name) take_name(i, names);
        std::ranges::sort(names, {}, &Range::begin);
        const bool has_ratios = std::ranges::any_of(of_source_, &Number::begins_ratio);
        for (Number& number : numbers(target, notations.target, names, has_ratios)) {
            if (number.roman > 0 && std::ranges::find(names, number.figures) == names.end()) take_roman(number.roman);
            if (number.roman == 0 && std::ranges::find(names, number.figures) == names.end())
                of_target_.push_back(std::move(number));
        }
        taken_.resize(of_target_.size());
    }

    NumberChanges compare(std::size_t forced) {
        pair([&](const Number& a, const Number& b) { return a.kind != Number::Kind::time && are_equal(a, b); });
        for (const auto& [i, t] : pair_times(of_source_, of_target_, placed(), taken_or_days())) take(i, t);
        pair([&](const Number& a, const Number& b) { return are_equal(a, b); });
        pair([&](const Number& a, const Number& b) { return are_equal_foreign(a, b); });
        pair([&](const Number& a, const Number& b) { return has_same_digits(a, b); });
        pair([&](const Number& a, const Number& b) { return are_hours(a, b); });
        for (std::size_t i = 0; i < of_source_.size(); ++i)
            if (place_[i] == kNone) take_parts(i);
        collect();
        if (changes_.missing.size() == changes_.extra.size() && changes_.missing.size() <= forced) force();
        find_disorder();
        add_currencies();
        std::ranges::sort(changes_.at_fault, {}, &Range::begin);
        const auto again = std::ranges::unique(changes_.at_fault);
        changes_.at_fault.erase(again.begin(), again.end());
        std::ranges::stable_sort(changes_.edits, {}, [](const Edit& edit) { return edit.range.begin; });
        return std::move(changes_);
    }

private:
    static constexpr std::size_t kNone = SIZE_MAX, kElsewhere = SIZE_MAX - 1;

    void take_name(std::size_t i, std::vector<Range>& names) {
        const std::string_view name = part(source_, of_source_[i].range);
        for (std::size_t at = target_.find(name); at != std::string_view::npos; at = target_.find(name, at + 1)) {
            const Range range{at, at + name.size()};
            std::size_t before = range.begin, after = range.end;
            const int32_t left = previous_character(target_, before), right = next_character(target_, after);
            const bool inside = of_source_[i].roman > 0 ? is_letter(left) || is_letter(right)
                                                        : (is_digit(first_character(name)) && is_digit(left)) ||
                                                              (is_digit(name.back()) && is_digit(right));
            if (inside || std::ranges::any_of(names, [&](Range other) { return overlap(other, range) > 0; })) continue;
            names.push_back(range);
            place_[i] = kElsewhere;
            return;
        }
    }

    // "2. Weltkrieg" is "World War II".
    void take_roman(int value) {
        for (std::size_t i = 0; i < of_source_.size(); ++i) {
            const Number& number = of_source_[i];
            const bool ordinal = source_.substr(number.figures.end).starts_with(". ");
            if (place_[i] != kNone || !is_small(number) || !ordinal || std::atoi(number.digits.c_str()) != value)
                continue;
            place_[i] = kElsewhere;
            return;
        }
    }

    // Whether a month follows a number of the translation: "5. März".
    bool is_day(const Number& number) const {
        static constexpr std::array<std::string_view, 12> kMonths{"Januar",    "Februar", "M\xc3\xa4rz", "April",
                                                                  "Mai",       "Juni",    "Juli",        "August",
                                                                  "September", "Oktober", "November",    "Dezember"};
        if (notations_.target.hour_word.empty() || number.kind != Number::Kind::value) return false;
        const std::string_view behind = target_.substr(number.figures.end);
        return behind.starts_with(". ") && std::ranges::any_of(kMonths, [&](std::string_view month) {
                   return behind.substr(2).starts_with(month);
               });
    }

    std::vector<bool> taken_or_days() const {
        std::vector<bool> found = taken_;
        for (std::size_t t = 0; t < found.size(); ++t) found[t] = found[t] || is_day(of_target_[t]);
        return found;
    }

    std::vector<bool> placed() const {
        std::vector<bool> found(place_.size());
        for (std::size_t i = 0; i < place_.size(); ++i) found[i] = place_[i] != kNone;
        return found;
    }

    void pair(const auto& fit) {
        for (std::size_t i = 0; i < of_source_.size(); ++i) {
            if (place_[i] != kNone) continue;
            for (std::size_t t = 0; t < of_target_.size(); ++t) {
                if (taken_[t] || !fit(of_source_[i], of_target_[t])) continue;
                take(i, t);
                break;
            }
        }
    }

    void take(std::size_t i, std::size_t t) {
        place_[i] = t;
        taken_[t] = true;
        const Number &from = of_source_[i], &to = of_target_[t];
        name_ordinal(from, to);
        const bool is_fixed = std::ranges::any_of(fixed_target_,
                                                  [&](Range range) { return overlap(range, to.figures) > 0; });
        if (!is_fixed) add_prime(from, to);
        if (!notations_.known() || is_fixed || is_written_right(from, to)) return;
        write(from, to);
    }

    // "45. Besuch": the stop of a German ordinal that an English text keeps: "45. Visit".
    void name_ordinal(const Number& from, const Number& to) {
        const auto counts = [](std::string_view text, const Number& number) {
            std::size_t at = number.figures.end + 2;
            return number.kind == Number::Kind::value && number.digits.size() == number.figures.size() &&
                   number.figures.size() < 4 && text.substr(number.figures.end).starts_with(". ") &&
                   is_letter(next_character(text, at));
        };
        const bool inside = from.figures.begin > 0 && to.figures.begin > 0;  // "1. Erster Punkt" is a label
        if (notations_.source.hour_word.empty() || notations_.target.am.empty() || !inside || !counts(source_, from) ||
            !counts(target_, to) || from.digits != to.digits)
            return;
        const int number = std::atoi(to.digits.c_str());
        const bool teens = number % 100 > 10 && number % 100 < 14;
        static constexpr std::array<const char*, 10> kEndings{"th", "st", "nd", "rd", "th",
                                                              "th", "th", "th", "th", "th"};
        changes_.edits.push_back({{to.figures.end, to.figures.end + 1},
                                  teens ? "th" : kEndings[std::size_t(number % 10)]});
    }

    // Inches, seconds and minutes of arc keep their mark: 3.5", 40'12".
    void add_prime(const Number& from, const Number& to) {
        const std::size_t at = from.figures.end;
        const std::string mark(part(source_, {at, prime_end(source_, at)}));
        if (mark.empty() || target_.substr(to.figures.end).starts_with(mark) || says_prime(target_, to.figures.end))
            return;
        if (count(source_, mark) > count(target_, mark))
            changes_.edits.push_back({{to.figures.end, to.figures.end}, mark});
    }

    static std::size_t count(std::string_view text, std::string_view mark) {
        std::size_t found = 0;
        for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + mark.size())) ++found;
        return found;
    }

    // Writes a number of the source in the place of one of the target's.
    void write(const Number& from, const Number& to) {
        std::string text = written(source_, from, notations_.target);
        if (to.value.starts_with('-') && is_digit(first_character(part(target_, to.figures))) && text.starts_with('-'))
            text.erase(0, 1);  // it says "minus"
        Range range = from.kind == Number::Kind::time ? time_range(from, to, text) : to.figures;
        if (from.value.starts_with('-')) range.begin = dashes_before(range.begin);
        if (to.shares_mark) drop_mark(from, text);
        if (part(target_, range) != text) changes_.edits.push_back({range, std::move(text)});
    }

    // A minus that the model has made a dash of, "--3" or "\u20143"; not what joins two numbers.
    std::size_t dashes_before(std::size_t at) const {
        std::size_t begin = at, before = at;
        while (before > 0) {
            const int32_t c = previous_character(target_, before);
            if (!is_dash(c) && c != 0x2212) break;
            begin = before;
        }
        const int32_t left = character_before(target_, begin);
        return is_letter(left) || is_digit(left) ? at : begin;
    }

    // "from 2 to 4 pm": the mark is behind the second time.
    void drop_mark(const Number& from, std::string& text) const {
        const NumberNotation& to = notations_.target;
        const std::string_view half = from.minutes < kHalfDay ? to.am : to.pm;
        const std::string_view mark = to.am.empty() ? std::string_view(to.hour_word) : half;
        if ((to.am.empty() || from.same_half) && !mark.empty() && text.ends_with(mark))
            text.resize(text.size() - mark.size() - 1);
    }

    // The word for hours stays where it is.
    Range time_range(const Number& from, const Number& to, std::string& text) const {
        const std::string word = " " + notations_.target.hour_word;
        const bool has_word = word.size() > 1 && target_.substr(to.figures.end).starts_with(word);
        if (has_word && to.range.end > to.figures.end + word.size() && !text.ends_with(word)) text += word;
        if (has_word && to.range.end <= to.figures.end + word.size()) {
            if (text.ends_with(word)) text.resize(text.size() - word.size());
            return to.figures;
        }
        if (!has_word && word.size() > 1 && text.ends_with(word) && from.range.end == from.figures.end)
            text.resize(text.size() - word.size());
        return {to.figures.begin, to.kind == Number::Kind::time ? to.range.end : to.figures.end};
    }

    bool is_written_right(const Number& a, const Number& b) const {
        if (is_end_of_day(a) && b.minutes == 0 && !part(target_, b.figures).starts_with("24")) return false;
        const bool lacks_half = b.shares_mark && !notations_.target.am.empty() && !(a.shares_mark && a.same_half);
        if (a.kind == Number::Kind::time && lacks_half) return false;  // "from 10 to 10 pm"
        if (a.shares_mark && notations_.target.am.empty() && notations_.target.hour_word.empty()) return true;
        if (a.label == Number::Label::sure) return part(source_, a.figures) == part(target_, b.figures);
        if (are_equal(a, b)) return a.kind != Number::Kind::value || has_same_figures(a, b);
        if (part(source_, a.figures) != part(target_, b.figures)) return false;
        return a.kind == Number::Kind::sequence || (a.foreign && a.kind != Number::Kind::time) ||
               (a.label == Number::Label::likely && follows_same_word(a, b));
    }

    // "24 Uhr" belongs to the day before that of 0 Uhr, which "12 am" is.
    bool is_end_of_day(const Number& number) const {
        return number.kind == Number::Kind::time && number.minutes == 0 &&
               part(source_, number.figures).starts_with("24");
    }

    // Whether an equal value has the same decimals, and the target's marks between thousands, if any.
    bool has_same_figures(const Number& a, const Number& b) const {
        if (a.foreign) return true;
        if (a.digits != b.digits && a.value != "0") return false;
        const auto unsigned_now = [](std::string_view figures) {
            return figures.substr(std::min(figures.find_first_of(".,0123456789"), figures.size()));
        };
        const std::string_view other = unsigned_now(part(target_, b.figures));
        if (other.starts_with('.') || other.starts_with(',')) return false;
        return !a.grouped || !b.grouped || unsigned_now(written(source_, a, notations_.target)) == other;
    }

    // Whether the same word stands in front of both, or somewhere before where others stand in between.
    bool follows_same_word(const Number& a, const Number& b) const {
        const std::size_t number = a.label_begin > 0 ? a.label_begin : a.figures.begin;
        std::size_t begin = number - 1;
        while (begin > 0 && source_[begin - 1] != ' ') --begin;
        const std::string word = small_letters(source_.substr(begin, number - begin), {}),
                          front = small_letters(target_.substr(0, b.figures.begin), {});
        return a.label_begin > 0 ? front.find(word) != std::string::npos : front.ends_with(word);
    }

    static bool has_leading_zero(std::string_view figures) {
        return figures.size() >= 3 && figures[0] == '0' && figures[1] >= '0' && figures[1] <= '9';
    }

    bool are_equal(const Number& a, const Number& b) const {
        if (a.kind == Number::Kind::time && b.kind == Number::Kind::time)
            return (!b.foreign || !notations_.known()) && same_time(a, b);
        if (a.kind != b.kind) return false;
        if (a.kind != Number::Kind::value) return part(source_, a.figures) == part(target_, b.figures);
        if (has_leading_zero(part(source_, a.figures))) return part(source_, a.figures) == part(target_, b.figures);
        if (b.foreign && notations_.known())  // a foreign number stays as it is
            return a.foreign && part(source_, a.figures) == part(target_, b.figures);
        return a.value == b.value;
    }

    bool same_time(const Number& a, const Number& b) const {
        return a.minutes == b.minutes || (a.minutes == b.minutes + kHalfDay && !b.half_known && says_late(a));
    }

    // Marks of other times say nothing of this one.
    bool says_late(const Number& a) const {
        if (a.minutes < kHalfDay) return false;
        std::string words;
        std::size_t at = 0;
        for (const Number& number : of_target_) {
            if (number.kind != Number::Kind::time || number.range.begin < at) continue;
            words += target_.substr(at, number.range.begin - at);
            at = number.range.end;
        }
        return says_afternoon(words.append(target_.substr(at)));
    }

    bool are_equal_foreign(const Number& a, const Number& b) const {
        if (!notations_.known() || a.kind != Number::Kind::value) return false;
        if (a.foreign && b.kind == a.kind && part(source_, a.figures) == part(target_, b.figures)) return true;
        const auto again = numbers(part(target_, b.figures), notations_.source);
        return again.size() == 1 && again.front().kind == Number::Kind::value && again.front().value == a.value;
    }

    bool has_same_digits(const Number& a, const Number& b) const {
        if (a.kind == Number::Kind::name || (a.kind == Number::Kind::time && notations_.known())) return false;
        if (a.kind == Number::Kind::value && !a.foreign && has_leading_zero(part(source_, a.figures)) &&
            notations_.known() && part(source_, a.figures) != part(target_, b.figures))
            return false;
        return a.digits == b.digits;
    }

    bool are_hours(const Number& a, const Number& b) const {
        if (a.kind != Number::Kind::time || is_day(b)) return false;
        const int other = minutes_of(b);
        return other >= 0 && (a.minutes - other) % kHalfDay == 0 &&
               (a.whole_hour || b.kind == Number::Kind::time || b.figures.size() > 2);
    }

    // The parts of a date, of what may be several numbers with blanks between them, of a time in other words.
    void take_parts(std::size_t i) {
        const Number& number = of_source_[i];
        if (number.kind != Number::Kind::sequence && !number.spaced && !number.foreign) return;
        std::vector<std::size_t> found;
        std::string group;
        const std::string_view figures = part(source_, number.figures);
        bool all = true;
        const auto finish = [&] {
            if (group.empty()) return;
            const std::string digits = group.substr(std::min(group.find_first_not_of('0'), group.size()));
            const auto is_it = [&](std::size_t t) {
                return !taken_[t] && of_target_[t].digits == digits && std::ranges::find(found, t) == found.end();
            };
            std::size_t t = 0;
            while (t < of_target_.size() && !is_it(t)) ++t;
            if (t < of_target_.size()) found.push_back(t);
            else all = all && digits.size() <= 2 && std::atoi(digits.c_str()) <= 12;
            group.clear();
        };
        for (const char c : figures) {
            if (c >= '0' && c <= '9') group += c;
            else finish();
        }
        finish();
        if (!all || found.empty()) return;
        for (const std::size_t t : found) taken_[t] = true;
        place_[i] = kElsewhere;
    }

    static std::ptrdiff_t times(const std::vector<Number>& numbers) {
        return std::ranges::count(numbers, Number::Kind::time, &Number::kind);
    }

    bool said_in_words(const Number& number) const {
        if (number.roman > 0)
            return has_number_word(target_, number.roman, notations_.target.language) ||
                   std::ranges::find(of_target_, std::to_string(number.roman), &Number::value) != of_target_.end();
        if (number.kind == Number::Kind::time) {
            if (number.minutes == 0 && says_midnight(target_)) return true;
            if (number.minutes == kHalfDay && says_noon(target_)) return true;
            const bool fewer = times(of_source_) > times(of_target_);
            return fewer && number.whole_hour && (number.minutes < kHalfDay + 60 || says_late(number)) &&
                   has_number_word(target_, (number.minutes / 60 + 11) % 12 + 1, notations_.target.language);
        }
        return is_small(number) &&
               has_number_word(target_, std::atoi(number.digits.c_str()), notations_.target.language);
    }

    void collect() {
        for (std::size_t i = 0; i < of_source_.size(); ++i) {
            const Number& number = of_source_[i];
            const bool unsigned_now = place_[i] != kNone && number.kind != Number::Kind::name && number.sign >= 0 &&
                                      !has_sign(target_, number.sign);
            if ((place_[i] != kNone || said_in_words(number)) && !unsigned_now) continue;
            lacks_sign_ = lacks_sign_ || unsigned_now;
            changes_.missing.push_back(number);
            changes_.at_fault.push_back(number.range);
        }
        for (std::size_t t = 0; t < of_target_.size(); ++t) {
            if (taken_[t]) continue;
            const Number& extra = of_target_[t];
            if (extra.spoken) continue;
            add_repeated(extra);
            add_invented(extra);
            if (!is_small(extra)) changes_.extra.push_back(extra);
        }
    }

    void add_currencies() {
        std::vector<NumberPair> pairs;
        for (std::size_t i = 0; i < of_source_.size(); ++i) {
            const Number* to = place_[i] < of_target_.size() ? &of_target_[place_[i]] : nullptr;
            const bool fixed = to && std::ranges::any_of(fixed_target_,
                                                         [&](Range range) { return overlap(range, to->figures) > 0; });
            pairs.push_back({&of_source_[i], fixed ? nullptr : to});
        }
        // In front of what is written in a number's place.
        std::vector<Edit> edits = lost_currencies(source_, target_, pairs, of_target_);
        for (const Edit& edit : edits)  // a minus that is written anew with its figures
            for (const Edit& other : changes_.edits)
                if (edit.range.begin < other.range.end && other.range.begin < edit.range.end) return;
        edits.insert(edits.end(), changes_.edits.begin(), changes_.edits.end());
        changes_.edits = std::move(edits);
    }

    // In their order.
    void force() {
        if (lacks_sign_) return;
        const auto is_time = [](const Number& number) { return number.kind == Number::Kind::time; };
        for (std::size_t i = 0; i < changes_.missing.size(); ++i)  // "9 pm" may have nothing to do with 500
            if (is_time(changes_.extra[i]) && changes_.extra[i].whole_hour && !is_time(changes_.missing[i])) return;
        for (std::size_t i = 0; i < changes_.missing.size(); ++i) {
            write(changes_.missing[i], changes_.extra[i]);
            std::erase(changes_.at_fault, changes_.missing[i].range);
        }
        changes_.missing.clear();
        changes_.extra.clear();
    }

    // What the translation says twice.
    void add_repeated(const Number& extra) {
        for (const Number& number : of_source_) {
            const bool again = number.digits == extra.digits ||
                               (number.kind == Number::Kind::time && are_hours(number, extra)) ||
                               (number.digits.size() > 3 && extra.digits.size() < number.digits.size() &&
                                !extra.digits.empty() && (number.grouped || number.kind == Number::Kind::name) &&
                                (number.digits.starts_with(extra.digits) || number.digits.ends_with(extra.digits)));
            if (!again) continue;
            changes_.at_fault.push_back(number.range);
            return;
        }
    }

    // "at 12 pm at school at 10 pm": an hour that the text does not have, beside those that it has.
    void add_invented(const Number& extra) {
        if (extra.kind != Number::Kind::time || extra.range.end == extra.figures.end) return;
        if (has_number_word(source_, (extra.minutes / 60 + 11) % 12 + 1, notations_.source.language)) return;
        for (const Number& number : of_source_)
            if (number.kind == Number::Kind::time && !number.spoken) changes_.at_fault.push_back(number.range);
    }

    // Lists keep their order.
    void find_disorder() {
        for (std::size_t begin = 0, end = 0; begin < of_source_.size(); begin = end) {
            end = begin + 1;
            while (end < of_source_.size() && is_list_gap(of_source_[end - 1].range.end, of_source_[end].range.begin))
                ++end;
            if (end - begin < 3) continue;
            bool wrong = false;
            for (std::size_t i = begin; i < end; ++i) {
                wrong |= place_[i] == kNone;
                wrong |= i > begin && place_[i] < kElsewhere && place_[i - 1] < kElsewhere && place_[i] < place_[i - 1];
            }
            if (!wrong) continue;
            const Range list{of_source_[begin].range.begin, of_source_[end - 1].range.end};
            std::erase_if(changes_.at_fault, [&](Range range) { return overlap(range, list) > 0; });
            changes_.at_fault.push_back(list);
        }
    }

    bool is_list_gap(std::size_t begin, std::size_t end) const {
        if (begin > end) return false;
        const std::string_view gap = source_.substr(begin, end - begin);
        return gap == ", " || gap == "; " || gap == " ";
    }

    const std::string_view source_, target_;
    const NumberNotations& notations_;
    const std::span<const Range> fixed_target_;
    const std::vector<Number> of_source_;
    std::vector<Number> of_target_;
    std::vector<std::size_t> place_;  // of the source's numbers among the target's
    std::vector<bool> taken_;
    bool lacks_sign_ = false;  // of a currency, say: the number itself is there
    NumberChanges changes_;
};

}  // namespace

NumberChanges compare_numbers(std::string_view source, std::string_view target, const NumberNotations& notations,
                              std::span<const Range> fixed, std::span<const Range> fixed_target, std::size_t forced) {
    std::vector<Number> of_source = numbers(source, notations.source, fixed);
    if (!knows_spoken_times(notations.target.language))
        std::erase_if(of_source, [](const Number& number) { return number.spoken || number.roman > 0; });
    if (of_source.empty()) return {};
    return Comparison(source, std::move(of_source), target, notations, fixed_target).compare(forced);
}

}  // namespace dragoman::text
