// SPDX-License-Identifier: Apache-2.0
#include "base/os/utf8_locale.h"

namespace dragoman::os {

// Libraries take names in UTF-16 here.
Utf8Locale::Utf8Locale() = default;
Utf8Locale::~Utf8Locale() = default;

}  // namespace dragoman::os
