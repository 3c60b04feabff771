// SPDX-License-Identifier: Apache-2.0
#include "text/kept.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/chess_moves.h"
#include "text/code_spans.h"
#include "text/code_words.h"
#include "text/digit_groups.h"
#include "text/formulas.h"
#include "text/patterns.h"
#include "text/signs.h"

namespace dragoman::text {
namespace {

constexpr std::size_t kLongest = 64;  // characters of a word; longer ones are data, rules or noise
constexpr std::size_t kLongestPlaceholder = 64, kLongestMessage = 2048;  // bytes

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '_'; }
bool is_rare(char c) { return std::string_view("{}<>|\\~^`").find(c) != std::string_view::npos; }

bool all(std::string_view text, const auto& is) { return std::ranges::all_of(text, is); }

// A domain has two labels or more, the last one of letters.
bool is_domain(std::string_view text) {
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || text.size() - dot < 3) return false;
    return all(text.substr(dot + 1), is_ascii_letter) &&
           all(text.substr(0, dot), [](char c) { return is_name(c) || c == '.' || c == '-'; }) &&
           text.find("..") == std::string_view::npos;
}

// DOIs ("10.1000/xyz123") and what else is named behind its system's name ("doi:10.1000/xyz123", "arXiv:2301.12345").
bool is_catalogued(std::string_view text) {
    static constexpr std::array<std::string_view, 8> kSystems{"doi:",  "arxiv:", "urn:",  "hdl:",
                                                              "pmid:", "isbn:",  "issn:", "pmc:"};
    for (const std::string_view system : kSystems) {
        std::string begin(text.substr(0, system.size()));
        for (char& c : begin) c = char(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        if (begin == system) return text.size() > system.size();
    }
    if (!text.starts_with("10.")) return false;
    const std::size_t slash = text.find('/');
    return slash != std::string_view::npos && slash >= 7 && slash <= 12 && slash + 1 < text.size() &&
           all(text.substr(3, slash - 3), is_ascii_digit);
}

bool is_address(std::string_view text) {
    if (is_catalogued(text)) return true;
    const std::size_t scheme = text.find("://");
    if (scheme != std::string_view::npos && scheme > 0 && scheme + 3 < text.size())
        return all(text.substr(0, scheme), [](char c) { return is_name(c) || c == '+' || c == '-'; });
    if (text.starts_with("mailto:") && text.size() > 7) return true;
    const std::string_view host = text.substr(0, text.find('/'));
    if (host.starts_with("www.")) return is_domain(host);
    static constexpr std::array<std::string_view, 24> kEnds{".com", ".org",  ".net", ".edu", ".gov", ".int",
                                                            ".io",  ".eu",   ".de",  ".at",  ".ch",  ".uk",
                                                            ".fr",  ".es",   ".it",  ".nl",  ".pl",  ".ru",
                                                            ".jp",  ".info", ".dev", ".app", ".biz", ".us"};
    return is_domain(host) && std::ranges::any_of(kEnds, [&](std::string_view end) { return host.ends_with(end); });
}

bool is_mail(std::string_view text) {
    const std::size_t at = text.find('@');
    return at != std::string_view::npos && at > 0 && text.rfind('@') == at && is_domain(text.substr(at + 1));
}

// Phrases of Latin that stand in sentences of every language, and after whose stop models begin another one.
std::size_t phrase_end(std::string_view text, std::size_t at) {
    for (const std::string_view phrase : {"et al.", "Et al.", "et. al."})
        if (text.substr(at).starts_with(phrase)) return at + phrase.size();
    return at;
}

bool is_handle(std::string_view text) {
    if (text.size() < 2) return false;
    if (text[0] == '@')
        return all(text.substr(1), is_name) && !is_ascii_digit(text[1]) &&
               std::ranges::any_of(text.substr(1), is_ascii_letter);
    return text[0] == '#' && !all(text.substr(1), is_ascii_digit);
}

bool is_path(std::string_view text) {
    if (text.size() > 3 && is_ascii_letter(text[0]) && text[1] == ':' && text[2] == '\\') return true;
    if (text.starts_with("\\\\") && text.size() > 3) return true;
    for (const std::string_view begin : {"/", "~/", "./", "../"})
        if (text.starts_with(begin) && text.size() > begin.size() + 1 && is_name(text[begin.size()])) return true;
    return false;
}

// Versions are 1.4.2, v2.0, 3.0.1-rc1; not 1.234.567, nor 30.9.2024.
bool is_version(std::string_view text) {
    const bool marked = text.size() > 1 && (text[0] == 'v' || text[0] == 'V') && is_ascii_digit(text[1]);
    const std::string_view all_numbers = text.substr(marked ? 1 : 0);
    std::size_t dots = 0, digits = 0, end = 0;
    bool thousands = true;
    for (; end < all_numbers.size(); ++end) {
        const char c = all_numbers[end];
        if (is_ascii_digit(c)) {
            ++digits;
            continue;
        }
        if (c != '.' || digits == 0) break;
        thousands = thousands && (dots == 0 ? digits <= 3 : digits == 3);
        ++dots;
        digits = 0;
    }
    const bool date = dots == 2 && digits == 4;
    if (digits == 0 || dots < (marked ? 1u : 2u) || (!marked && (date || (thousands && digits == 3)))) return false;
    const std::string_view rest = all_numbers.substr(end);
    return rest.empty() || ((rest[0] == '-' || rest[0] == '+') &&
                            all(rest.substr(1), [](char c) { return is_name(c) || c == '.' || c == '-' || c == '+'; }));
}

// A name in a program, or a string of letters and digits that is no word: get_value, aB3xK9, 3f9c0a1.
bool is_identifier(std::string_view text) {
    if (text.ends_with("()")) text.remove_suffix(2);
    constexpr std::size_t kLeast = 6;
    if (text.size() < 3 || !all(text, is_name)) return false;
    if (const std::size_t line = text.find('_', 1); line != std::string_view::npos && line + 1 < text.size())
        return std::ranges::any_of(text, is_ascii_letter);
    std::size_t between = 0, capitals = 0;  // letters and digits; a small letter and a capital
    for (std::size_t i = 1; i < text.size(); ++i) {
        between += is_ascii_digit(text[i - 1]) != is_ascii_digit(text[i]);
        capitals += text[i] >= 'A' && text[i] <= 'Z' && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    }
    return text.size() >= kLeast && between > 0 && between + capitals >= 2;
}

// Whether it is an argument's part in a message of ICU.
bool is_message(std::string_view inside) {
    const std::size_t name = inside.find(',');
    if (name == std::string_view::npos) return false;
    const std::size_t kind = inside.find_first_not_of(' ', name + 1);
    static constexpr std::array<std::string_view, 9> kKinds{"plural", "selectordinal", "select",   "number",  "date",
                                                            "time",   "choice",        "spellout", "duration"};
    return kind != std::string_view::npos &&
           std::ranges::any_of(kKinds, [&](std::string_view of) { return inside.substr(kind).starts_with(of); });
}

// Links to other messages are @:path.to.message, @.upper:message, @:(message), $t(message).
std::size_t link_end(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    const auto bracket = [&](std::size_t open) {
        const std::size_t close = text.substr(open, kLongestPlaceholder).find_first_of(" )");
        return close == std::string_view::npos || text[open + close] != ')' ? at : open + close + 1;
    };
    if (rest.starts_with("$t(")) return bracket(at + 2);
    std::size_t end = at + 1;
    if (end < text.size() && text[end] == '.')
        for (++end; end < text.size() && is_ascii_letter(text[end]);) ++end;
    if (rest.front() != '@' || end >= text.size() || text[end] != ':') return at;
    const std::size_t name = ++end;
    if (end < text.size() && text[end] == '(') return bracket(end);
    while (end < text.size() && (is_name(text[end]) || text[end] == '-' || text[end] == '.')) ++end;
    while (end > name && (text[end - 1] == '.' || text[end - 1] == '-')) --end;
    return end > name ? end : at;
}

// Placeholders are {name}, {{ name }}, ${name}, {count, plural, one {# day} other {# days}}.
std::size_t brace_end(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t end = at; end < std::min(text.size(), at + kLongestMessage); ++end) {
        if (text[end] == '{') ++depth;
        if (text[end] == '}' && --depth == 0) {
            const std::string_view inside = text.substr(at + 1, end - at - 1);
            const bool name = inside.size() <= kLongestPlaceholder && inside.find('"') == std::string_view::npos;
            return name || is_message(inside) ? end + 1 : at;
        }
    }
    return at;
}

