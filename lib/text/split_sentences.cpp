// SPDX-License-Identifier: Apache-2.0
// Unicode's sentence boundaries (UAX #29: its classes of full stops and what may stand between them and the next
// sentence) with a language's knowledge of what a full stop means.
#include "text/split_sentences.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <string>

#include "text/digit_groups.h"
#include "text/paragraphs.h"

namespace dragoman::text {
namespace {

constexpr int32_t kEllipsis = 0x2026, kGreekQuestionMark = 0x37e;

int sentence_class(int32_t c) { return c < 0 ? U_SB_OTHER : u_getIntPropertyValue(c, UCHAR_SENTENCE_BREAK); }

bool is_full_stop(int32_t c) { return c == '.' || (c > 0x7f && sentence_class(c) == U_SB_ATERM); }

// The text behind a stop: the first letter or digit after quotation marks, brackets and dashes, or the first other
// character where there is none.
struct Next {
    int32_t first = -1;    // right after the white space
    int32_t initial = -1;  // first character of the first word
    std::string word;      // in lower case; an apostrophe ends it
    bool stopped = false;      // a full stop follows the word
    bool one_letter = false;
};

std::string lower(int32_t c) {
    if (c < 0) return {};
    char bytes[4];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, u_tolower(c));
    return {bytes, std::size_t(size)};
}

constexpr std::string_view kRoman = "IVXLCDM";
constexpr std::size_t kLongestWord = 48;  // bytes; the lists hold nothing longer

bool likely_start(const LanguageRules& rules, const Next& ahead) {
    return !(ahead.one_letter && ahead.stopped) && rules.starters.contains(ahead.word);  // not "A. Smith"
}

Next look_ahead(std::string_view text, std::size_t at) {
    Next next;
    std::size_t peek = at;
    next.first = next.initial = next_character(text, peek);
    for (int opened = 0; opened < 8 && (is_opening(next.initial) || is_dash(next.initial) || is_blank(next.initial));
         ++opened) {
        at = peek;
        next.initial = next_character(text, peek);
    }
    std::size_t letters = 0;
    int32_t c = next_character(text, at);
    for (; is_letter(c) && next.word.size() < kLongestWord; c = next_character(text, at), ++letters)
        next.word += lower(c);
    next.stopped = c == '.';
    next.one_letter = letters == 1;
    return next;
}

// The words before a full stop: "Dr" in "Dr.", "z.B" in "z. B.".
struct Previous {
    std::string word;       // in lower case, with the stops inside: "z.b"
    std::size_t begin = 0;  // of the last word
    std::size_t letters = 0, digits = 0;  // of the last word
    int32_t initial = -1;   // its first character
    bool dotted = false;    // letters with full stops between them
    bool roman = false;     // nothing but capital I, V, X, L, C, D, M
    bool after_number = false;  // the word before it is a number: "5 m."
    std::string chain;      // with the abbreviated words before it, "v.chr", if any
};

// Characters that a word with stops inside may hold.
bool in_word(int32_t c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '&' || c == 0x2019 || c == '\'' || c == 0xaa || c == 0xba ||
           c == 0xb0 || c == 0xa7 || (c >= 0 && (U_GET_GC_MASK(c) & U_GC_M_MASK));
}

std::size_t word_begin(std::string_view text, std::size_t limit, std::size_t end) {
    std::size_t begin = end;
    for (std::size_t at = end; at > limit && end - begin < kLongestWord;) {
        const int32_t c = previous_character(text, at);
        if (at < limit || !(in_word(c) || c == '.')) break;
        begin = at;
    }
    return begin;
}

Previous look_back(std::string_view text, std::size_t limit, std::size_t stop) {
    Previous previous;
    previous.begin = word_begin(text, limit, stop);
    previous.roman = true;
    std::size_t at = previous.begin;
    for (bool first = true; at < stop; first = false) {
        const int32_t c = next_character(text, at);
        if (first) previous.initial = c;
        previous.letters += is_letter(c);
        previous.digits += is_digit(c);
        previous.dotted = previous.dotted || c == '.';
        previous.roman = previous.roman && c > 0 && c < 0x80 && kRoman.find(char(c)) != std::string_view::npos;
        previous.word += lower(c);
    }
    // Includes up to three short words with stops in front of it.
    std::string chain = previous.word;
    std::size_t begin = previous.begin;
    for (int i = 0; i < 3; ++i) {
        std::size_t before = begin;
        while (before > limit) {
            std::size_t peek = before;
            if (!is_space(previous_character(text, peek)) || peek < limit) break;
            before = peek;
        }
        if (i == 0 && before > limit && before != begin) {
            std::size_t peek = before;
            previous.after_number = is_digit(previous_character(text, peek));
        }
        if (before == begin || before <= limit || text[before - 1] != '.') break;
        const std::size_t word = word_begin(text, limit, before - 1);
        if (word == before - 1 || before - 1 - word > 8) break;
        std::string front;
        for (std::size_t p = word; p < before - 1;) front += lower(next_character(text, p));
        chain = front + "." + chain;
        previous.chain = chain;
        begin = word;
    }
    return previous;
}

bool contains(const WordSet& words, const Previous& previous) {
    if (words.contains(previous.word)) return true;
    for (std::string_view chain = previous.chain; !chain.empty();) {
        if (words.contains(chain)) return true;
        const std::size_t dot = chain.find('.');
        if (dot == std::string_view::npos) break;
        chain.remove_prefix(dot + 1);
    }
    return false;
}

bool has_capitals(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (is_upper(next_character(text, at))) return true;
    return false;
}

// Whether a word with a capital stands before a number, as in "Version 2.5", that says no day.
bool follows_name(std::string_view text, std::size_t limit, std::size_t number) {
    if (number < limit + 2 || text[number - 1] != ' ' || follows_word_of_days(text, number)) return false;
    std::size_t at = word_begin(text, limit, number - 1);
    const bool short_day = number - 1 - at <= 2;  // "Mo"
    return is_upper(next_character(text, at)) && !short_day;
}

// Handles a French quotation's end: "Non. »"
std::size_t spaced_quote_end(std::string_view text, std::size_t at) {
    std::size_t peek = at;
    if (!is_space(next_character(text, peek))) return at;
    const int32_t quote = next_character(text, peek);
    if (quote != 0xbb && quote != 0x203a) return at;
    std::size_t after = peek;
    return peek == text.size() || is_space(next_character(text, after)) ? peek : at;
}

}  // namespace

