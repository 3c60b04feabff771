// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bench_picture_parts.h"

namespace cli::bench_picture {
namespace {

// Up to three digits that count; never with an exponent.
std::string three_digits(double value) {
    return std::abs(value) >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

// The bytes of the first characters, or of those from a place on, are whole characters.
bool begins_character(const std::string& text, std::size_t at) { return (uint8_t(text[at]) & 0xc0) != 0x80; }

}  // namespace

Color color_of(const std::string& pass) {
    return pass.starts_with("encoder/") ? kEncoder : pass.starts_with("decoder/") ? kDecoder : kOther;
}

std::string with_prefix(double value, const char* unit) {
    static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t i = 0;
    while (std::abs(value) >= 999.5 && i + 1 < std::size(kPrefixes)) value /= 1000, ++i;
    const std::string behind = std::string(kPrefixes[i]) + unit;
    return three_digits(value) + (behind.empty() ? "" : " " + behind);
}

std::string duration(double seconds) {
    struct Unit {
        double seconds;
        const char* name;
    };
    for (const auto& [length, name] : {Unit{3600, "h"}, Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "µs"}})
        if (seconds >= 0.9995 * length * (length == 3600 ? 3 : 1)) return three_digits(seconds / length) + " " + name;
    return (seconds > 0 && seconds < 0.5e-12) ? "< 0.001 ns"
                                              : fmt::format("{:.3g} ns", std::round(seconds * 1e12) / 1e3);
}

std::string percent(double share, int digits) {
    const double least = std::pow(10.0, -digits);
    if (share > 0 && 100 * share < least / 2) return fmt::format("< {:.{}f} %", least, digits);
    return fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string fitted(const std::string& text, float size, float width) {
    using dragoman::picture::text_width;
    if (text_width(text, size) <= width) return text;
    std::size_t begin = text.size() / 2, end = begin;  // of what is left out
    const auto shortened = [&] { return text.substr(0, begin) + "…" + text.substr(end); };
    for (bool front = true; begin > 0 || end < text.size(); front = !front) {
        if (front && begin > 0)
            while (--begin > 0 && !begins_character(text, begin)) {}
        if (!front && end < text.size())
            while (++end < text.size() && !begins_character(text, end)) {}
        if (text_width(shortened(), size) <= width) break;
    }
    return shortened();
}

}  // namespace cli::bench_picture
