// SPDX-License-Identifier: Apache-2.0
#include "text/regex.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uregex.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "text/step_text.h"

namespace dragoman::text {
namespace {

// For one text, and more for each of its characters: what takes linear time is not refused. ICU counts in units of 10000
// steps.
constexpr std::size_t kMaxTime = 1600, kStepsPerCharacter = 100, kStepsOfTime = 10000;
constexpr std::size_t kMaxStackBytes = 1 << 23, kStackBytesPerCharacter = 128;
constexpr uint32_t kFlags = UREGEX_MULTILINE | UREGEX_UNIX_LINES;  // as for Oniguruma, lines end with LF alone

// What Oniguruma's names of characters mean, as the inside of a set. Other names are Unicode's.
constexpr std::pair<std::string_view, std::string_view> kNamedCharacters[]{
    {"alnum", R"(\p{Alphabetic}\p{Nd})"},
    {"alpha", R"(\p{Alphabetic})"},
    {"ascii", R"(\x{0}-\x{7f})"},
    {"blank", R"(\p{Zs}\x{9})"},
    {"cntrl", R"(\p{Cc})"},
    {"digit", R"(\p{Nd})"},
    {"graph", R"([^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}])"},
    {"lower", R"(\p{Lowercase})"},
    {"print", R"([^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]\p{Zs})"},
    {"punct", R"(\p{P}\p{S})"},  // in brackets
    {"space", R"(\p{White_Space})"},
    {"upper", R"(\p{Uppercase})"},
    {"word", R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})"},
    {"xdigit", "0-9A-Fa-f"},
};

// There Oniguruma has a table of its own for Latin-1, in which some numbers are words.
constexpr std::string_view kWordOutsideSets = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{b2}\x{b3}\x{b9}\x{bc}-\x{be})";

std::string_view named_characters(std::string_view name) {
    const auto* found = std::ranges::find(kNamedCharacters, name,
                                          &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kNamedCharacters) ? std::string_view() : found->second;
}

bool is_unicode_property(const char* name) {
    const auto property = u_getPropertyEnum(name);
    return u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, name) != UCHAR_INVALID_CODE ||
           u_getPropertyValueEnum(UCHAR_SCRIPT, name) != UCHAR_INVALID_CODE ||
           (property >= 0 && property < UCHAR_BINARY_LIMIT);
}

// Writes an expression in Oniguruma's syntax as ICU has to read it to find the same, and refuses what ICU might take for
// something else. What neither of them reads is left to ICU.
class IcuSyntax {
public:
    explicit IcuSyntax(std::string_view expression) : text_(expression), left_(expression) {}

