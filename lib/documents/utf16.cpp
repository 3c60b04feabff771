// SPDX-License-Identifier: Apache-2.0
#include "documents/utf16.h"

#include "base/error.h"
#include "text/characters.h"

namespace dragoman::documents {
namespace {

constexpr uint32_t kHigh = 0xd800, kLow = 0xdc00, kBehind = 0xe000, kBeyond = 0x10000, kMark = 0xfeff;

void append_utf8(std::string& text, uint32_t c) {
    const auto rest = [&](int shift) { text += char(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) {
        text += char(c);
    } else if (c < 0x800) {
        text += char(0xc0 | (c >> 6));
        rest(0);
    } else if (c < kBeyond) {
        text += char(0xe0 | (c >> 12));
        rest(6);
        rest(0);
    } else {
        text += char(0xf0 | (c >> 18));
        rest(12);
        rest(6);
        rest(0);
    }
}

}  // namespace

Encoding encoding_of(std::string_view bytes) {
    using namespace std::string_view_literals;
    if (bytes.starts_with("\xff\xfe\0\0"sv) || bytes.starts_with("\0\0\xfe\xff"sv))
        fail(Status::invalid_argument, "document: expected UTF-8 or UTF-16, got UTF-32, as the byte order mark says");
    if (bytes.starts_with("\xff\xfe"sv)) return Encoding::utf16_little;
    return bytes.starts_with("\xfe\xff"sv) ? Encoding::utf16_big : Encoding::utf8;
}

std::string to_utf8(std::string bytes, Encoding from) {
    if (from == Encoding::utf8) return bytes;
    const auto unit = [&](std::size_t at) {
        const uint32_t a = uint8_t(bytes[at]), b = uint8_t(bytes[at + 1]);
        return from == Encoding::utf16_big ? a << 8 | b : b << 8 | a;
    };
    const auto refuse = [](std::size_t at) {
        fail(Status::invalid_argument, "document: invalid UTF-16 at byte {}", at);
    };
    if (bytes.size() % 2 != 0) refuse(bytes.size() - 1);
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 2; at < bytes.size(); at += 2) {
        uint32_t c = unit(at);
        if (c >= kLow && c < kBehind) refuse(at);
        if (c >= kHigh && c < kLow) {
            const uint32_t low = at + 2 < bytes.size() ? unit(at + 2) : 0;
            if (low < kLow || low >= kBehind) refuse(at);
            c = kBeyond + ((c - kHigh) << 10) + (low - kLow);
            at += 2;
        }
        append_utf8(text, c);
    }
    return text;
}

std::string from_utf8(std::string text, Encoding to) {
    if (to == Encoding::utf8) return text;
    std::string bytes;
    bytes.reserve(2 * text.size() + 2);
    const auto put = [&](uint32_t unit) {
        const char high = char(unit >> 8), low = char(unit & 0xff);
        bytes += to == Encoding::utf16_big ? high : low;
        bytes += to == Encoding::utf16_big ? low : high;
    };
    put(kMark);
    for (std::size_t at = 0; at < text.size();) {
        const auto c = uint32_t(text::next_character(text, at));
        if (c < kBeyond) {
            put(c);
        } else {
            put(kHigh + ((c - kBeyond) >> 10));
            put(kLow + ((c - kBeyond) & 0x3ff));
        }
    }
    return bytes;
}

}  // namespace dragoman::documents
