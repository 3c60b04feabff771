// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support/run_program.h"
#include "support/temp_dir.h"
#include "page/cutter.h"
#include "recorded.h"

namespace page_test {

using namespace dragoman::test;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/page";

Run translate(const std::string& page, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--model", kToyModel, "--beam", "4", "-"});
    return run(kProgram, more, page);
}

// The pieces with "|" between them.
std::string cut(std::string_view page, std::size_t least = 1) {
    std::string pieces;
    for (Cutter cutter(page, least); !cutter.done();) {
        if (!pieces.empty()) pieces += '|';
        pieces += cutter.next();
    }
    return pieces;
}

std::string page(const std::string& first, const std::string& second, const std::string& third) {
    return "<!DOCTYPE html>\r\n<html class=a>\n<head><title>" + first +
           "</title>\n<script>if (a<b) document.write('</p>');</script><style>p > b {}</style></head>\n"
           "<body><!-- loson </p> -->\n<div id=x>\n<p>" +
           second +
           "</p><pre>loson </p> lonaß</pre>\n"
           "<div class='notranslate'><p>loson lonaß?</p></div><img alt=\"" +
           third + "\"></div>\n<p>" + second + "<p>\t" + third + "\n</body></html>\n";
}

}  // namespace

// The sentences and what they become are in the model's expected.json, see subtitles_test.cpp.
TEST_CASE("a page keeps all but its words, whole and in pieces") {
    const std::string source = page("loson lonaß?", "lonan losora!", "banaß banara!");
    const std::string target = page("Gaлаx vöpisa?", "vösa vökuй!", "foлаx foй!");
    for (const char* piece : {"100000", "1", "150"}) {
        const Run run = translate(source, {"--piece", piece});
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        CHECK(run.out == target);
    }
    CHECK(translate("").out.empty());
    CHECK(translate("1 &lt; 2").out == "1 &lt; 2");
}

TEST_CASE("files, and what is wrong with them") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "dragoman_page_test";
    fs::create_directories(folder);
    const std::string in = (folder / "in.html").string(), out = (folder / "out.html").string();
    std::ofstream(in, std::ios::binary) << "<p>loson lonaß?</p>";
    CHECK(run(kProgram, {"--model", kToyModel, "--beam", "4", in, out}, "").exit_code == 0);
    CHECK(read_file(out) == "<p>Gaлаx vöpisa?</p>");
    const Run broken = translate("<p>\xff");
    CHECK(broken.exit_code == 1);
    CHECK(broken.err == "page: standard input: invalid UTF-8 at byte 3\n");
    CHECK(run(kProgram, {"--lang", in}, "").exit_code == 2);
    CHECK(run(kProgram, {}, "").exit_code == 2);
    CHECK(run(kProgram, {(folder / "none.html").string()}, "").exit_code == 1);
    fs::remove_all(folder);
}

TEST_CASE("pieces end behind blocks, but not in what belongs together") {
    CHECK(cut("<p>a</p><p>b</p>c") == "<p>a</p>|<p>b</p>|c");
    CHECK(cut("<p>a</p><p>b</p>c", 9) == "<p>a</p><p>b</p>|c");
    CHECK(cut("a <b>b</b> c") == "a <b>b</b> c");
    CHECK(cut("<script>'</p>'</script><p>a</p>b") == "<script>'</p>'</script><p>a</p>|b");
    CHECK(cut("<!-- </p> --><a><p>a</p></a><p>b</p>") == "<!-- </p> --><a><p>a</p></a><p>b</p>");
    CHECK(cut("<div translate=no><div>a</div><p>b</p></div><p>c</p>d") ==
          "<div translate=no><div>a</div><p>b</p></div>|<p>c</p>|d");
    CHECK(cut("<div title='</p>'>a</div>b") == "<div title='</p>'>a</div>|b");
    CHECK(cut("<div lang=fr><p>a</p></div>") == "<div lang=fr><p>a</p></div>");
    for (const char* broken : {"", "<", "</", "<p", "<p a='", "<!--", "<script>", "</p></", "<>a</p>b"}) {
        std::string all;
        for (Cutter cutter(broken, 1); !cutter.done();) all += cutter.next();
        CHECK(all == broken);
    }
}

TEST_CASE("the language of a page") {
    CHECK(with_language("<!doctype html>\n<HTML lang=en-US dir=ltr><p>", "de") ==
          "<!doctype html>\n<HTML lang=de dir=ltr><p>");
    CHECK(with_language("<html data-lang='x' lang = \"en\">", "de") == "<html data-lang='x' lang = \"de\">");
    CHECK(with_language("<!-- <html lang=en> --><html>", "de") == "<!-- <html lang=en> --><html lang=\"de\">");
    CHECK(with_language("<p><html>", "de") == "<p><html>");
    CHECK(with_language("", "de").empty());
}

}  // namespace page_test
