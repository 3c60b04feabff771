// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "documents/part.h"

namespace dragoman::documents {

// The mark of the letter with which keys open an entry of a menu or press a button: "E&xit" of Windows, Qt, KDE and wx,
// "_Save" of GTK.
struct Accelerator {
    char mark = 0;  // '&' or '_'; 0: there is none
    std::string letter{};
};

// Takes the mark out of the last unit's text, if it has one, and only one. ampersands: "&" can be such a mark.
Accelerator take_accelerator(Units& units, bool ampersands);

// A translation with the mark: in front of the same letter, at a word's beginning if there is one, otherwise in front of
// the first letter; "(&X)" behind a text of a script without letters of that kind. `places` of the unit's marks follow.
std::string with_accelerator(const Accelerator& accelerator, std::string_view target, const Unit& unit,
                             std::vector<Range>& places);

}  // namespace dragoman::documents
