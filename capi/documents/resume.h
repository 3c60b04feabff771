// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "documents/part.h"

namespace dragoman::capi {

// Translations that are kept in a file, one in a line, until a document is written: after an interruption they are not
// made again.
class Resumed {
public:
    // NULL: nothing is kept. `key`: translations made with another one, of other options, are left out.
    Resumed(const char* path, std::string key);
    const documents::Translation* find(std::string_view text) const;
    void add(std::string_view text, const documents::Translation& translation);

private:
    const std::string key_;
    std::ofstream file_;
    std::map<std::string, documents::Translation, std::less<>> known_;
};

}  // namespace dragoman::capi
