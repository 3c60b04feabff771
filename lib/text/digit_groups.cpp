// SPDX-License-Identifier: Apache-2.0
#include "text/digit_groups.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "text/currency_signs.h"

namespace dragoman::text {
namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alnum(char c) { return is_figure(c) || is_capital(c) || (c >= 'a' && c <= 'z'); }

std::size_t figures_behind(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_figure(text[end])) ++end;
    return end;
}

int number_in(std::string_view text, std::size_t begin, std::size_t end) {
    return end - begin > 9 ? -1 : std::atoi(std::string(text.substr(begin, end - begin)).c_str());
}

// Whether nothing of the same word or number follows.
bool ends_at(std::string_view text, std::size_t at) {
    if (at >= text.size()) return true;
    std::size_t next = at;
    const int32_t c = next_character(text, next);
    if (is_letter(c) || is_digit(c) || c == '%' || c == '_') return false;
    const bool joins = c == '.' || c == ',' || c == ':' || c == '-' || c == '/';
    return !joins || next >= text.size() || !is_figure(text[next]);
}

std::size_t one_address_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    for (int part = 0; part < 4; ++part) {
        const std::size_t begin = end + (part > 0 ? 1 : 0);
        if (part > 0 && (end >= text.size() || text[end] != '.')) return at;
        end = figures_behind(text, begin);
        if (end == begin || end - begin > 3 || (text[begin] == '0' && end > begin + 1) ||
            number_in(text, begin, end) > 255)
            return at;
    }
    if (end < text.size() && (text[end] == ':' || text[end] == '/'))
        end = std::max(end, end + 1 < text.size() && is_figure(text[end + 1]) ? figures_behind(text, end + 1) : end);
    return end;
}

// One address, or two and a dash between them.
std::size_t ip_address_end(std::string_view text, std::size_t at) {
    const std::size_t end = one_address_end(text, at);
    if (end == at) return at;
    std::size_t second = end;
    if (is_dash(next_character(text, second)))
        if (const std::size_t last = one_address_end(text, second); last > second && ends_at(text, last)) return last;
    return ends_at(text, end) ? end : at;
}

// The end of parts of a second behind minutes and seconds, "1:21.345"; `at`: there are none, or it is a scale, 1:25.000.
std::size_t lap_time_end(std::string_view text, std::size_t at) {
    if (at < 2 || at >= text.size() || (text[at] != '.' && text[at] != ',') || text[at - 2] > '5') return at;
    const std::size_t end = figures_behind(text, at + 1);
    const bool scale = end == at + 4 && text.substr(at + 2, 2) == "00";
    return end > at + 1 && end <= at + 4 && !scale && ends_at(text, end) ? end : at;
}

// 2022-03-19, 2022-03-19T13:34:33Z, 13:34:33, 1:21.345.
std::size_t iso_time_end(std::string_view text, std::size_t at) {
    const auto pair = [&](std::size_t from, char before) {
        if (from >= text.size() || text[from] != before) return from;
        const std::size_t end = figures_behind(text, from + 1);
        return end == from + 3 ? end : from;
    };
    std::size_t end = figures_behind(text, at);
    if (end == at + 4) {
        const std::size_t month = pair(end, '-'), day = pair(month, '-');
        if (month == end || day == month || number_in(text, end + 1, month) > 12 ||
            number_in(text, month + 1, day) > 31)
            return at;
        end = day;
        if (end < text.size() && text[end] == 'T' && end + 1 < text.size() && is_figure(text[end + 1]))
            while (end < text.size() && (is_alnum(text[end]) || text[end] == ':' || text[end] == '+')) ++end;
        return ends_at(text, end) ? end : at;
    }
    if (end == at || end > at + 2) return at;
    const std::size_t minutes = pair(end, ':'), seconds = pair(minutes, ':');
    if (const std::size_t lap = lap_time_end(text, minutes); minutes > end && lap > minutes) return lap;
    if (minutes == end || seconds == minutes || !ends_at(text, seconds)) return at;
    const std::string_view rest = text.substr(seconds);
    const std::size_t marker = std::min(rest.find_first_not_of(' '), rest.size());
    const bool halves = marker + 1 < rest.size() && std::string_view("apAP").find(rest[marker]) != rest.npos &&
                        std::string_view(".mM").find(rest[marker + 1]) != rest.npos;
    return halves ? at : seconds;
}

