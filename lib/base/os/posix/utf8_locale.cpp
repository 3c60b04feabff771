// SPDX-License-Identifier: Apache-2.0
#include "base/os/utf8_locale.h"

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <initializer_list>

namespace dragoman::os {

Utf8Locale::Utf8Locale() {
    for (const char* name : {"C.UTF-8", "UTF-8", "en_US.UTF-8"}) {
        const locale_t locale = newlocale(LC_CTYPE_MASK, name, locale_t(0));
        if (!locale) continue;
        own_ = locale;
        before_ = uselocale(locale);
        return;
    }
}

Utf8Locale::~Utf8Locale() {
    if (!own_) return;
    uselocale(static_cast<locale_t>(before_));
    freelocale(static_cast<locale_t>(own_));
}

}  // namespace dragoman::os
