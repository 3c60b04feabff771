// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unicode/unorm2.h>

#include "base/error.h"
#include "spec/tokenizer_steps.h"

namespace dragoman::text {

// Throws internal: ICU lacks its data.
inline void check_unicode(UErrorCode status) {
    if (U_FAILURE(status)) fail(Status::internal, "Unicode normalisation: {}", u_errorName(status));
}

inline const UNormalizer2* normalizer_of(spec::UnicodeForm::Form form) {
    using Form = spec::UnicodeForm::Form;
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* result = form == Form::nfc    ? unorm2_getNFCInstance(&status)
                                 : form == Form::nfd  ? unorm2_getNFDInstance(&status)
                                 : form == Form::nfkc ? unorm2_getNFKCInstance(&status)
                                                      : unorm2_getNFKDInstance(&status);
    check_unicode(status);
    return result;
}

}  // namespace dragoman::text
