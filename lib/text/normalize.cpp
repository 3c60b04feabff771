// SPDX-License-Identifier: Apache-2.0
#include "text/normalize.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "text/characters.h"

namespace dragoman::text {
namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

void check(UErrorCode status) {
    if (U_FAILURE(status)) fail(Status::internal, "Unicode normalisation: {}", u_errorName(status));
}

const UNormalizer2* nfc() {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* result = unorm2_getNFCInstance(&status);
    check(status);
    return result;
}

std::string to_nfc(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t size = 0;
    std::u16string wide(text.size(), 0), composed(3 * text.size(), 0);  // what NFC can grow to, at most
    std::string result(3 * composed.size(), 0);
    u_strFromUTF8WithSub(wide.data(), int32_t(wide.size()), &size, text.data(), int32_t(text.size()), 0xfffd, nullptr,
                         &status);
    size = unorm2_normalize(nfc(), wide.data(), size, composed.data(), int32_t(composed.size()), &status);
    u_strToUTF8(result.data(), int32_t(result.size()), &size, composed.data(), size, &status);
    check(status);
    result.resize(std::size_t(size));
    return result;
}

// Writes characters in form NFC. One is held back with the marks behind it, until a character comes that nothing before
// it can change.
class NfcWriter {
public:
    explicit NfcWriter(std::size_t size) { out_.text.reserve(size); }

    // The part of the source is a character, c.
    void write(std::string_view source, Range range, int32_t c) {
        if (c < kFirstMark || unorm2_hasBoundaryBefore(nfc_, c)) flush();
        if (held_.empty()) held_range_ = range;
        else if (held_range_.end != range.begin) changed_ = true;
        held_range_.end = range.end;
        held_ += part(source, range);
        if (c < kFirstMark) return;
        const uint8_t order = u_getCombiningClass(c);
        if (u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES || (order && order < order_)) doubtful_ = true;
        order_ = order;
    }

    // ASCII.
    void write_plain(std::string_view source, Range range) {
        flush();
        out_.text += part(source, range);
        out_.map.copy(range);
    }

    // Spaces for a range of white space; none: it is dropped.
    void write_spaces(std::string_view source, Range range, std::string_view spaces) {
        if (spaces.empty()) return;  // a mark behind it may compose with what is held
        if (part(source, range) == spaces) return write_plain(source, range);
        flush();
        out_.text += spaces;
        out_.map.replace(spaces.size(), range);
    }

    Normalized take() {
        flush();
        return std::move(out_);
    }

private:
    static constexpr int32_t kFirstMark = 0x300;  // characters before it are in NFC and compose with none before them

    void flush() {
        if (held_.empty()) return;
        if (doubtful_) {
            std::string composed = to_nfc(held_);
            if (composed != held_) changed_ = true;
            held_ = std::move(composed);
        }
        out_.text += held_;
        if (changed_) out_.map.replace(held_.size(), held_range_);
        else out_.map.copy(held_range_);
        held_.clear();
        order_ = 0;
        doubtful_ = changed_ = false;
    }

    const UNormalizer2* nfc_ = nfc();
    Normalized out_;
    std::string held_;
    Range held_range_;
    uint8_t order_ = 0;  // of the last mark held
    bool doubtful_ = false, changed_ = false;
};

// The end of the white space that begins at byte `at`, and plain spaces for it. A stretch with a line break is one
// space, or nothing between two characters of scripts without spaces.
std::string plain_spaces(std::string_view text, std::size_t at, std::size_t& end) {
    std::string spaces;
    bool breaks = false;
    end = at;
    for (std::size_t next = end; next < text.size(); end = next) {
        const int32_t c = next_character(text, next);
        if (!is_blank(c)) break;
        if (is_space(c)) spaces += ' ';
        breaks = breaks || is_line_break(c);
    }
    if (!breaks) return spaces;
    return is_unspaced(character_before(text, at)) && is_unspaced(character_behind(text, end)) ? "" : " ";
}

// The end of the plain ASCII from byte `at` on that nothing behind it can change: without the last character, which may
// compose with a mark, and the spaces behind that, which may be in front of a line break.
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
            const std::string spaces = plain_spaces(text, at, next);
            out.write_spaces(text, {at, next}, spaces);
        } else if (!is_invisible(c)) {
            out.write(text, {at, next}, c);
        }
    }
    return out.take();
}

}  // namespace dragoman::text