    std::string written() {
        while (!left_.empty()) {
            if (depth_ > 0) set_member();
            else if (take("\\")) escape();
            else if (take("(?#")) take_until(')');
            else if (take("(?")) group();
            else if (take("[")) open_set();
            else if (left_[0] == '{') count();
            else if (left_[0] == '(') out_ += next(), group_begin_ = out_.size();
            else if (take("^")) out_ += "(?:\\A|^(?!\\z))";  // the end of a text is no line
            else if (is_one_of(")|$.*+?")) out_ += next();
            else character();
        }
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(std::string_view what) const {
        fail(Status::unsupported, "tokenizer.json: regular expression \"{}\": {} is not supported", text_, what);
    }

    bool is_one_of(std::string_view ascii) const {
        return !left_.empty() && ascii.find(left_[0]) != std::string_view::npos;
    }
    bool take(std::string_view beginning) {
        if (!left_.starts_with(beginning)) return false;
        left_.remove_prefix(beginning.size());
        return true;
    }
    char next() {
        const char c = left_[0];
        left_.remove_prefix(1);
        return c;
    }
    std::string take_until(char end) {
        const std::string taken(left_.substr(0, left_.find(end)));
        left_.remove_prefix(std::min(left_.size(), taken.size() + 1));
        return taken;
    }
    void character() {
        std::size_t size = 0;
        out_ += fmt::format("\\x{{{:x}}}", uint32_t(next_character(left_, size)));
        left_.remove_prefix(size);
    }
    void named(std::string_view name, bool negated) {
        std::string plain;
        for (const char c : name)
            if (c != ' ' && c != '_' && c != '-') plain += char(u_tolower(uint8_t(c)));
        const std::string_view found = plain == "word" && depth_ == 0 ? kWordOutsideSets : named_characters(plain);
        if (found.empty() && !is_unicode_property(plain.c_str())) refuse(fmt::format("the property {}", name));
        if (folds_case_ && depth_ > 0 && negated && plain != "word" && plain != "space" && plain != "digit")
            refuse("a negated class in a set, with the option i,");
        const std::string set = fmt::format("[{}{}]", negated ? "^" : "",
                                            found.empty() ? fmt::format("\\p{{{}}}", plain) : found);
        out_ += folds_case_ && depth_ == 0 ? fmt::format("(?-i:{})", set) : set;
    }

    void group() {
        const bool begins = out_.size() == group_begin_;
        out_ += "(?";
        for (const char* kind : {":", "=", "!", ">", "<=", "<!"})
            if (take(kind)) {
                out_ += kind;
                group_begin_ = out_.size();
                return;
            }
        if (take("<")) {
            out_ += '<' + take_until('>') + '>';
        } else {
            for (; is_one_of("im-"); left_.remove_prefix(1)) {
                folds_case_ |= left_[0] == 'i';
                out_ += left_[0] == 'm' ? 's' : left_[0];
            }
            // There it holds for the alternatives that follow too, which ICU reads otherwise.
            if (left_.starts_with(")") && !begins) refuse("an option in the middle of a group");
            if (!left_.starts_with(")") && !left_.starts_with(":"))
                refuse(fmt::format("a group that begins with ?{}", left_.substr(0, 1)));
            out_ += next();
        }
        group_begin_ = out_.size();
    }

    // {2}, {2,}, {2,3}, {,3}; anything else is a bracket. Signs behind it may mean other things to ICU.
    void count() {
        const std::size_t size = std::min(left_.find_first_not_of("0123456789,", 1), left_.size());
        const std::string_view inside = left_.substr(1, size - 1), behind = left_.substr(size);
        const auto commas = std::ranges::count(inside, ',');
        if (!behind.starts_with('}') || inside.size() == std::size_t(commas) || commas > 1) return character();
        out_ += fmt::format("{{{}{}}}", inside[0] == ',' ? "0" : "", inside);
        if (behind.starts_with("}+") || (behind.starts_with("}?") && commas == 0)) refuse("a count of a count");
        left_.remove_prefix(size + 1);
    }

    // Behind the backslash. A character's number and what both read alike stay.
    void escape() {
        const bool is_set = depth_ > 0, both = is_one_of(is_set ? "aefnrt" : "aefnrtAzZ123456789");
        const char c = left_.empty() ? '\0' : left_[0];
        if (uint8_t(c) >= 0x80 || (c != '\0' && !u_isalnum(c))) return character();
        if (c == '\0') refuse("a backslash at the end");
        left_.remove_prefix(1);
        const bool negated = c >= 'A' && c <= 'Z';
        const std::string word = fmt::format("[{}]", kWordOutsideSets);
        if (c == 'd' || c == 'D') named("digit", negated);
        else if (c == 'h' || c == 'H') named("xdigit", negated);
        else if (c == 's' || c == 'S') named("space", negated);
        else if (c == 'w' || c == 'W') named("word", negated);
        else if ((c == 'p' || c == 'P') && take("{")) property(negated);
        else if (c == 'x' || c == 'u') number(c);
        else if (c == 'v') out_ += "\\x{b}";
        else if (c == '0' && !is_one_of("01234567")) out_ += "\\x{0}";
        else if (c == 'b' && !is_set) out_ += fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", word);
        else if (c == 'B' && !is_set) out_ += fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0}))", word);
        else if (c == 'k' && !is_set && take("<")) out_ += "\\k<" + take_until('>') + '>';
        else if (both && !(u_isdigit(c) && is_one_of("0123456789"))) out_ += {'\\', c};
        else refuse(fmt::format("\\{}", c));
    }

    void property(bool negated) {
        const bool other = take("^");
        const std::string name = take_until('}');
        if (name == "Punct" || name == "punct") return named("P", negated != other);
        named(name, negated != other);
    }

    void number(char kind) {
        out_ += {'\\', kind};
        if (kind == 'x' && take("{")) {
            out_ += '{' + take_until('}') + '}';
            return;
        }
        const std::size_t most = kind == 'x' ? 2 : 4, size = left_.find_first_not_of("0123456789abcdefABCDEF");
        out_ += left_.substr(0, std::min(size, most));
        left_.remove_prefix(std::min({size, most, left_.size()}));
    }

    // Each side of && becomes a set.
    void open_set() {
        ++depth_;
        out_ += take("^") ? "[^[" : "[[";
        if (take("]")) out_ += "\\x{5d}";
    }

    void set_member() {
        if (take("]")) {
            --depth_;
            out_ += "]]";
        } else if (take("&&")) {
            out_ += "]&&[";
        } else if (take("[")) {
            if (!named_class()) open_set();
        } else {
            const std::size_t begin = out_.size();
            set_character();
            const bool single = out_[begin] == '\\';
            if (!single || left_.starts_with("-]") || !take("-")) return;
            out_ += '-';
            const std::size_t end = out_.size();
            if (!left_.starts_with("[")) set_character();
            if (out_.size() == end || out_[end] != '\\') refuse("a range that does not end with a character");
        }
    }
    void set_character() {
        if (take("\\")) escape();
        else if (!left_.empty()) character();
    }
    // [:alpha:]; other sets may begin with a colon.
    bool named_class() {
        const auto end = left_.find(":]");
        if (!left_.starts_with(':') || end == 0 || end == left_.npos) return false;
        std::string_view name = left_.substr(1, end - 1);
        const bool negated = name.starts_with('^');
        name.remove_prefix(negated ? 1 : 0);
        if (named_characters(name).empty()) return false;
        named(name, negated);
        left_.remove_prefix(end + 2);
        return true;
    }

    std::string_view text_, left_;
    std::string out_;
    std::size_t depth_ = 0;  // of sets
    bool folds_case_ = false;  // somewhere
    std::size_t group_begin_ = 0;  // where the one that was opened last begins inside
};

