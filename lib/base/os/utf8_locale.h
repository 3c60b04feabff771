// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman::os {

// While it lives, C functions of this thread take and give text in UTF-8, where the system has a locale for that. For
// libraries that spell names of files as the locale says: the locale is the program's, and often none.
class Utf8Locale {
public:
    Utf8Locale();
    ~Utf8Locale();
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

private:
    void* own_ = nullptr;
    void* before_ = nullptr;
};

}  // namespace dragoman::os
