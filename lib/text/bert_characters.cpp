// SPDX-License-Identifier: Apache-2.0
#include "text/bert_characters.h"

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include <algorithm>

#include "text/characters.h"
#include "text/unicode_form.h"

namespace dragoman::text {
namespace {

// Models were trained with the categories of Unicode 8, which the tokenizers library still has: younger punctuation and
// marks are letters to them.
bool is_known(int32_t c) { return is_of_unicode(c, 8); }

bool is_kept_control(int32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

bool is_control(int32_t c) {
    const int8_t type = u_charType(c);
    if (type == U_PRIVATE_USE_CHAR) return true;
    return (type == U_CONTROL_CHAR || type == U_FORMAT_CHAR) && is_known(c) && !is_kept_control(c);
}

bool is_accent(int32_t c) { return u_charType(c) == U_NON_SPACING_MARK && is_known(c); }

}  // namespace

bool is_of_unicode(int32_t c, uint8_t version) {
    UVersionInfo age;
    u_charAge(c, age);
    return age[0] <= version;
}

bool is_bert_dropped(int32_t c) { return c == 0 || c == 0xfffd || is_control(c); }

bool is_bert_white(int32_t c) { return u_isUWhiteSpace(c); }

bool is_bert_punctuation(int32_t c) {
    if (c < 0x80) return c > 0x20 && c < 0x7f && !u_isalnum(c);
    return u_ispunct(c) && is_known(c);
}

// The blocks of CJK ideographs, as BERT's authors list them; the tokenizers library begins one of them late.
bool is_bert_ideograph(int32_t c) {
    constexpr Range kBlocks[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},  {0x20000, 0x2a6df},
                                 {0x2a700, 0x2b81f}, {0x2b920, 0x2ceaf}, {0x2f800, 0x2fa1f}};
    if (c < 0x3400) return false;
    return std::ranges::any_of(kBlocks, [&](Range block) {
        return std::size_t(c) >= block.begin && std::size_t(c) <= block.end;
    });
}

void append_lower(std::vector<int32_t>& to, int32_t c) {
    to.push_back(c == 0x130 ? 'i' : u_tolower(c));
    if (c == 0x130) to.push_back(0x307);  // the only one that becomes two
}

void append_without_accents(std::vector<int32_t>& to, int32_t c) {
    constexpr int32_t kMax = 32;
    UChar decomposed[kMax];
    static const UNormalizer2* nfd = normalizer_of(spec::UnicodeForm::Form::nfd);
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size = unorm2_getDecomposition(nfd, c, decomposed, kMax, &status);
    if (size < 0 || U_FAILURE(status)) {
        if (!is_accent(c)) to.push_back(c);
        return;
    }
    for (int32_t at = 0; at < size;) {
        UChar32 part = 0;
        U16_NEXT(decomposed, at, size, part);
        if (!is_accent(part)) to.push_back(part);
    }
}

}  // namespace dragoman::text