SentenceSplitter::SentenceSplitter(std::string_view language, LineBreaks line_breaks)
    : rules_(language_rules(language)), greek_(primary_language(language) == "el"), line_breaks_(line_breaks) {}

std::vector<Range> SentenceSplitter::split(std::string_view text) const {
    std::vector<Range> sentences;
    for (const Range paragraph : paragraphs(text, line_breaks_)) split_paragraph(text, paragraph, sentences);
    return sentences;
}

void SentenceSplitter::split_paragraph(std::string_view text, Range paragraph, std::vector<Range>& sentences) const {
    const std::string_view within = text.substr(0, paragraph.end);
    const auto stops = [&](int32_t c) {
        if (c == '.' || c == '!' || c == '?' || c == kEllipsis) return true;
        if (c == ';' || c == kGreekQuestionMark) return greek_;
        if (c < 0x80) return false;
        const int kind = sentence_class(c);
        return kind == U_SB_STERM || kind == U_SB_ATERM;
    };
    const bool capitals = has_capitals(part(text, paragraph));
    std::size_t begin = paragraph.begin;
    for (std::size_t at = begin; at < paragraph.end;) {
        const std::size_t stop_begin = at;
        int32_t c = next_character(within, at);
        if (!stops(c)) continue;
        // Takes further stops, then closing marks, then the number of a footnote: "?!", ".“)", ".[2]".
        Range stop{stop_begin, at};
        for (std::size_t peek = at; peek < paragraph.end; at = peek) {
            c = next_character(within, peek);
            if (!stops(c) && !is_closing(c) && !is_invisible(c)) break;
            const bool quote = c > 0x7f && is_closing(c) && is_opening(c);
            std::size_t after = peek;
            if (quote && is_unspaced(next_character(within, after)) && c != 0x201d && c != 0x2019) break;  // “ opens
        }
        if (at < paragraph.end && within[at] == '[') {
            std::size_t peek = at + 1;
            while (peek < paragraph.end && within[peek] >= '0' && within[peek] <= '9') ++peek;
            if (peek > at + 1 && peek < paragraph.end && within[peek] == ']') at = peek + 1;
        }
        at = spaced_quote_end(within, at);
        stop.end = at;
        std::size_t next = at;
        for (std::size_t peek = at; peek < paragraph.end; next = peek)
            if (!is_blank(next_character(within, peek))) break;
        if (next >= paragraph.end) break;
        if (!ends_sentence(within, begin, stop, next, capitals)) continue;
        sentences.push_back(trim(within, {begin, stop.end}));
        begin = at = next;
    }
    sentences.push_back(trim(within, {begin, paragraph.end}));
}