std::size_t backtick_end(std::string_view text, std::size_t at) {
    const std::size_t marks = std::min(text.find_first_not_of('`', at), text.size()) - at;
    const std::size_t end = text.find(text.substr(at, marks), at + marks);
    if (end == std::string_view::npos) return at;
    const bool quote = text[end - 1] == ' ' && text[at + marks] != ' ';  // `this' and `that'
    return quote ? at : end + marks;
}

// The end of a tag that has a number for a name, as programs write for elements of their own: <1>, </1>, <1/>.
std::size_t numbered_tag_end(std::string_view text, std::size_t at) {
    constexpr std::size_t kMostFigures = 2;
    const std::size_t name = at + (text.substr(at + 1).starts_with('/') ? 2 : 1);
    std::size_t end = name;
    while (end < text.size() && is_ascii_digit(text[end])) ++end;
    if (end == name || end - name > kMostFigures) return at;
    if (text.substr(end).starts_with('/')) ++end;
    return text.substr(end).starts_with('>') ? end + 1 : at;
}

std::size_t tag_end(std::string_view text, std::size_t at) {
    if (const std::size_t end = numbered_tag_end(text, at); end > at) return end;
    const std::size_t name = at + (text.substr(at + 1).starts_with('/') ? 2 : 1);
    if (name >= text.size() || !is_ascii_letter(text[name])) return at;
    const std::size_t end = text.find_first_of("<>", name);
    return end == std::string_view::npos || text[end] == '<' ? at : end + 1;
}

