// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/offsets.h"

#include <algorithm>

#include "serve/fields.h"
#include "serve/problem.h"

namespace serve::api {
namespace {

constexpr std::size_t kOwnStep = 64;  // bytes that are counted for each question

// What a byte adds: a character counts where it begins.
std::size_t own_units(unsigned char byte, OwnUnit unit) {
    if ((byte & 0xc0) == 0x80) return 0;
    return unit == OwnUnit::utf16 && byte >= 0xf0 ? 2 : 1;
}

}  // namespace

OwnUnit own_unit(const Json& fields) {
    const std::string name = text(fields, "offsets", "bytes");
    if (name == "bytes") return OwnUnit::bytes;
    if (name == "codepoints") return OwnUnit::codepoints;
    if (name == "utf16") return OwnUnit::utf16;
    throw Problem(Problem::Kind::bad_request,
                  "offsets is \"" + name + "\", \"bytes\", \"codepoints\" or \"utf16\" is expected", "offsets");
}

OwnPlaces::OwnPlaces(std::string_view text, OwnUnit unit) : text_(text), unit_(unit) {
    if (unit == OwnUnit::bytes) return;
    marks_.reserve(text.size() / kOwnStep + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % kOwnStep == 0) marks_.push_back(count);
        count += own_units(static_cast<unsigned char>(text[i]), unit);
    }
    if (text.size() % kOwnStep == 0) marks_.push_back(count);
}

std::size_t OwnPlaces::at(std::size_t byte) const {
    byte = std::min(byte, text_.size());
    if (unit_ == OwnUnit::bytes) return byte;
    std::size_t count = marks_[byte / kOwnStep];
    for (std::size_t i = byte / kOwnStep * kOwnStep; i < byte; ++i)
        count += own_units(static_cast<unsigned char>(text_[i]), unit_);
    return count;
}

}  // namespace serve::api
