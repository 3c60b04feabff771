// SPDX-License-Identifier: Apache-2.0
#include "text/normalizer_steps.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "text/bert_characters.h"
#include "text/byte_characters.h"
#include "text/precompiled_rules.h"
#include "text/regex.h"
#include "text/unicode_form.h"

namespace dragoman::text {
namespace {

constexpr uint8_t kUnicode = 9;  // whose tables the tokenizers library has: later characters have no other form
constexpr int32_t kFirstJoined = 0x300;  // every character before it stands alone, CR LF aside

// Each character by itself: nothing, itself or others.
template <class Map>
StepText mapped(const StepText& text, Map&& map) {
    StepText result;
    std::vector<int32_t> to;
    for (std::size_t i = 0; i < text.size(); ++i) {
        to.clear();
        map(to, text.characters[i]);
        for (const int32_t c : to) result.add(c, text.sources[i]);
    }
    return result;
}

StepText in_form(const StepText& text, const UNormalizer2* form) {
    StepText result;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = at + 1;
        const auto has_forms = [&](std::size_t i) { return is_of_unicode(text.characters[i], kUnicode); };
        while (end < text.size() && has_forms(end) && !unorm2_hasBoundaryBefore(form, text.characters[end])) ++end;
        if (!has_forms(at)) {
            result.append(text, {at, at + 1});
            end = at + 1;
            continue;
        }
        const Range range{at, end}, source = text.source(range);
        const std::u16string wide = to_utf16(std::span(text.characters).subspan(at, end - at));
        UErrorCode status = U_ZERO_ERROR;
        const int32_t size = unorm2_normalize(form, wide.data(), int32_t(wide.size()), nullptr, 0, &status);
        std::u16string other(std::size_t(size), 0);
        status = U_ZERO_ERROR;
        unorm2_normalize(form, wide.data(), int32_t(wide.size()), other.data(), size, &status);
        if (status != U_STRING_NOT_TERMINATED_WARNING) check_unicode(status);
        if (other == wide) {
            result.append(text, range);
            continue;
        }
        for (int32_t i = 0; i < size;) {
            UChar32 c = 0;
            U16_NEXT(other.data(), i, size, c);
            result.add(c, source);
        }
    }
    return result;
}

void append_nmt(std::vector<int32_t>& to, int32_t c) {
    const bool dropped = (c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f || c == 0x8f ||
                         c == 0x9f;
    const bool white = c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d || c == 0x1680 ||
                       (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff ||
                       c == 0xfffd;
    if (!dropped) to.push_back(white ? ' ' : c);
}

StepText stripped(const StepText& text, const spec::StripBlanks& strip) {
    Range kept{0, text.size()};
    while (strip.left && kept.begin < kept.end && u_isUWhiteSpace(text.characters[kept.begin])) ++kept.begin;
    while (strip.right && kept.begin < kept.end && u_isUWhiteSpace(text.characters[kept.end - 1])) --kept.end;
    StepText result;
    result.append(text, kept);
    return result;
}

// The ends of user-perceived characters.
std::vector<std::size_t> cluster_ends(const StepText& text) {
    std::vector<std::size_t> ends;
    if (std::ranges::all_of(text.characters, [](int32_t c) { return c < kFirstJoined && c != '\r'; })) {
        for (std::size_t i = 1; i <= text.size(); ++i) ends.push_back(i);
        return ends;
    }
    const std::u16string wide = to_utf16(text.characters);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> breaks(ubrk_open(UBRK_CHARACTER, "", wide.data(),
                                                                                  int32_t(wide.size()), &status),
                                                                        &ubrk_close);
    check_unicode(status);
    std::size_t character = 0, unit = 0;
    for (int32_t end = ubrk_next(breaks.get()); end != UBRK_DONE; end = ubrk_next(breaks.get())) {
        for (; unit < std::size_t(end); ++character) unit += text.characters[character] < 0x10000 ? 1 : 2;
        ends.push_back(character);
    }
    return ends;
}

// A rule for the beginning of a short cluster stands for the whole cluster.
StepText with_rules(const StepText& text, const PrecompiledCharacters& rules) {
    constexpr std::size_t kShort = 6;  // bytes
    StepText result;
    const auto replace = [&](Range range) {
        const std::string bytes = to_utf8(std::span(text.characters).subspan(range.begin, range.size()));
        if (range.size() > 1 && bytes.size() >= kShort) return false;
        const auto found = rules.replacement(bytes);
        if (!found) return false;
        for (const int32_t c : to_characters(*found)) result.add(c, text.source(range));
        return true;
    };
    std::size_t begin = 0;
    for (const std::size_t end : cluster_ends(text)) {
        if (!replace({begin, end}))
            for (std::size_t i = begin; i < end; ++i)
                if (end - begin == 1 || !replace({i, i + 1})) result.append(text, {i, i + 1});
        begin = end;
    }
    return result;
}

StepText replaced(const StepText& text, const FindStep& find, const std::vector<int32_t>& content) {
    StepText result;
    std::size_t at = 0;
    for (const Range match : find(text.characters)) {
        result.append(text, {at, match.begin});
        const std::size_t place = match.begin < text.size() ? text.sources[match.begin].begin
                                  : text.empty()            ? 0
                                                            : text.sources.back().end;
        const Range source = match.size() > 0 ? text.source(match) : Range{place, place};
        for (const int32_t c : content) result.add(c, source);
        at = match.end;
    }
    result.append(text, {at, text.size()});
    return result;
}

StepText with_beginning(const StepText& text, const std::vector<int32_t>& beginning) {
    if (text.empty()) return text;
    StepText result;
    for (const int32_t c : beginning) result.add(c, {text.sources[0].begin, text.sources[0].begin});
    result.append(text, {0, text.size()});
    return result;
}

StepText cleaned(const StepText& text, const spec::BertCleaning& clean) {
    std::vector<int32_t> parts;
    return mapped(text, [&](std::vector<int32_t>& to, int32_t c) {
        if (clean.clean && is_bert_dropped(c)) return;
        if (clean.clean && is_bert_white(c)) c = ' ';
        const bool alone = clean.chinese_characters && is_bert_ideograph(c);
        if (alone) to.push_back(' ');
        parts.clear();
        if (clean.strip_accents) append_without_accents(parts, c);
        else parts.push_back(c);
        for (const int32_t part : parts) {
            if (clean.lower_case) append_lower(to, part);
            else to.push_back(part);
        }
        if (alone) to.push_back(' ');
    });
}

struct MakeNormalizer {
    TextStep operator()(const spec::UnicodeForm& step) const {
        return [form = normalizer_of(step.form)](const StepText& text) { return in_form(text, form); };
    }
    TextStep operator()(const spec::Lowercase&) const {
        return [](const StepText& text) { return mapped(text, append_lower); };
    }
    TextStep operator()(const spec::StripAccents&) const {
        return [](const StepText& text) {
            return mapped(text, [](std::vector<int32_t>& to, int32_t c) {
                if (!(U_GET_GC_MASK(c) & U_GC_M_MASK) || !is_of_unicode(c, kUnicode)) to.push_back(c);
            });
        };
    }
    TextStep operator()(const spec::NmtCharacters&) const {
        return [](const StepText& text) { return mapped(text, append_nmt); };
    }
    TextStep operator()(const spec::ByteCharacters&) const { return byte_characters_of; }
    TextStep operator()(const spec::StripBlanks& step) const {
        return [step](const StepText& text) { return stripped(text, step); };
    }
    TextStep operator()(const spec::PrecompiledRules& step) const {
        const auto rules = std::make_shared<const PrecompiledCharacters>(step.rules);
        return [rules](const StepText& text) { return with_rules(text, *rules); };
    }
    TextStep operator()(const spec::ReplaceText& step) const {
        return [find = make_find_step(step.pattern), content = to_characters(step.content)](const StepText& text) {
            return replaced(text, find, content);
        };
    }
    TextStep operator()(const spec::PrependText& step) const {
        return [beginning = to_characters(step.text)](const StepText& text) { return with_beginning(text, beginning); };
    }
    TextStep operator()(const spec::BertCleaning& step) const {
        return [step](const StepText& text) { return cleaned(text, step); };
    }
};

std::vector<Range> find_text(std::span<const int32_t> characters, const std::vector<int32_t>& wanted) {
    std::vector<Range> found;
    for (std::size_t at = 0; at + wanted.size() <= characters.size();) {
        if (std::ranges::equal(characters.subspan(at, wanted.size()), wanted)) {
            found.push_back({at, at + wanted.size()});
            at += wanted.size();
        } else {
            ++at;
        }
    }
    return found;
}

}  // namespace

TextStep make_normalizer_step(const spec::NormalizerStep& step) { return std::visit(MakeNormalizer(), step); }

FindStep make_find_step(const spec::StepPattern& pattern) {
    if (pattern.regex) {
        const auto regex = std::make_shared<const Regex>(pattern.text);
        return [regex](std::span<const int32_t> text) { return regex->find_all(text); };
    }
    return [wanted = to_characters(pattern.text)](std::span<const int32_t> text) { return find_text(text, wanted); };
}

StepText byte_characters_of(const StepText& text) {
    StepText result;
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bytes.clear();
        append_utf8(bytes, text.characters[i]);
        for (const char byte : bytes) result.add(byte_character(static_cast<unsigned char>(byte)), text.sources[i]);
    }
    return result;
}

}  // namespace dragoman::text
