// SPDX-License-Identifier: Apache-2.0
#include "text/number_notation.h"

#include <doctest/doctest.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>

#include <memory>

namespace number_notation_test {

using dragoman::text::number_notation;

namespace {

struct Close {
    void operator()(UResourceBundle* bundle) const { ures_close(bundle); }
};
using Bundle = std::unique_ptr<UResourceBundle, Close>;

// A mark of a language in CLDR's data, which its parents have where it has none itself.
std::string cldr(std::string language, const char* mark) {
    for (;;) {
        UErrorCode status = U_ZERO_ERROR;
        Bundle at(ures_open(nullptr, language.c_str(), &status));
        for (const char* key : {"NumberElements", "latn", "symbols"})
            at.reset(ures_getByKey(at.get(), key, nullptr, &status));
        int32_t size = 0;
        const UChar* found = ures_getStringByKey(at.get(), mark, &size, &status);
        if (U_SUCCESS(status)) {
            char bytes[16];
            u_strToUTF8(bytes, sizeof bytes, &size, found, size, &status);
            return {bytes, std::size_t(size)};
        }
        if (language == "root") return {};
        const std::size_t region = language.find('_');
        language = language == "es_MX" ? "es_419" : region == std::string::npos ? "root" : language.substr(0, region);
    }
}

}  // namespace

TEST_CASE("numbers are written as CLDR says") {
    UErrorCode status = U_ZERO_ERROR;
    const Bundle german(ures_open(nullptr, "de", &status));
    if (status != U_ZERO_ERROR) return;  // this ICU has no data of languages
    for (const char* language :
         {"en", "zh",    "ja",    "ko", "th",    "he",    "sw", "cy", "ga", "ms", "es-MX", "de", "es", "it", "nl", "pt",
          "id", "tr",    "da",    "el", "hr",    "sl",    "sr", "bs", "ro", "vi", "ca",    "gl", "is", "az", "ru", "uk",
          "pl", "cs",    "sk",    "bg", "fi",    "no",    "sv", "hu", "lt", "lv", "et",    "hy", "ka", "sq", "be", "kk",
          "af", "de-AT", "pt-PT", "fr", "de-CH", "it-CH", "eu", "fo", "lb", "jv", "zu",    "ky", "tk"}) {
        std::string locale = language;
        CAPTURE(locale);
        if (const std::size_t hyphen = locale.find('-'); hyphen != std::string::npos) locale[hyphen] = '_';
        CHECK(number_notation(language).decimal == cldr(locale, "decimal"));
        CHECK(number_notation(language).group == cldr(locale, "group"));
    }
}

TEST_CASE("languages that are not known have no notation") {
    CHECK(!number_notation("").known());
    CHECK(!number_notation("und").known());
    CHECK(!number_notation("fa").known());
    CHECK(number_notation("deu_Latn").decimal == ",");
    CHECK(number_notation("de_CH").group == "\xe2\x80\x99");
    CHECK(number_notation("en-GB").decimal == ".");
}

}  // namespace number_notation_test
