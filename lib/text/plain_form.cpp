// SPDX-License-Identifier: Apache-2.0
#include "text/plain_form.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "text/characters.h"

namespace dragoman::text {
namespace {

struct Form {
    int32_t c;
    std::string_view plain;
};

// Letters that do not decompose, and punctuation of other scripts and typographies.
constexpr Form kForms[]{
    {0xab, "\""},  {0xb4, "'"},    {0xb7, "-"},    {0xbb, "\""},   {0xc6, "Ae"},   {0xd0, "D"},    {0xd8, "O"},
    {0xde, "Th"},  {0xdf, "ss"},   {0xe6, "ae"},   {0xf0, "d"},    {0xf8, "o"},    {0xfe, "th"},   {0x110, "D"},
    {0x111, "d"},  {0x131, "i"},   {0x141, "L"},   {0x142, "l"},   {0x152, "Oe"},  {0x153, "oe"},  {0x2010, "-"},
    {0x2011, "-"}, {0x2012, "-"},  {0x2013, "-"},  {0x2014, "-"},  {0x2015, "-"},  {0x2018, "'"},  {0x2019, "'"},
    {0x201a, "'"}, {0x201b, "'"},  {0x201c, "\""}, {0x201d, "\""}, {0x201e, "\""}, {0x201f, "\""}, {0x2026, "..."},
    {0x2032, "'"}, {0x2033, "\""}, {0x2039, "'"},  {0x203a, "'"},  {0x2044, "/"},  {0x2212, "-"},  {0x3001, ","},
    {0x3002, "."}, {0x300c, "\""}, {0x300d, "\""}, {0xff0c, ","},  {0xff0e, "."},
};

bool is_mark(int32_t c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

}  // namespace

std::string plain_form(int32_t c) {
    const auto known = std::ranges::lower_bound(kForms, c, {}, &Form::c);
    if (known != std::end(kForms) && known->c == c) return std::string(known->plain);
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* nfkd = unorm2_getNFKDInstance(&status);
    std::array<UChar, 32> units{};
    const int32_t size =
        U_FAILURE(status) || c < 0 ? 0 : unorm2_getDecomposition(nfkd, c, units.data(), int32_t(units.size()), &status);
    std::string plain;
    for (int32_t i = 0; i < size && U_SUCCESS(status); ++i) {
        const UChar unit = units[std::size_t(i)];
        if (is_mark(unit)) continue;
        const int32_t form = unit == 0x2044 ? '/' : unit;
        if (form < 0x20 || form > 0x7e) return {};
        plain += char(form);
    }
    return plain;
}

}  // namespace dragoman::text
