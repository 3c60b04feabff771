// SPDX-License-Identifier: Apache-2.0
#include "text/normalize.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "text/characters.h"
#include "text/unicode_form.h"

namespace dragoman::text {
namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

std::string to_nfc(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t size = 0;
    std::u16string wide(text.size(), 0), composed(3 * text.size(), 0);  // at most what NFC can grow to
    std::string result(3 * composed.size(), 0);
    u_strFromUTF8WithSub(wide.data(), int32_t(wide.size()), &size, text.data(), int32_t(text.size()), 0xfffd, nullptr,
                         &status);
    size = unorm2_normalize(normalizer_of(spec::UnicodeForm::Form::nfc), wide.data(), size, composed.data(),
                            int32_t(composed.size()), &status);
    u_strToUTF8(result.data(), int32_t(result.size()), &size, composed.data(), size, &status);
    check_unicode(status);
    result.resize(std::size_t(size));
    return result;
}

// Writes characters in form NFC. A character and the marks after it are held back until one comes that nothing before
// it can change.
class NfcWriter {
public:
    explicit NfcWriter(std::size_t size) { out_.text.reserve(size); }

    // Writes a character c, which is this part of the source.
    void write(std::string_view source, Range range, int32_t c) {
        if (c < kFirstMark || unorm2_hasBoundaryBefore(nfc_, c)) flush();
        held_ += part(source, range);
        held_ranges_.push_back(range);
        if (c < kFirstMark) return;
        const uint8_t order = u_getCombiningClass(c);
        if (u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES || (order && order < order_)) doubtful_ = true;
        order_ = order;
    }

    // Writes ASCII.
    void write_plain(std::string_view source, Range range) {
        flush();
        out_.text += part(source, range);
        out_.map.copy(range);
    }

    // Writes a plain space for a range of white space.
    void write_space(std::string_view source, Range range) {
        if (part(source, range) == " ") return write_plain(source, range);
        flush();
        out_.text += ' ';
        out_.map.replace(1, range);
    }

    Normalized take() {
        flush();
        return std::move(out_);
    }

private:
    static constexpr int32_t kFirstMark = 0x300;  // characters before it are in NFC and compose with none before them

    void flush() {
        if (held_.empty()) return;
        const std::string composed = doubtful_ ? to_nfc(held_) : held_;
        if (composed != held_) out_.map.replace(composed.size(), {held_ranges_.front().begin, held_ranges_.back().end});
        else std::ranges::for_each(held_ranges_, [&](Range range) { out_.map.copy(range); });
        out_.text += composed;
        held_.clear();
        held_ranges_.clear();
        order_ = 0;
        doubtful_ = false;
    }

    const UNormalizer2* nfc_ = normalizer_of(spec::UnicodeForm::Form::nfc);
    Normalized out_;
    std::string held_;
    std::vector<Range> held_ranges_;  // ranges of its characters
    uint8_t order_ = 0;  // combining class of the last mark held
    bool doubtful_ = false;  // whether the held text may have another form
};

struct WhiteSpace {
    Range range;
    bool breaks = false;
};

WhiteSpace white_space(std::string_view text, std::size_t at) {
    WhiteSpace found{{at, at}};
    for (std::size_t next = at; next < text.size(); found.range.end = next) {
        const int32_t c = next_character(text, next);
        if (!is_blank(c)) break;
        found.breaks = found.breaks || is_line_break(c);
    }
    return found;
}

// Writes as many spaces as there are. A stretch with a line break is one space, or nothing between two characters of
// scripts without spaces; a mark after it then composes with the character before it.
void write_white_space(NfcWriter& out, std::string_view text, const WhiteSpace& found) {
    const auto [begin, end] = found.range;
    if (found.breaks) {
        if (!is_unspaced(character_before(text, begin)) || !is_unspaced(character_after(text, end)))
            out.write_space(text, found.range);
        return;
    }
    for (std::size_t at = begin, next = begin; at < end; at = next)
        if (is_space(next_character(text, next))) out.write_space(text, {at, next});
}

// A zero-width space says where a line may break. Inside a word it means nothing, between words of a script without
// spaces it is the space.
bool is_break_inside(std::string_view text, std::size_t at, std::size_t next, int32_t c) {
    constexpr int32_t kZeroWidthSpace = 0x200b;
    if (c != kZeroWidthSpace) return false;
    const int32_t before = previous_character(text, at), after = next_character(text, next);
    return is_letter(before) && is_letter(after) && !is_unspaced(before) && !is_unspaced(after);
}

// The end of the plain ASCII from byte `at` on that nothing after it can change. It excludes the last character, which
// may compose with a mark, and the spaces after that character, which a line break may follow.
std::size_t plain_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    while (end > at && text[end - 1] == ' ') --end;
    return end > at ? end - 1 : at;
}

}  // namespace

Normalized normalize(std::string_view text) {
    if (std::ranges::all_of(text, is_plain)) return {std::string(text), {}};
    NfcWriter out(text.size());
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        next = plain_end(text, at);
        if (next > at) {
            out.write_plain(text, {at, next});
            continue;
        }
        next = at;
        const int32_t c = next_character(text, next);
        if (is_space(c)) {
            const WhiteSpace found = white_space(text, at);
            write_white_space(out, text, found);
            next = found.range.end;
        } else if (!is_invisible(c) && !is_break_inside(text, at, next, c)) {
            out.write(text, {at, next}, c);
        }
    }
    return out.take();
}

}  // namespace dragoman::text