// "24.12." or "24.12": the end of the month; `at`: there is none.
std::size_t day_and_month_end(std::string_view text, std::size_t at) {
    const std::size_t day = figures_behind(text, at);
    if (day == at || day > at + 2 || day >= text.size() || text[day] != '.') return at;
    const std::size_t month = figures_behind(text, day + 1);
    if (month == day + 1 || month > day + 3) return at;
    const int days = number_in(text, at, day), months = number_in(text, day + 1, month);
    return days >= 1 && days <= 31 && months >= 1 && months <= 12 ? month : at;
}

// The day of a date, with its stop.
std::size_t day_end(std::string_view text, std::size_t at) {
    const std::size_t end = figures_behind(text, at);
    const int day = end > at && end <= at + 2 ? number_in(text, at, end) : 0;
    return day >= 1 && day <= 31 && end < text.size() && text[end] == '.' ? end + 1 : at;
}

// A date with blanks, "3. 5. 2024", and two days of a month, "4.-6.5.", "4./5.5.2024": models read ordinals in them.
// Without a year, what is in front must say that days follow: "am 4. 5."
std::size_t spaced_date_end(std::string_view text, std::size_t at) {
    const auto blank = [&](std::size_t from) { return from < text.size() && text[from] == ' ' ? from + 1 : from; };
    const auto year_end = [&](std::size_t from) {
        const std::size_t end = figures_behind(text, from);
        return end == from + 4 && (text[from] == '1' || text[from] == '2') && ends_at(text, end) ? end : from;
    };
    std::size_t day = day_end(text, at);
    if (day == at) return at;
    std::size_t second = day;
    const int32_t mark = next_character(text, second);
    const bool two = (is_dash(mark) || mark == '/') && day_end(text, second) > second;
    if (two) day = day_end(text, second);
    const std::size_t month_begin = blank(day), month = day_end(text, month_begin);
    if (month == month_begin || number_in(text, month_begin, month - 1) > 12) return at;
    const std::size_t year_begin = blank(month), year = year_end(year_begin);
    const bool spaced = month_begin > day || (year_begin > month && year > year_begin);
    if (!two && !spaced) return at;
    if (year > year_begin) return year;
    const bool more = year_begin < text.size() && is_figure(text[year_begin]);
    return two || (follows_word_of_days(text, at) && !more) ? month : at;
}

// Dates without a year inside a sentence, behind whose stop models end it: "am 5.6. ist", "vom 1.8.-15.8. Urlaub". Before
// a capital it may be a value at the end of a sentence.
std::size_t short_date_end(std::string_view text, std::size_t at) {
    const bool after_word = follows_word_of_days(text, at);
    for (std::size_t date = at;;) {
        std::size_t end = day_and_month_end(text, date);
        if (end == date || end >= text.size() || text[end] != '.') return at;
        std::size_t behind = ++end;
        const int32_t mark = next_character(text, behind);
        if (is_dash(mark) && day_and_month_end(text, behind) > behind) {
            date = behind;
            continue;
        }
        if (mark == ',' || mark == ';' || mark == ':' || mark == ')') return after_word ? end : at;
        if (!is_space(mark)) return at;
        const int32_t next = next_character(text, behind);
        return is_lower(next) || (after_word && (is_letter(next) || is_digit(next))) ? end : at;
    }
}

// The code of a bank, "COBADEFFXXX", behind the word that says so.
std::size_t bank_code_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (is_capital(text[end]) || (is_figure(text[end]) && end >= at + 6))) ++end;
    if ((end != at + 8 && end != at + 11) || (end < text.size() && is_alnum(text[end]))) return at;
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == ':')) --before;
    const std::string_view front = text.substr(0, before);
    for (const std::string_view word : {"BIC", "SWIFT", "Swift", "BIC is", "BIC ist", "code is", "Code", "code"})
        if (before < at && front.ends_with(word)) return end;
    return at;
}