// The end of a text in quotation marks in braces, as Fluent has it for a brace: { "{" }.
std::size_t quoted_brace_end(std::string_view text, std::size_t at) {
    std::size_t begin = at + 1;
    if (text.substr(begin).starts_with(' ')) ++begin;
    if (!text.substr(begin).starts_with('"')) return at;
    const std::size_t quote = text.substr(0, std::min(text.size(), begin + kLongestPlaceholder)).find('"', begin + 1);
    if (quote == std::string_view::npos) return at;
    const std::size_t close = quote + (text.substr(quote + 1).starts_with(' ') ? 2 : 1);
    return text.substr(close).starts_with('}') ? close + 1 : at;
}

// The end of {name}, {{ name }}, ${name}, %{name}, { $name }, { -name } or a format; not of braces around code.
std::size_t placeholder_end(std::string_view text, std::size_t at) {
    if (text[at] == '%')
        if (const std::size_t end = format_end(text, at); end > at) return end;
    const std::size_t open = at + (text[at] == '$' || text[at] == '%' ? 1 : 0);
    const std::size_t braces = text.substr(open).starts_with("{{") ? 2 : text.substr(open).starts_with('{') ? 1 : 0;
    if (braces == 0) return at;
    if (const std::size_t end = braces == 1 ? quoted_brace_end(text, open) : open; end > open) return end;
    std::size_t name = open + braces;
    if (text.substr(name).starts_with(' ')) ++name;
    if (text.substr(name).starts_with('$') || text.substr(name).starts_with('-')) ++name;
    std::size_t end = name;
    while (end < text.size() && (is_name(text[end]) || text[end] == '.' || text[end] == '-')) ++end;
    const bool empty = end == name && braces == 1 && text.substr(end).starts_with('}');
    const std::size_t close = end + (text.substr(end).starts_with(' ') ? 1 : 0);
    const bool closed = text.substr(close, braces) == std::string(braces, '}');
    return closed && (end > name || empty) ? close + braces : at;
}

// A stretch without blanks, reduced by the punctuation around it.
Range core(std::string_view text, Range chunk) {
    constexpr std::string_view kOpening = "([\"'<", kClosing = ".,;:!?)]\"'>";
    while (chunk.size() > 0 && kOpening.find(text[chunk.begin]) != std::string_view::npos) ++chunk.begin;
    while (chunk.size() > 0 && kClosing.find(text[chunk.end - 1]) != std::string_view::npos) {
        const std::string_view inner = part(text, chunk);
        if (inner.back() == ')' && std::ranges::count(inner, '(') == std::ranges::count(inner, ')')) break;
        --chunk.end;
    }
    return chunk;
}

Range chunk_at(std::string_view text, std::size_t at) {
    Range chunk{at, at};
    for (std::size_t next = at; next < text.size(); chunk.end = next)
        if (is_space(next_character(text, next))) break;
    return chunk;
}

bool is_long(std::string_view chunk) {
    if (chunk.size() <= kLongest) return false;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < chunk.size(); ++characters)
        if (is_unspaced(next_character(chunk, at))) return false;
    return characters > kLongest;
}

