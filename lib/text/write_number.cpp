// SPDX-License-Identifier: Apache-2.0
#include <unicode/uchar.h>

#include <algorithm>

#include "text/numbers.h"

namespace dragoman::text {
namespace {

std::string in_groups(const std::string& whole, const std::string& mark) {
    std::string grouped;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (i > 0 && (whole.size() - i) % 3 == 0) grouped += mark;
        grouped += whole[i];
    }
    return grouped;
}

}  // namespace

std::string written(std::string_view text, const Number& number, const NumberNotation& to) {
    const std::string own(part(text, number.figures));
    if (!to.known() || number.kind == Number::Kind::name || number.kind == Number::Kind::sequence ||
        (number.kind == Number::Kind::value && (number.foreign || number.label == Number::Label::sure)))
        return own;
    if (number.shares_mark && to.am.empty() && to.hour_word.empty()) return own;
    if (number.kind == Number::Kind::time) {
        int hour = number.minutes / 60;
        const int minute = number.minutes % 60;
        // Of the day that ends, not of the one that begins.
        if (number.minutes == 0 && own.starts_with("24") && to.language == "en")
            return number.whole_hour ? "midnight" : "24:00";
        const bool halves = !to.am.empty() && (number.half_known || (number.whole_hour && !number.beside_clock));
        const bool marked = number.range.end > number.figures.end;
        std::string behind;
        if (halves) {
            behind = " " + (hour < 12 ? to.am : to.pm);
            hour = (hour + 11) % 12 + 1;
        } else if ((marked || number.spoken) && !to.hour_word.empty()) behind = " " + to.hour_word;
        std::string time = std::to_string(hour);
        if (!halves && time.size() < 2 && (own.starts_with('0') || (!number.whole_hour && hour == 0)))
            time.insert(0, 1, '0');
        const bool bare = number.shares_mark && to.am.empty();
        if (minute > 0 || !number.whole_hour || (behind.empty() && !bare))
            time += (minute < 10 ? ":0" : ":") + std::to_string(minute);
        return time + behind;
    }
    // The figures as they are, with leading and trailing zeros.
    std::string whole, fraction, minus;
    const bool decimal = number.value.find('.') != std::string::npos;
    std::size_t last = own.size();
    for (std::size_t at = own.size(); at > 0;) {
        const std::size_t end = at;
        const int32_t c = previous_character(own, at);
        if (is_digit(c)) continue;
        last = end;
        break;
    }
    const auto digits_of = [](std::string_view figures) {
        std::string digits;
        for (std::size_t at = 0; at < figures.size();)
            if (const int32_t c = next_character(figures, at); is_digit(c)) digits += char('0' + u_charDigitValue(c));
        return digits;
    };
    const std::string all = digits_of(own), behind = digits_of(std::string_view(own).substr(last));
    const std::string value_digits = number.value.substr(number.value.starts_with('-') ? 1 : 0);
    // Zeros behind a decimal mark do not show in the value: 5.00.
    const std::size_t wholes = std::min(value_digits.find('.'), value_digits.size());
    const std::string stripped = all.substr(std::min(all.find_first_not_of('0'), all.size()));
    const bool zeros = !decimal && stripped.size() > wholes && last < own.size() && value_digits != "0";
    const bool zero = !decimal && value_digits == "0" && last < own.size();
    if (decimal || zeros || zero) {
        whole = all.substr(0, all.size() - behind.size());
        fraction = behind;
    } else {
        whole = all;
    }
    if (whole.empty()) whole = "0";  // of ".5"
    if (number.value.starts_with('-')) {
        std::size_t at = 0;
        minus = is_digit(next_character(own, at)) ? "-" : own.substr(0, at);  // a word said it, or a sign
    }
    if (number.grouped) whole = in_groups(whole, to.group);
    return minus + whole + (fraction.empty() ? "" : to.decimal + fraction);
}

}  // namespace dragoman::text