// Two letters, two figures, and 11 to 30 more characters in fours.
std::size_t account_end(std::string_view text, std::size_t at) {
    if (text.size() < at + 15 || !is_capital(text[at]) || !is_capital(text[at + 1]) || !is_figure(text[at + 2]) ||
        !is_figure(text[at + 3]))
        return at;
    std::size_t end = at + 4, characters = 4, figures = 2;
    while (end < text.size()) {
        std::size_t next = end + (text[end] == ' ' ? 1 : 0), size = 0, own = 0;
        for (; next + size < text.size() && size < 4; ++size) {
            const char c = text[next + size];
            if (!is_figure(c) && !is_capital(c)) break;
            own += is_figure(c);
        }
        const bool bank = characters == 4 && size == 4;  // its code has letters: GB29 NWBK 6016 ...
        const bool word = text[end] == ' ' && own == 0 && !bank;
        if (size == 0 || word || characters + size > 34) break;
        if (next + size < text.size() && size < 4 && is_alnum(text[next + size])) break;
        characters += size;
        figures += own;
        end = next + size;
        if (size < 4) break;
    }
    return characters >= 15 && 2 * figures >= characters && ends_at(text, end) ? end : at;
}

struct Group {
    std::size_t begin, end;
    char before;  // the mark in front of it
    std::size_t size() const { return end - begin; }
};

// Whether all groups but the first have three figures, as those of one number do.
bool are_thousands(const std::vector<Group>& groups) {
    return groups.size() > 1 && groups.front().size() <= 3 &&
           std::all_of(groups.begin() + 1, groups.end(),
                       [](const Group& group) { return group.size() == 3 && group.before == ' '; });
}

bool is_date(const std::vector<Group>& groups) {
    return groups.size() == 3 && groups[1].before == groups[2].before && groups[1].before != ' ' &&
           groups[0].size() <= 4 && groups[1].size() <= 2 && groups[2].size() <= 4;
}

// What stands before a number that is a name: "Customer no. 100 200 300", "die Steuernummer ist 12 345 678 901", "DE 123
// 456 789".
bool follows_word_of_codes(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 15> kEnds{"number", "nummer",  "no.",   "nr.",  "id",
                                                            "iban",   "blz",     "konto", "kto.", "idnr.",
                                                            "acct.",  "account", "code",  "vat",  "ust"};
    static constexpr std::array<std::string_view, 7> kStates{"DE", "AT", "ATU", "CH", "CHE", "GB", "EU"};
    static constexpr std::array<std::string_view, 7> kBetween{"is", "was", "ist", "war", "lautet", "with", "mit"};
    constexpr int kFarthest = 2;  // words
    for (int words = 0; words < kFarthest; ++words) {
        while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == ':' || text[at - 1] == '#')) --at;
        std::size_t begin = at;
        while (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != ':') --begin;
        std::string word(text.substr(begin, at - begin));
        if (std::ranges::find(kStates, word) != kStates.end()) return true;
        for (char& c : word) c = char(is_capital(c) ? c | 0x20 : c);
        const auto is_end = [&](std::string_view end) {
            return word == end || ((end.size() > 3 || end == "nr.") && word.ends_with(end));
        };
        if (std::ranges::any_of(kEnds, is_end)) return true;
        if (std::ranges::find(kBetween, word) == kBetween.end()) return false;
        at = begin;
    }
    return false;
}

