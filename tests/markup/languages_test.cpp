// SPDX-License-Identifier: Apache-2.0
// What a page says of its language, in shapes that pages have.
#include <doctest/doctest.h>

#include "markup/languages.h"
#include "markup/units.h"

namespace languages_test {

using namespace dragoman;

namespace {

std::string html(std::string_view page, std::string_view from, std::string_view to) {
    const markup::Units units = markup::html_units(page, from);
    return markup::splice(page, markup::language_edits(page, units.languages, to));
}

std::string xml(std::string_view document, std::string_view from, std::string_view to) {
    const markup::Units units = markup::xml_units(document, from);
    return markup::splice(document, markup::language_edits(document, units.languages, to));
}

}  // namespace

TEST_CASE("a page says its new language") {
    CHECK(html("<!DOCTYPE html>\n<html lang=\"en\">\n<p>a", "en", "de") == "<!DOCTYPE html>\n<html lang=\"de\">\n<p>a");
    CHECK(html("<html lang=en-US class=no-js><p>a", "en", "pt-BR") == "<html lang=pt-BR class=no-js><p>a");
    CHECK(html("<HTML LANG='EN'><p>a", "en", "de") == "<HTML LANG='de'><p>a");
    CHECK(html("<html lang='' xml:lang=\"en\"><p>a", "en", "de") == "<html lang='de' xml:lang=\"de\"><p>a");
    CHECK(html("<html lang=en lang=fr><p>a", "en", "de") == "<html lang=de lang=fr><p>a");  // the first one counts
    CHECK(html("<html><p>a", "en", "de") == "<html lang=\"de\"><p>a");
    CHECK(html("<HTML\n class=x><p>a", "en", "de") == "<HTML lang=\"de\"\n class=x><p>a");
    CHECK(html("<html lang><p>a", "en", "de") == "<html lang><p>a");  // there is no value to replace
    CHECK(html("<html lang=en><head><meta http-equiv=\"Content-Language\" content=\"en\">"
               "<meta property=\"og:locale\" content=\"en_US\"><link hreflang=en></head><p>a",
               "en", "de") ==
          "<html lang=de><head><meta http-equiv=\"Content-Language\" content=\"de\">"
          "<meta property=\"og:locale\" content=\"en_US\"><link hreflang=en></head><p>a");
    CHECK(html("<html lang=en><p>a", "en", "deu_Latn") == "<html lang=de><p>a");
    CHECK(html("<html lang=en><p>a", "en", "zho_Hant") == "<html lang=zh-Hant><p>a");
}

TEST_CASE("elements that are translated say it, those in other languages stay") {
    CHECK(html("<html lang=en><p lang=en-GB>a<p lang=fr>b <i lang=en>c</i><p>d", "en", "de") ==
          "<html lang=de><p lang=de>a<p lang=fr>b <i lang=en>c</i><p>d");
    CHECK(html("<p lang=en>a <q lang='fr'>b</q> <span lang=\"en\">c", "en", "de") ==
          "<p lang=de>a <q lang='fr'>b</q> <span lang=\"de\">c");
    CHECK(html("<p lang=en translate=no>a<p class=notranslate lang=en>b", "en", "de") ==
          "<p lang=en translate=no>a<p class=notranslate lang=en>b");
    // A page that says a wrong language is translated from the one that was named.
    CHECK(html("<html lang=fr><p lang=fr>a", "en", "de") == "<html lang=de><p lang=de>a");
    CHECK(html("<img lang=en alt=a><br><hr lang=fr>", "en", "de") == "<img lang=de alt=a><br><hr lang=fr>");
    CHECK(html("<p>a part of a page</p>", "en", "de") == "<p>a part of a page</p>");
}

TEST_CASE("the direction of writing") {
    CHECK(html("<html lang=en><body><p>a", "en", "ar") == "<html dir=\"rtl\" lang=ar><body><p>a");
    CHECK(html("<html><p>a", "en", "he") == "<html lang=\"he\" dir=\"rtl\"><p>a");
    CHECK(html("<html lang=en dir=ltr><body dir=\"LTR\"><p>a", "en", "fa") ==
          "<html lang=fa dir=rtl><body dir=\"rtl\"><p>a");
    CHECK(html("<html lang=ar dir=rtl><p dir=rtl lang=ar>a<span dir=ltr>12</span>", "ar", "en") ==
          "<html lang=en dir=ltr><p dir=ltr lang=en>a<span dir=ltr>12</span>");
    CHECK(html("<html lang=ar dir=auto><p>a", "ar", "en") == "<html lang=en dir=auto><p>a");
    CHECK(html("<html lang=ar dir=rtl><p>a", "ar", "ur") == "<html lang=ur dir=rtl><p>a");
    CHECK(html("<html lang=en><p>a", "en", "uz") == "<html lang=uz><p>a");
    CHECK(html("<html lang=en><p>a", "en", "az-Arab") == "<html dir=\"rtl\" lang=az-Arab><p>a");
}

TEST_CASE("nothing is said where nobody knows") {
    const std::string_view page = "<html lang=en dir=ltr><p lang=en>a";
    for (const char* language : {"", "und", "x", "Klingon"}) CHECK(html(page, "en", language) == page);
}

TEST_CASE("XML") {
    CHECK(xml("<html xmlns=\"x\" lang=\"en\" xml:lang=\"en\"><body><p>a</p></body></html>", "en", "de") ==
          "<html xmlns=\"x\" lang=\"de\" xml:lang=\"de\"><body><p>a</p></body></html>");
    CHECK(xml("<html xmlns='x'><body><p>a</p></body></html>", "en", "ar") ==
          "<html lang=\"ar\" dir=\"rtl\" xmlns='x'><body><p>a</p></body></html>");
    CHECK(xml("<h:html xmlns:h='x'><h:p>a</h:p></h:html>", "en", "de") ==
          "<h:html lang=\"de\" xmlns:h='x'><h:p>a</h:p></h:html>");
    CHECK(xml("<article xml:lang='en'><para>a</para><para xml:lang='fr'>b</para></article>", "en", "de") ==
          "<article xml:lang='de'><para>a</para><para xml:lang='fr'>b</para></article>");
    // Not everything that is called so is a language.
    CHECK(xml("<d><code lang='C++'>a</code><t>b</t></d>", "en", "de") == "<d><code lang='C++'>a</code><t>b</t></d>");
    CHECK(xml("<d><t>b</t></d>", "en", "ar") == "<d><t>b</t></d>");
}

}  // namespace languages_test