// `stop` holds the stops and what closes after them, `next` is where the next sentence would begin; `capitals`: the
// paragraph has some.
bool SentenceSplitter::ends_sentence(std::string_view text, std::size_t sentence_begin, Range stop, std::size_t next,
                                     bool capitals) const {
    std::size_t at = stop.begin;
    const int32_t first = next_character(text, at);
    std::size_t dots = is_full_stop(first), others = !is_full_stop(first) && first != kEllipsis;
    int32_t last = first;
    for (std::size_t peek = at; peek < stop.end;) {
        const int32_t c = next_character(text, peek);
        if (is_full_stop(c)) ++dots;
        else if (sentence_class(c) == U_SB_STERM) ++others;
        else if (c != kEllipsis) break;
        last = c;
    }
    const Next ahead = look_ahead(text, next);
    if (next == stop.end) {  // no white space: enough only where a script needs none
        const bool wide = last > 0x7f && sentence_class(last) == U_SB_STERM;
        if (!wide && !(others > 0 && is_unspaced(ahead.first))) return false;
        std::size_t before = stop.end;
        const bool quoted = is_closing(previous_character(text, before));
        if (quoted && ahead.first >= 0x3040 && ahead.first < 0x30a0) return false;  // 「はい。」と言った
        if (is_dash(ahead.first)) return false;
    }
    const int kind = sentence_class(ahead.first);
    if (kind == U_SB_ATERM || kind == U_SB_STERM) return false;
    if (kind == U_SB_SCONTINUE && !is_dash(ahead.first)) return false;  // .”, said
    if (is_lower(ahead.initial)) {  // begins a sentence only where nobody writes capitals
        std::size_t before = stop.end;
        if (capitals || is_closing(previous_character(text, before))) return false;
    }
    if (others > 0) return true;
    if (dots != 1 || first == kEllipsis) {  // an ellipsis
        if (is_digit(ahead.initial) || ahead.one_letter) return false;  // "... I", "... A"
        return !rules_.capital_nouns || likely_start(rules_, ahead);
    }
    return ends_with_full_stop(text, sentence_begin, stop.begin, next);
}

bool SentenceSplitter::ends_with_full_stop(std::string_view text, std::size_t sentence_begin, std::size_t stop,
                                           std::size_t next) const {
    const Previous previous = look_back(text, sentence_begin, stop);
    const Next ahead = look_ahead(text, next);
    const bool number_ahead = is_digit(ahead.initial);
    const bool likely = likely_start(rules_, ahead);
    if (previous.word.empty()) {
        const std::size_t end = trim(text, {sentence_begin, stop}).end;
        return end > sentence_begin && text[end - 1] != '.';  // ". . ."
    }

    const bool only_digits = previous.digits > 0 && previous.letters == 0 && !previous.dotted;
    if (only_digits) {
        if (previous.begin == sentence_begin) return false;  // "1. The first item"
        const bool small = previous.digits <= (rules_.capital_nouns ? 3 : 2);
        if (number_ahead) return !small;  // "am 3. 10. 1990"
        if (rules_.ordinals && rules_.capital_nouns && small) return likely;
        return true;
    }
    if (rules_.capital_nouns && is_day_and_month(previous.word) && !follows_name(text, sentence_begin, previous.begin))
        return previous.begin != sentence_begin && !number_ahead && likely;  // "vom 1.8. bis 15.8. Urlaub"
    const bool unit = previous.after_number && previous.letters == 1;  // "5 m."
    if (contains(rules_.always, previous) && !unit) return false;
    if (ahead.stopped) {  // "EE. UU.", the first half
        const std::string both = previous.word + "." + ahead.word;
        if (rules_.always.contains(both) || rules_.often.contains(both)) return false;
    }
    if (number_ahead && (previous.word.ends_with("str") || previous.word.ends_with("nr")))
        return false;  // "Goethestr. 7", "Kundennr. 7"
    if ((number_ahead || is_code_of_figures(text, next)) && contains(rules_.before_number, previous)) return false;
    if (contains(rules_.often, previous)) return rules_.starters.empty() ? !number_ahead : likely;
    if (previous.letters == 1 && !unit && previous.digits == 0) {
        if (previous.begin == sentence_begin && !is_upper(previous.initial)) return false;  // "a. The first item"
        return likely;  // "J. R. R. Tolkien"
    }
    if (is_lower(ahead.initial) && previous.letters < 3) return false;
    if (previous.dotted && previous.letters <= 5 && previous.digits == 0) return likely;  // "U.N.O."
    if (previous.roman && rules_.ordinals) return likely;  // "Ludwig XIV."
    if (number_ahead && previous.letters <= 3 && previous.digits == 0) return false;  // "Abk. 5", an unknown one
    return true;
}

}  // namespace dragoman::text