// A name in a program, in quotation marks that belong to it, as keys of data have them: "timeout_ms": 30.
bool is_name_in_quotes(std::string_view text, Range chunk, Range inner) {
    const bool quoted = inner.begin > chunk.begin && inner.end < chunk.end && text[inner.begin - 1] == '"' &&
                        text[inner.end] == '"';
    return quoted && is_identifier(part(text, inner));
}

// Figures and letters in circles or brackets of their own, which are no figures for the model: "\u2460".
std::size_t enclosed_signs_end(std::string_view text, std::size_t at) {
    for (std::size_t next = at; next < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        if (!((c >= 0x2460 && c <= 0x24ff) || (c >= 0x2776 && c <= 0x2793))) break;
    }
    return at;
}

Range kept_chunk(std::string_view text, std::size_t at) {
    const Range chunk = chunk_at(text, at);
    if (is_long(part(text, chunk))) return chunk;
    const Range inner = core(text, chunk);
    const std::string_view word = part(text, inner);
    if (is_requirement(text.substr(chunk.begin, inner.end - chunk.begin))) return {chunk.begin, inner.end};
    for (const std::size_t begin : {chunk.begin, inner.begin})
        if (is_ip6_address(text.substr(begin, inner.end - begin))) return {begin, inner.end};
    if (is_name_in_quotes(text, chunk, inner)) return {inner.begin - 1, inner.end + 1};
    const bool keeps = is_address(word) || is_mail(word) || is_handle(word) || is_path(word) || is_version(word) ||
                       is_identifier(word) || is_date_pattern(word);
    if (keeps) return inner;
    for (const std::size_t begin : {chunk.begin, inner.begin})
        if (const std::size_t end = formula_end(text, begin); end > begin) return {begin, end};
    return code_word(text, inner);
}

Kept kept_at(std::string_view text, std::size_t at, bool begins) {
    if (begins) {
        for (const auto& end_of : {chess_moves_end, call_end})
            if (const std::size_t end = end_of(text, at); end > at) return {{at, end}, Kept::As::word};
        const Range chunk = kept_chunk(text, at);
        if (const std::size_t end = drive_path_end(text, at); end > std::max(at, chunk.end))
            return {{at, end}, Kept::As::word};
        if (chunk.size() > 0) return {chunk, Kept::As::word};
    }
    const char c = text[at];
    const auto word = [&](std::size_t end) { return Kept{{at, end}, Kept::As::word}; };
    if (!begins && is_ascii_digit(c) && at > 1 && (text[at - 1] == '=' || text[at - 1] == ':') &&
        !is_ascii_digit(text[at - 2]))
        if (const std::size_t end = identifier_end(text, at); end > at) return word(end);
    if (begins)
        for (const auto& end_of : {key_combination_end, identifier_end, phrase_end})
            if (const std::size_t end = end_of(text, at); end > at) return word(end);
    if (c == '(' || is_ascii_digit(c))
        if (const std::size_t end = reference_end(text, at); end > at) return word(end);
    const auto mark = [&](std::size_t end) { return Kept{{at, end}, Kept::As::mark}; };
    if (const std::size_t end = emoticon_end(text, at, begins); end > at) return mark(end);
    if (const std::size_t end = sign_run_end(text, at); end > at) {
        return c == '_' || ends_sentences(text.substr(at)) ? word(at) : mark(end);  // shouts() has the others
    }
    if (c == '\\') {
        bool text_follows = false;
        if (const std::size_t end = command_end(text, at, text_follows); end > at)
            return text_follows ? mark(end) : word(end);
    }
    if (c == '`')
        if (const std::size_t end = backtick_end(text, at); end > at) return word(end);
    if ((c == '$' || c == '%') && text.substr(at + 1).starts_with('{'))
        if (const std::size_t end = brace_end(text, at + 1); end > at + 1) return word(end);
    if (c == '$' || (c == '@' && begins))
        if (const std::size_t end = link_end(text, at); end > at) return word(end);
    if (c == '{')
        for (const auto& end_of : {quoted_brace_end, brace_end})
            if (const std::size_t end = end_of(text, at); end > at) return word(end);
    if (c == '%' && (begins || (at > 0 && !is_ascii_digit(text[at - 1]))))
        if (const std::size_t end = format_end(text, at); end > at) return word(end);
    if (c == '<')
        if (const std::size_t end = tag_end(text, at); end > at) return mark(end);
    if (c == '*' || c == '_')
        if (const std::size_t end = bold_mark_end(text, at); end > at) return mark(end);
    if (is_rare(c)) return mark(at + 1);
    if (static_cast<unsigned char>(c) >= 0xe2) {
        if (const std::size_t end = enclosed_signs_end(text, at); end > at)
            return begins && at > 0 ? word(end) : mark(end);
        return mark(emoji_end(text, at));
    }
    return word(at);
}