// Cards and telephone numbers: "4000 0000 0000 0002", "+49 30 555 00 00", "030/5550000", "(555) 123-4567".
std::size_t called_end(std::string_view text, std::size_t at) {
    const bool plus = text[at] == '+', bracket = text[at] == '(';
    std::size_t next = at + (plus || bracket ? 1 : 0);
    constexpr std::size_t kMostGroups = 64;  // no number of anything has more
    std::vector<Group> groups;
    for (char before = 0; next < text.size();) {
        if (groups.size() == kMostGroups) return at;
        const std::size_t end = figures_behind(text, next);
        if (end == next) break;
        groups.push_back({next, end, before});
        next = end;
        if (bracket && groups.size() == 1) {
            if (next >= text.size() || text[next] != ')') return at;
            ++next;
        }
        if (next < text.size() && std::string_view(" -/").find(text[next]) != std::string_view::npos)
            before = text[next++];
        else if (!bracket || groups.size() != 1) break;
    }
    while (!groups.empty() && !ends_at(text, groups.back().end)) groups.pop_back();
    if (groups.empty() || is_date(groups)) return at;
    std::size_t figures = 0;
    for (const Group& group : groups) figures += group.size();
    const bool zero = text[groups.front().begin] == '0' && groups.front().size() >= 2;
    const bool called = plus || zero || bracket ? figures >= (bracket ? 9u
                                                              : plus  ? 8u
                                                                      : 6u) &&
                                                      (groups.size() > 1 || plus || zero)
                                                : groups.size() >= 3 && figures >= 8;
    if (!called || figures > 34) return at;
    const bool value = !zero && !bracket && are_thousands(groups) && (!plus || figures < 9);
    if (value && !follows_word_of_codes(text, at)) return at;
    return groups.back().end;
}

bool is_part_of_one(int32_t c) {  // a fraction in one character
    return c >= 0 && u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE) == U_NT_NUMERIC &&
           u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE) == U_DT_FRACTION;
}

bool is_raised(int32_t c) {
    return c == 0xb2 || c == 0xb3 || c == 0xb9 || (c >= 0x2070 && c <= 0x208e && (is_digit(c) || c < 0x208a));
}

std::size_t power_end(std::string_view text, std::size_t at) {
    std::size_t end = figures_behind(text, at), next = end;
    while (next < text.size()) {
        std::size_t behind = next;
        const int32_t c = next_character(text, behind);
        if (!is_part_of_one(c) && (end == at || !is_raised(c))) break;
        next = behind;
    }
    if (next > end) return next;
    if (end == at || end >= text.size() || text[end] != '^') return at;
    next = end + 1;
    if (next < text.size() && (text[next] == '-' || text[next] == '+')) ++next;
    const std::size_t power = figures_behind(text, next);
    return power > next && ends_at(text, power) ? power : at;
}

bool is_between(std::string_view text) {
    return text == ", " || text == "; " || text == " " || text == " , " || text == " ; ";
}

// Where the figures and stops of a price begin.
std::size_t figures_begin(std::string_view text, std::size_t end) {
    while (end > 0 && (is_figure(text[end - 1]) || text[end - 1] == '.' || text[end - 1] == '\'')) --end;
    return end;
}

// Whether a currency stands in front of figures, or behind `end`.
bool has_currency_beside(std::string_view text, std::size_t figures_end, std::size_t end) {
    std::size_t begin = figures_begin(text, figures_end), at = begin;
    int32_t c = previous_character(text, at);
    if (is_space(c)) begin = at, c = previous_character(text, at);
    if (is_currency_sign(c) || (begin >= 3 && is_currency_code(text.substr(begin - 3, 3))) ||
        (begin >= 3 && text.substr(begin - 3, 3) == "Fr."))
        return true;
    at = end;
    c = next_character(text, at);
    if (is_space(c)) end = at, c = next_character(text, at);
    const std::string_view rest = text.substr(std::min(end, text.size()));
    return is_currency_sign(c) || is_currency_code(rest.substr(0, 3)) || rest.starts_with("Euro") ||
           rest.starts_with("Franken");
}

