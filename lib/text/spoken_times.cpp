// SPDX-License-Identifier: Apache-2.0
#include "text/spoken_times.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "text/capitals.h"
#include "text/language_rules.h"

namespace dragoman::text {
namespace {

using Strings = std::span<const std::string_view>;

struct Word {
    Range range{};
    std::string small{};
};

constexpr std::array<std::string_view, 13> kEnglishNumbers{"",      "one",   "two",  "three", "four",   "five",  "six",
                                                           "seven", "eight", "nine", "ten",   "eleven", "twelve"};
constexpr std::array<std::string_view, 13> kGermanNumbers{
    "",       "eins", "zwei", "drei", "vier", "f\xc3\xbcnf", "sechs",
    "sieben", "acht", "neun", "zehn", "elf",  "zw\xc3\xb6lf"};

// Words of letters or figures, and what else stands alone.
std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> found;
    bool open = false;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        const bool inner = is_letter(c) || is_digit(c) || c == '\'' || c == 0x2019 || c == '-';
        if (is_space(c)) open = false;
        else if (open && inner) found.back().range.end = next;
        else {
            found.push_back({{at, next}});
            open = inner;
        }
    }
    for (Word& word : found) word.small = small_letters(part(text, word.range), {});
    return found;
}

class Reader {
public:
    Reader(std::string_view text, bool german) : text_(text), words_(words_of(text)), german_(german) {}

    std::vector<SpokenTime> read() {
        std::vector<SpokenTime> found;
        for (std::size_t i = 0; i < words_.size();) {
            const Found time = german_ ? german_at(i) : english_at(i);
            if (time.words == 0) {
                ++i;
                continue;
            }
            std::size_t last = i + time.words - 1;
            if (is(last + 1, german_ ? "uhr" : "o'clock") || is(last + 1,
                                                                "o\xe2\x80\x99"
                                                                "clock"))
                ++last;
            found.push_back({{words_[i].range.begin, words_[last].range.end}, time.minutes});
            i = last + 1;
        }
        return found;
    }

private:
    struct Found {
        std::size_t words = 0;
        int minutes = 0;
    };

    bool is(std::size_t i, std::string_view word) const { return i < words_.size() && words_[i].small == word; }

    bool is_any(std::size_t i, Strings words) const {
        return i < words_.size() && std::ranges::find(words, words_[i].small) != words.end();
    }

    // 1 to 12, or 0.
    int hour_at(std::size_t i) const {
        if (i >= words_.size()) return 0;
        const std::string& word = words_[i].small;
        const auto& names = german_ ? kGermanNumbers : kEnglishNumbers;
        for (int hour = 1; hour <= 12; ++hour)
            if (word == names[std::size_t(hour)] || word == std::to_string(hour)) return hour;
        return german_ && word == "ein" && is(i + 1, "uhr") ? 1 : 0;
    }

    static int minutes(int hour, int minute) {
        const int all = hour * 60 + minute;
        return all < 60 ? all + 720 : all;
    }

    // 5, 10, 20 and 25 minutes, and how many words say so.
    Found count_at(std::size_t i) const {
        Found found;
        if (german_) {
            static constexpr std::array<std::pair<std::string_view, int>, 3> kCounts{
                {{"f\xc3\xbcnf", 5}, {"zehn", 10}, {"zwanzig", 20}}};
            for (const auto& [word, count] : kCounts)
                if (is(i, word)) found = {1, count};
            if (found.words > 0 && is(i + 1, "minuten")) ++found.words;
            return found;
        }
        static constexpr std::array<std::pair<std::string_view, int>, 4> kCounts{
            {{"five", 5}, {"ten", 10}, {"twenty", 20}, {"twenty-five", 25}}};
        for (const auto& [word, count] : kCounts)
            if (is(i, word)) found = {1, count};
        if (found.words > 0 && is(i + 1, "minutes")) ++found.words;
        return found;
    }

