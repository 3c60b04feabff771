// SPDX-License-Identifier: Apache-2.0
#include "text/rows.h"

#include <algorithm>
#include <array>

#include "text/brackets.h"
#include "text/capitals.h"
#include "text/escapes.h"
#include "text/kept.h"
#include "text/lists.h"
#include "text/roman_numerals.h"
#include "text/signs.h"
#include "text/words.h"

namespace dragoman::text {
namespace {

constexpr auto kPathSigns =
    std::to_array<std::string_view>({">", "->", "=>", "&gt;", "&raquo;", "\xc2\xbb", "\xe2\x80\xba", "\xe2\x86\x92",
                                     "\xe2\x87\x92", "\xe2\x9e\x94", "\xe2\x9e\x9c", "\xe2\x96\xb8"});
constexpr auto kBullets = std::to_array<std::string_view>({"\xe2\x80\xa2", "\xc2\xb7", "\xe2\x80\xa3", "\xe2\x96\xaa",
                                                           "\xe2\x97\x8f", "\xe2\x97\xa6", "\xe2\x88\x99"});

std::size_t letters_in(std::string_view text) {
    std::size_t letters = 0;
    for (std::size_t at = 0; at < text.size();) letters += is_letter(next_character(text, at));
    return letters;
}

std::size_t spoken_words_in(std::string_view text) {
    const std::vector<Range> all = words(text);
    return std::size_t(std::ranges::count_if(all, [&](Range word) { return is_spoken(part(text, word)); }));
}

bool begins_with_capital(std::string_view text) {
    std::size_t at = 0;
    int32_t c = next_character(text, at);
    if (is_opening(c)) c = next_character(text, at);
    return is_upper(c);
}

// Parts of a row around a sign with blanks on both sides, or at the row's beginning with one behind it.
std::vector<Range> parts_around(std::string_view row, std::string_view sign, std::size_t begin, bool leads) {
    std::vector<Range> parts;
    std::size_t from = begin;
    if (leads && row.substr(begin).starts_with(sign) && row.substr(begin + sign.size()).starts_with(' ')) {
        parts.push_back({begin, begin});
        from += sign.size();
    }
    for (std::size_t at = row.find(sign, from); at != std::string_view::npos; at = row.find(sign, at + sign.size())) {
        const std::size_t end = at + sign.size();
        if (at == from || row[at - 1] != ' ' || !row.substr(end).starts_with(' ')) continue;
        parts.push_back(trim(row, {from, at}));
        from = end;
    }
    parts.push_back(trim(row, {from, row.size()}));
    return parts;
}

std::vector<Range> worded(std::string_view row, std::vector<Range> parts) {
    std::erase_if(parts, [&](Range range) { return letters_in(part(row, range)) < 2; });
    return parts;
}

// A path's steps are names of a few words: what is longer is a sentence with a path in it.
bool is_path_of_steps(std::string_view row, const std::vector<Range>& parts) {
    constexpr std::size_t kMostWords = 3, kMostSmallWords = 2;
    const bool named = std::all_of(parts.begin() + 1, parts.end(),
                                   [&](Range range) { return begins_with_capital(part(row, range)); });
    const bool ends = !row.empty() && std::string_view(".!?").find(row.back()) != std::string_view::npos;
    if (!named && ends) return false;
    return std::ranges::all_of(parts, [&](Range range) {
        const std::size_t count = spoken_words_in(part(row, range));
        return letters_in(part(row, range)) > 1 && count > 0 && count <= (named ? kMostWords : kMostSmallWords);
    });
}

std::vector<Range> steps(std::string_view row, std::size_t begin) {
    constexpr std::size_t kFewest = 3;
    for (const std::string_view sign : kPathSigns) {
        std::vector<Range> parts = parts_around(row, sign, begin, false);
        if (parts.size() >= kFewest && is_path_of_steps(row, parts)) return parts;
    }
    for (const std::string_view sign : kBullets) {
        std::vector<Range> parts = parts_around(row, sign, begin, true);
        if (parts.size() < kFewest) continue;
        parts = worded(row, std::move(parts));
        if (parts.size() > 1) return parts;
    }
    return {};
}

// Texts behind emoji, of which the first begins the row and two begin texts with a capital.
std::vector<Range> behind_emoji(std::string_view row, std::size_t begin) {
    if (begin >= row.size() || pictogram_end(row, begin) == begin) return {};
    std::vector<Range> parts;
    std::size_t from = begin;
    for (std::size_t at = begin, next = begin; at < row.size(); at = next) {
        const std::size_t end = pictogram_end(row, at);
        if (end == at) {
            next_character(row, next);
            continue;
        }
        next = end;
        if (!row.substr(end).starts_with(' ') || !begins_with_capital(row.substr(end + 1))) continue;
        if (at > begin && row[at - 1] != ' ') continue;
        if (at > begin) parts.push_back(trim(row, {from, at}));
        from = end;
    }
    if (from > begin) parts.push_back(trim(row, {from, row.size()}));
    return parts.size() > 1 ? worded(row, std::move(parts)) : std::vector<Range>();
}

std::vector<Range> between_bars(std::string_view row, std::size_t begin) {
    std::vector<Range> found;
    std::size_t bars = 0;
    for (std::size_t at = begin; at <= row.size();) {
        const std::size_t bar = std::min(row.find('|', at), row.size());
        const Range cell = trim(row, {at, bar});
        if (letters_in(part(row, cell)) > 0) found.push_back(cell);
        bars += bar < row.size();
        at = bar + 1;
    }
    const bool glued = std::ranges::all_of(found, [&](Range cell) { return letters_in(part(row, cell)) > 2; });
    const bool plain = row.find_first_of("=<>[]{}()\\/^$*`\t", begin) == row.npos && found.size() > bars;
    const bool apart = row[begin] == '|' || row.find(" | ", begin) != row.npos;
    const bool is_row = bars >= 2 && (apart || (glued && plain));
    return is_row ? found : std::vector<Range>();
}

bool is_page_figure(char c) { return c >= '0' && c <= '9'; }

// Whether a run of signs between texts stands for the distance between them, or for something to fill in. In a sentence,
// what is to fill in is a word.
bool divides(std::string_view line, Range run, Range before) {
    constexpr std::size_t kFewestDots = 5;
    const std::string_view label = part(line, trim(line, before));
    const std::string_view rest = line.substr(run.end);
    const bool last = trim(rest, {0, rest.size()}).size() == 0;
    if (line[run.begin] == '_') return !label.empty() && (label.back() == ':' || last);
    if (line[run.begin] != '.' && !line.substr(run.begin).starts_with("\xe2\x80\xa6")) return false;
    const std::string_view page = part(rest, trim(rest, {0, rest.size()}));
    const bool numbered = !page.empty() && std::ranges::all_of(page, is_page_figure);
    const bool apart = run.size() >= kFewestDots && run.begin > before.begin && line[run.begin - 1] == ' ';
    return numbered || apart;
}

// What begins a sentence that is no part of it.
std::size_t lead_of(std::string_view text, Range sentence, std::string_view sign) {
    return part(text, sentence).starts_with(sign) ? sign.size() : 0;
}

// The end of an item's sign and its box, "- [x] ", or of its number in a bracket, "2) ", if it says something.
std::size_t box_end(std::string_view text) {
    constexpr std::size_t kMostFigures = 2;
    std::size_t at = 0;
    for (const std::string_view bullet : {"- ", "* ", "+ "})
        if (text.starts_with(bullet)) at = bullet.size();
    for (const std::string_view box : {"[ ] ", "[x] ", "[X] "})
        if (text.substr(at).starts_with(box)) return letters_in(text.substr(at)) > 2 ? at + box.size() : 0;
    const std::size_t figures = std::min(text.find_first_not_of("0123456789"), text.size());
    if (figures == 0 || figures > kMostFigures || !text.substr(figures).starts_with(") ")) return 0;
    const std::string_view rest = text.substr(figures + 2);
    return letters_in(rest) > 1 && (begins_with_capital(rest) || (!rest.empty() && is_digit(rest.front())))
               ? figures + 2
               : 0;
}

// Whether a sentence or a quotation ends in front of a place.
bool speaks_before(std::string_view text, std::size_t at) {
    for (std::size_t before = at; at > 0; at = before)
        if (!is_blank(previous_character(text, before))) break;
    return at > 0 && std::string_view(".!?\"'").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

// Three blanks and more, between a label or a switch and what it says, or before a capital or a number: columns.
bool is_column_gap(std::string_view line, std::size_t from, std::size_t at) {
    constexpr std::string_view kGap = "   ";
    if (!line.substr(at).starts_with(kGap)) return false;
    // The first blank of a run has decided, for all of them: a run is looked at once.
    if (std::size_t before = at; at <= from || is_space(previous_character(line, before))) return false;
    const std::string_view left = part(line, trim(line, {from, at}));
    const Range rest = trim(line, {at, line.size()});
    if (left.empty() || rest.size() == 0) return false;
    std::size_t behind = rest.begin;
    const int32_t next = next_character(line, behind);
    return left.back() == ':' || left.front() == '-' || is_upper(next) || is_digit(next);
}

std::size_t sentence_lead(std::string_view text, Range sentence) {
    if (const std::size_t size = box_end(part(text, sentence)); size > 0) return size;
    for (const std::string_view dash : {"- ", "\xe2\x80\x93 ", "\xe2\x80\x94 "}) {
        const std::size_t size = lead_of(text, sentence, dash);
        if (size > 0 && speaks_before(text, sentence.begin) && begins_with_capital(part(text, sentence).substr(size)))
            return size;
    }
    for (const std::string_view dots : {"...", "\xe2\x80\xa6"}) {
        const std::size_t size = lead_of(text, sentence, dots);
        if (size > 0 && is_letter(character_after(text, sentence.begin + size))) return size;
    }
    return 0;
}

std::vector<Range> cells(std::string_view text, Range sentence) {
    const std::string_view row = text.substr(0, sentence.end);
    for (const auto& cells_of : {between_bars, steps, behind_emoji})
        if (std::vector<Range> found = cells_of(row, sentence.begin); !found.empty()) return found;
    return alternatives(text, sentence);
}

std::vector<Range> fields(std::string_view text, Range sentence, bool tabs) {
    std::vector<Range> found;
    const std::string_view line = text.substr(0, sentence.end);  // the rest of the text is not searched
    std::size_t from = sentence.begin;
    const auto end_field = [&](std::size_t end, std::size_t next) {
        if (const Range field = trim(text, {from, end}); field.size() > 0) found.push_back(field);
        from = next;
    };
    for (std::size_t at = sentence.begin, next = at; at < line.size(); at = next) {
        const std::size_t run = sign_run_end(line, at);
        next = std::max(run, at + 1);
        if (tabs && line[at] == '\t') end_field(at, next);
        else if (tabs && line[at] == ' ' && is_column_gap(line, from, at)) end_field(at, at + 1);
        else if (run > at && divides(line, {at, run}, {from, at})) end_field(at, run);
        else if (const std::size_t escapes = line_escapes_end(line, at); escapes > at) end_field(at, next = escapes);
    }
    end_field(sentence.end, sentence.end);
    return found;
}

std::vector<Range> path_signs(std::string_view text) {
    std::vector<Range> found;
    const bool quotes = text.find("\xc2\xab") != text.npos || text.find("\xe2\x80\xb9") != text.npos;
    for (std::size_t at = text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
        for (const std::string_view sign : kPathSigns) {
            const std::size_t end = at + 1 + sign.size();
            if (quotes && (sign == "\xc2\xbb" || sign == "\xe2\x80\xba")) continue;
            if (at == 0 || text.substr(at + 1, sign.size()) != sign || !text.substr(end).starts_with(' ')) continue;
            std::size_t before = at, second = end + 1;
            const int32_t left = previous_character(text, before);
            if (!begins_with_capital(text.substr(end + 1))) continue;
            if (is_opening(next_character(text, second))) next_character(text, second);
            const bool word = is_letter(next_character(text, second));
            const bool behind_word = is_letter(left) ? is_letter(previous_character(text, before)) : is_closing(left);
            if (word && behind_word) found.push_back({at, end + 1});
        }
    }
    return found;
}

Range enclosed(std::string_view text, Range sentence) {
    std::string_view own = part(text, sentence);
    if (own.size() < 3) return sentence;
    const char first = own.front();
    if (first == '*' || first == '_') {
        const std::size_t marks = own.find_first_not_of(first);
        if (marks > 3 || own.size() <= 2 * marks) return sentence;
        const std::string_view inside = own.substr(marks, own.size() - 2 * marks);
        const bool pair = own.substr(own.size() - marks).find_first_not_of(first) == own.npos &&
                          inside.find(first) == inside.npos && inside.front() != ' ' && inside.back() != ' ';
        return pair && inside.find(' ') != inside.npos && letters_in(inside) > 1
                   ? Range{sentence.begin + marks, sentence.end - marks}
                   : sentence;
    }
    const auto count = [&](char c) { return std::ranges::count(own, c); };
    const bool opens = first == '[' && count('[') == 1, closes = own.back() == ']' && count(']') == 1;
    const std::string_view inside = own.substr(opens ? 1 : 0, own.size() - (opens ? 1u : 0u) - (closes ? 1u : 0u));
    // A single word in small letters is a name that a program replaces.
    const bool says = letters_in(inside) > 1 && (inside.find(' ') != inside.npos || begins_with_capital(inside));
    const bool whole = opens && closes, half = opens ? count(']') == 0 : closes && count('[') == 0;
    if (!says || (!whole && !half)) return sentence;
    return trim(text, {sentence.begin + (opens ? 1u : 0u), sentence.end - (closes ? 1u : 0u)});
}

std::size_t label_end(std::string_view text) {
    constexpr std::size_t kMostFigures = 3;
    std::size_t stop = std::min(text.find_first_not_of("0123456789"), text.size());
    if (stop == 0) {
        stop = std::min(text.find_first_not_of("IVXivx"), text.size());
        if (stop < 2 || roman_value(text.substr(0, stop)) == 0) return 0;  // "V. Miller" is no fifth one
    } else if (stop > kMostFigures) {
        return 0;
    }
    if (!text.substr(stop).starts_with(". ")) return 0;
    return begins_with_capital(text.substr(stop + 2)) ? stop + 2 : 0;
}

bool is_roman_label(std::string_view text) {
    if (!text.ends_with('.')) return false;
    text.remove_suffix(1);
    return (text.size() > 1 || text == "i" || text == "v" || text == "x") && roman_value(text) > 0;
}

bool is_counted_noun(std::string_view noun) {
    static constexpr auto kEnds =
        std::to_array<std::string_view>({"tag",         "tags",         "tage",        "jahr",     "jahres",
                                         "jahrhundert", "jahrhunderts", "jahrtausend", "krieg",    "kriegs",
                                         "krieges",     "liga",         "woche",       "monat",    "monats",
                                         "runde",       "halbzeit",     "auflage",     "quartal",  "quartals",
                                         "semester",    "mannschaft",   "stockwerk",   "geschoss", "geschoß"});
    static constexpr auto kWhole = std::to_array<std::string_view>({"januar",
                                                                    "februar",
                                                                    "m\xc3\xa4rz",
                                                                    "april",
                                                                    "mai",
                                                                    "juni",
                                                                    "juli",
                                                                    "august",
                                                                    "september",
                                                                    "oktober",
                                                                    "november",
                                                                    "dezember",
                                                                    "mittwoch",
                                                                    "advent",
                                                                    "platz",
                                                                    "platzes",
                                                                    "rang",
                                                                    "preis",
                                                                    "stock",
                                                                    "etage",
                                                                    "klasse",
                                                                    "grades",
                                                                    "mal",
                                                                    "person",
                                                                    "wahl",
                                                                    "satz",
                                                                    "strophe",
                                                                    "akt",
                                                                    "gang",
                                                                    "generation",
                                                                    "stufe",
                                                                    "stunde",
                                                                    "minute",
                                                                    "sekunde",
                                                                    "staffel",
                                                                    "etappe",
                                                                    "bezirk",
                                                                    "instanz",
                                                                    "vorsitzende",
                                                                    "vorsitzender",
                                                                    "b\xc3\xbcrgermeister",
                                                                    "mose",
                                                                    "bundesliga"});
    const std::string small = small_letters(noun, "de");
    return std::ranges::find(kWhole, small) != kWhole.end() ||
           std::ranges::any_of(kEnds, [&](std::string_view end) { return small.ends_with(end); });
}

bool begins_with_ordinal(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0) return false;
    return std::ranges::any_of(std::to_array<std::string_view>({"st ", "nd ", "rd ", "th "}),
                               [&](std::string_view ending) { return text.substr(end).starts_with(ending); });
}

bool loses_stop_of_label(std::string_view source, std::string_view translation) {
    const std::size_t label = label_end(source), figures = source.find('.');
    return label > 0 && is_digit(source.front()) && translation.starts_with(source.substr(0, figures)) &&
           translation.substr(figures).starts_with(' ');
}

Range bracketed_label(std::string_view text, Range sentence) {
    std::size_t begin = sentence.begin;
    const int32_t closing = begin < sentence.end ? foreign_closing(next_character(text, begin)) : -1;
    if (closing < 0) return {};
    for (std::size_t at = begin, next = begin; at < sentence.end; at = next) {
        const int32_t c = next_character(text, next);
        if (is_letter(c) && is_unspaced(c)) return {};
        if (c != closing) continue;
        std::size_t behind = next;
        const int32_t after = behind < sentence.end ? next_character(text, behind) : -1;
        const Range label = trim(text, {begin, at});
        const bool spoken = is_letter(after) ? !is_unspaced(after) : is_digit(after);
        return label.size() > 0 && spoken ? label : Range();
    }
    return {};
}

std::size_t bracketed_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(next_character(text, at))) {}
    return at;
}

}  // namespace dragoman::text