// "58°16'N", "13° 24' 18\" E": degrees with minutes, and perhaps seconds and a direction.
std::size_t position_end(std::string_view text, std::size_t at) {
    const auto part_end = [&](std::size_t from, std::initializer_list<std::string_view> marks) {
        if (text.substr(from).starts_with(' ')) ++from;
        const std::size_t end = std::min(text.find_first_not_of("0123456789.,", from), text.size());
        for (const std::string_view mark : marks)
            if (end > from && is_figure(text[from]) && text.substr(end).starts_with(mark)) return end + mark.size();
        return std::size_t(0);
    };
    const std::size_t degrees = part_end(at, {"\xc2\xb0"});
    const std::size_t minutes = degrees > 0 ? part_end(degrees, {"\xe2\x80\xb2", "\xe2\x80\x99", "'"}) : 0;
    if (minutes == 0) return at;
    const std::size_t seconds = part_end(minutes, {"\xe2\x80\xb3", "\xe2\x80\x9d", "\"", "''"});
    std::size_t end = std::max(minutes, seconds);
    const std::size_t direction = end + (text.substr(end).starts_with(' ') ? 1 : 0);
    const bool named = direction < text.size() &&
                       std::string_view("NSEWO").find(text[direction]) != std::string_view::npos;
    if (named && !is_letter(character_after(text, direction + 1))) end = direction + 1;
    return end;
}

// "14h 29m 43s", "2h15m", "3h 47min": hours and minutes of a duration or an angle.
std::size_t hours_and_minutes_end(std::string_view text, std::size_t at) {
    const auto part_end = [&](std::size_t from, std::initializer_list<std::string_view> units) {
        if (from > at && text.substr(from).starts_with(' ')) ++from;
        std::size_t end = figures_behind(text, from);
        if (end == from || end > from + 2) return std::size_t(0);
        if (end + 1 < text.size() && text[end] == '.' && is_figure(text[end + 1])) end = figures_behind(text, end + 1);
        for (const std::string_view unit : units)
            if (text.substr(end).starts_with(unit) && !is_letter(character_after(text, end + unit.size())))
                return end + unit.size();
        return std::size_t(0);
    };
    std::size_t hours = figures_behind(text, at);
    if (hours > at + 3 || !text.substr(hours).starts_with('h')) return at;
    const std::size_t minutes = part_end(++hours, {"min", "m"});
    return minutes == 0 ? at : std::max(minutes, part_end(minutes, {"sec", "s"}));
}

// A position south or west of zero: "\u221262\u00b0 40' 46\"".
std::size_t negative_position_end(std::string_view text, std::size_t at) {
    std::size_t figures = at;
    const int32_t c = next_character(text, figures);
    if ((c != '-' && c != 0x2212) || figures >= text.size() || !is_figure(text[figures])) return at;
    const std::size_t end = position_end(text, figures);
    return end > figures ? end : at;
}

}  // namespace

