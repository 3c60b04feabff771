// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "serve/json.h"

namespace serve::api {

// The unit that a client counts places of a text in.
enum class OwnUnit { bytes, codepoints, utf16 };

OwnUnit own_unit(const Json& fields);  // "offsets"; throws Problem

// Places in one text, from bytes of its UTF-8 to what a client counts in. Borrows the text.
class OwnPlaces {
public:
    OwnPlaces(std::string_view text, OwnUnit unit);
    std::size_t at(std::size_t byte) const;  // bytes on character boundaries; beyond the end: the end
    Json range(std::size_t begin, std::size_t end) const { return Json::array({at(begin), at(end)}); }

private:
    std::string_view text_;
    OwnUnit unit_;
    std::vector<std::size_t> marks_;  // counts before every kStep-th byte
};

}  // namespace serve::api