    Found german_at(std::size_t i) const {
        static constexpr std::array<std::string_view, 5> kScales{"millionen", "milliarden", "tausend", "prozent",
                                                                 "mio"};
        if (is(i, "halb") && !is_any(i + 2, kScales))
            if (const int hour = hour_at(i + 1)) return {2, minutes(hour, -30)};
        if (is(i, "dreiviertel"))
            if (const int hour = hour_at(i + 1)) return {2, minutes(hour, -15)};
        const bool quarter = is(i, "viertel");
        const Found count = quarter ? Found{1, 15} : follows_time_word(i) ? count_at(i) : Found{};
        if (count.words == 0) return {};
        const std::size_t to = i + count.words;
        const bool past = is(to, "nach"), before = is(to, "vor");
        if (!past && !before) return {};
        const bool half = is(to + 1, "halb");
        const int hour = hour_at(to + (half ? 2 : 1));
        const std::size_t end = to + (half ? 3 : 2);
        if (hour == 0 || (!quarter && !ends_phrase(end))) return {};
        return {end - i, minutes(hour, (half ? -30 : 0) + (past ? count.minutes : -count.minutes))};
    }

    Found english_at(std::size_t i) const {
        if (is(i, "half") && is(i + 1, "past"))
            if (const int hour = hour_at(i + 2)) return {3, minutes(hour, 30)};
        const std::size_t article = is(i, "a") ? 1 : 0;
        const bool quarter = is(i + article, "quarter");
        if (article > 0 && !quarter) return {};
        const Found count = quarter ? Found{1 + article, 15} : count_at(i);
        if (count.words == 0) return {};
        const std::size_t to = i + count.words;
        const bool past = is(to, "past") || (quarter && is(to, "after"));
        const bool before = is(to, "to") && (follows_time_word(i) || quarter);
        const int hour = past || before ? hour_at(to + 1) : 0;
        static constexpr std::array<std::string_view, 4> kParts{"quarters", "third", "thirds", "percent"};
        if (hour == 0 || (before && (quarter ? is_any(to + 2, kParts) : !ends_phrase(to + 2)))) return {};
        return {to + 2 - i, minutes(hour, past ? count.minutes : -count.minutes)};
    }

    // "It is ten to ten", "um zehn nach neun"; not "from ten to ten".
    bool follows_time_word(std::size_t i) const {
        static constexpr std::array<std::string_view, 10> kEnglishWords{"is",    "it's",           "was",   "at",
                                                                        "until", "before",         "since", "around",
                                                                        "by",    "it\xe2\x80\x99s"};
        static constexpr std::array<std::string_view, 10> kGermanWords{"ist",  "war", "um", "kurz", "gegen",
                                                                       "seit", "bis", "ab", "von",  "erst"};
        return i > 0 && (german_ ? is_any(i - 1, kGermanWords) : is_any(i - 1, kEnglishWords));
    }

    // Whether nothing that may be counted follows.
    bool ends_phrase(std::size_t i) const {
        if (i >= words_.size()) return true;
        static constexpr std::array<std::string_view, 9> kEnglishWords{"o'clock", "in", "on",  "when", "and",
                                                                       "at",      "so", "but", "or"};
        const int32_t first = first_of(i);
        if (!is_letter(first) && !is_digit(first)) return true;
        if (!german_) return is_any(i, kEnglishWords);
        return is(i, "uhr") || is_lower(first);
    }

    int32_t first_of(std::size_t i) const {
        std::size_t at = words_[i].range.begin;
        return next_character(text_, at);
    }

    const std::string_view text_;
    const std::vector<Word> words_;
    const bool german_;
};

}  // namespace

bool knows_spoken_times(std::string_view language) {
    const std::string primary = primary_language(language);
    return primary == "en" || primary == "de";
}

std::vector<SpokenTime> spoken_times(std::string_view text, std::string_view language) {
    if (!knows_spoken_times(language)) return {};
    const bool german = primary_language(language) == "de";
    const std::string small = small_letters(text, {});
    const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
    const bool some = german ? has("halb ") || has("viertel ") || has(" nach ") || has(" vor ")
                             : has(" past ") || has("quarter ") || has(" to ");
    return some ? Reader(text, german).read() : std::vector<SpokenTime>();
}

}  // namespace dragoman::text