bool is_limit(UErrorCode status) {
    return status == U_REGEX_LOOK_BEHIND_LIMIT || status == U_REGEX_UNIMPLEMENTED || status == U_REGEX_NUMBER_TOO_BIG ||
           status == U_REGEX_PATTERN_TOO_BIG;
}

}  // namespace

void Regex::Close::operator()(URegularExpression* expression) const { uregex_close(expression); }

Regex::Regex(std::string_view expression) {
    const std::string syntax = IcuSyntax(expression).written();
    const std::u16string wide(syntax.begin(), syntax.end());
    UErrorCode status = U_ZERO_ERROR;
    compiled_.reset(uregex_open(wide.data(), int32_t(wide.size()), kFlags, nullptr, &status));
    if (U_FAILURE(status))
        fail(is_limit(status) ? Status::unsupported : Status::bad_model,
             "tokenizer.json: regular expression \"{}\": expected one that ICU reads, which says {}", expression,
             u_errorName(status));
}

std::vector<Range> Regex::find_all(std::span<const int32_t> characters) const {
    const std::u16string wide = to_utf16(characters);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<URegularExpression, Close> matcher(uregex_clone(compiled_.get(), &status));
    const auto limit = [](std::size_t value) { return int32_t(std::min<std::size_t>(value, INT32_MAX)); };
    uregex_setTimeLimit(matcher.get(), limit(kMaxTime + characters.size() * kStepsPerCharacter / kStepsOfTime),
                        &status);
    uregex_setStackLimit(matcher.get(), limit(kMaxStackBytes + characters.size() * kStackBytesPerCharacter), &status);
    uregex_setText(matcher.get(), wide.data(), int32_t(wide.size()), &status);
    std::vector<Range> found;
    std::size_t character = 0, unit = 0;
    const auto character_at = [&](int32_t place) {
        for (; unit < std::size_t(place); ++character) unit += characters[character] < 0x10000 ? 1 : 2;
        return character;
    };
    while (uregex_findNext(matcher.get(), &status)) {
        const std::size_t begin = character_at(uregex_start(matcher.get(), 0, &status));
        const std::size_t end = character_at(uregex_end(matcher.get(), 0, &status));
        if (end > begin || found.empty() || found.back().end < begin) found.push_back({begin, end});
    }
    if (status == U_REGEX_TIME_OUT || status == U_REGEX_STACK_OVERFLOW)
        fail(Status::unsupported, "tokenizer.json: a regular expression takes too many steps with this text ({})",
             u_errorName(status));
    if (U_FAILURE(status)) fail(Status::internal, "tokenizer.json: a regular expression: {}", u_errorName(status));
    return found;
}

}  // namespace dragoman::text