bool is_currency_code(std::string_view word) {
    static constexpr std::array<std::string_view, 42> kCodes{
        "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR",
        "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "MAD", "MXN", "MYR", "NOK", "NZD",
        "PEN", "PHP", "PLN", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD", "VND", "ZAR"};
    return std::ranges::find(kCodes, word) != kCodes.end();
}

std::size_t identifier_end(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (is_capital(c)) return std::max(account_end(text, at), bank_code_end(text, at));
    if (c == '-' || static_cast<unsigned char>(c) >= 0x80)
        if (const std::size_t end = negative_position_end(text, at); end > at) return end;
    if (static_cast<unsigned char>(c) >= 0x80) return power_end(text, at);
    if (!is_figure(c) && c != '+' && c != '(') return at;
    for (const auto& end_of : {ip_address_end, iso_time_end, spaced_date_end, short_date_end, power_end, called_end,
                               position_end, hours_and_minutes_end})
        if (const std::size_t end = end_of(text, at); end > at) return end;
    return at;
}

std::vector<Range> number_lists(std::string_view text) {
    constexpr std::size_t kFewest = 8;
    std::vector<Range> found;
    Range list;
    std::size_t numbers = 0;
    const auto finish = [&] {
        if (numbers >= kFewest) found.push_back(list);
        numbers = 0;
    };
    for (std::size_t at = 0; at < text.size();) {
        if (!is_figure(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = figures_behind(text, at);
        while (end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && is_figure(text[end + 1]))
            end = figures_behind(text, end + 1);
        std::size_t before = at;
        const bool alone = ends_at(text, end) && !is_letter(previous_character(text, before));
        if (numbers > 0 && !is_between(text.substr(list.end, at - list.end))) finish();
        if (!alone) finish();
        else {
            if (numbers++ == 0) list.begin = at;
            list.end = end;
        }
        at = end;
    }
    finish();
    return found;
}

std::vector<Range> raised_words(std::string_view text) {
    std::vector<Range> found;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++next;
            continue;
        }
        if (!is_raised(next_character(text, next))) continue;
        std::size_t begin = at, peek = at;
        while (peek > 0 && is_letter(previous_character(text, peek))) begin = peek;
        if (begin == at) continue;
        std::size_t end = next;
        for (std::size_t behind = next; behind < text.size(); end = behind) {
            const int32_t c = next_character(text, behind);
            if (!is_raised(c) && !is_letter(c)) break;
        }
        found.push_back({begin, end});
        next = end;
    }
    return found;
}

std::string with_usual_figures(std::string_view word) {
    std::string usual;
    for (std::size_t at = 0, next = 0; at < word.size(); at = next) {
        const int32_t c = next_character(word, next);
        const double value = is_raised(c) ? u_getNumericValue(c) : -1.0;
        if (value >= 0.0 && value <= 9.0) usual += char('0' + int(value));
        else usual += part(word, {at, next});
    }
    return usual;
}

bool follows_word_of_days(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 18> kWords{"am",  "vom",  "bis",    "zum",    "ab",    "seit",
                                                             "den", "dem",  "der",    "des",    "und",   "oder",
                                                             "vor", "nach", "dieser", "diesem", "jedem", "beim"};
    if (at == 0 || text[at - 1] != ' ') return false;
    std::size_t begin = at - 1;
    while (begin > 0 && text[begin - 1] != ' ') --begin;
    std::string word(text.substr(begin, at - 1 - begin));
    if (!word.empty() && is_capital(word.front())) word.front() = char(word.front() | 0x20);
    return word.ends_with(',') || word.ends_with("tag") || std::ranges::find(kWords, word) != kWords.end();
}

std::size_t price_dash_end(std::string_view text, std::size_t at) {
    if (at == 0 || at >= text.size() || !is_figure(text[at - 1]) || (text[at] != ',' && text[at] != '.')) return at;
    constexpr std::size_t kMostDashes = 3;
    std::size_t end = at + 1, dashes = 0;
    bool wide = false;
    for (std::size_t next = end; next < text.size() && dashes < kMostDashes; end = next, ++dashes) {
        const int32_t c = next_character(text, next);
        if (!is_dash(c) && c != 0x2212) break;
        wide |= c == 0x2014;
    }
    std::size_t behind = end;
    const int32_t c = next_character(text, behind);
    if (dashes == 0 || is_letter(c) || is_digit(c) || is_dash(c)) return at;
    const bool sure = text[at] == ',' && !wide;  // a sentence may end, or go on, with the others
    return sure || has_currency_beside(text, at, end) ? end : at;
}

std::vector<Range> price_dashes(std::string_view text) {
    std::vector<Range> found;
    for (std::size_t at = 1; at < text.size(); ++at)
        if (const std::size_t end = price_dash_end(text, at); end > at) found.push_back({at, end});
    return found;
}

Range signed_price(std::string_view text, Range dash) {
    std::size_t at = figures_begin(text, dash.begin);
    int32_t c = previous_character(text, at);
    if (is_space(c)) c = previous_character(text, at);
    return is_currency_sign(c) ? Range{at, dash.end} : Range();
}

bool is_day_and_month(std::string_view text) { return !text.empty() && day_and_month_end(text, 0) == text.size(); }

bool is_only_numbers(std::string_view text) {
    bool figures = false;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        figures |= is_digit(c);
        if (!is_letter(c)) continue;
        while (next < text.size() && is_alnum(text[next])) ++next;
        if (!is_currency_code(part(text, {at, next}))) return false;
    }
    return figures;
}

}  // namespace dragoman::text