// What says nothing about the words beside it: a tag, a placeholder, code in backticks, a face, a rule.
std::size_t aside_end(std::string_view text, std::size_t at) {
    if (text[at] == '`') return backtick_end(text, at);
    bool text_follows = false;
    if (const std::size_t end = command_end(text, at, text_follows); end > at) return end;
    if (const std::size_t end = sign_run_end(text, at); end > at) return end;
    const bool begins = at == 0 || text[at - 1] == ' ';
    if (const std::size_t end = emoticon_end(text, at, begins); end > at) return end;
    return text[at] == '<' ? tag_end(text, at) : placeholder_end(text, at);
}

// Runs of two letters and more.
std::size_t words_in(std::string_view text) {
    std::size_t words = 0, letters = 0;
    for (std::size_t at = 0; at < text.size();) {
        letters = is_letter(next_character(text, at)) ? letters + 1 : 0;
        words += letters == 2;
    }
    return words;
}

// Whether ';' separates numbers, or " = " says which number something has, as sentences do: "r = 0.87 (n = 1,204)".
bool is_between_values(std::string_view text, std::size_t at, bool in_words) {
    const auto figure = [&](std::size_t i) { return i < text.size() && is_ascii_digit(text[i]); };
    if (text[at] == ';')
        return at > 0 && figure(at - 1) && (figure(at + 1) || (text.substr(at + 1, 1) == " " && figure(at + 2)));
    if (text[at] != '=' || !in_words || at == 0 || text[at - 1] != ' ' || text.substr(at + 1, 1) != " ") return false;
    std::size_t end = at + 2;
    if (end < text.size() && text[end] == '-') ++end;
    if (!figure(end)) return false;
    while (figure(end) || (end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && figure(end + 1))) ++end;
    return end == text.size() || text[end] != ';';
}

}  // namespace

std::size_t format_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    if (end < text.size() && text[end] == '(') {
        end = text.find(')', end);
        if (end == std::string_view::npos) return at;
        ++end;
    }
    while (end < text.size() && std::string_view("0123456789$.-+#*lhz").find(text[end]) != std::string_view::npos)
        ++end;
    if (end >= text.size() || std::string_view("sdiufFgGxXcpeEo@").find(text[end]) == std::string_view::npos) return at;
    ++end;
    return end < text.size() && is_name(text[end]) ? at : end;
}

std::vector<Kept> find_kept(std::string_view text) {
    std::vector<Kept> kept;
    bool begins = true;
    for (std::size_t at = 0; at < text.size();) {
        Kept found = kept_at(text, at, begins);
        if (found.range.size() == 0) {
            const int32_t c = next_character(text, at);
            begins = is_space(c) || c == '(' || c == '"' || c == '[';
            continue;
        }
        const bool joined = !kept.empty() && kept.back().range.end == found.range.begin &&
                            kept.back().as == Kept::As::mark && found.as == Kept::As::mark;
        if (joined) kept.back().range.end = found.range.end;
        else kept.push_back(found);
        at = found.range.end;
        begins = false;
    }
    return kept;
}

bool is_code(std::string_view text) {
    constexpr std::size_t kWordsOfSentence = 2;
    const bool in_words = words_in(text) >= kWordsOfSentence;
    std::size_t letters = 0, symbols = 0, rare = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (is_between_values(text, at, in_words)) {
            ++at;
            continue;
        }
        if (const std::size_t end = aside_end(text, at); end > at) {
            at = end;
            continue;
        }
        if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(')
            if (const std::size_t end = formula_end(text, at); end > at) {
                at = end;
                continue;
            }
        const int32_t c = next_character(text, at);
        letters += is_letter(c);
        if (c < 0x21 || c > 0x7e) continue;
        const char ascii = char(c);
        symbols += !is_name(ascii) && ascii != '.' && ascii != ',' && ascii != '!' && ascii != '?' && ascii != '\'';
        rare += is_rare(ascii) || ascii == '=' || ascii == ';' || ascii == '_' || ascii == '$';
    }
    return rare >= 2 && 3 * symbols >= letters;
}

}  // namespace dragoman::text
