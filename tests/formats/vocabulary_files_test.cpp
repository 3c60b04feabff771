// SPDX-License-Identifier: Apache-2.0
#include "formats/vocabulary_files.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace dragoman::formats::vocabulary_files_test {
namespace {

using test::TempDir;
using Lines = std::vector<std::string>;

Lines read(const std::string& name, const std::string& content) {
    const TempDir folder;
    folder.write(name, content);
    return read_vocabulary(*FileSet::open(folder.path()), name);
}

std::string message(const std::string& name, const std::string& content) {
    try {
        read(name, content);
    } catch (const Error& error) {
        CHECK(error.status() == Status::bad_model);
        return error.what();
    }
    return "";
}

std::string found(const TempDir& folder, std::string_view side) {
    return find_sentencepiece(*FileSet::open(folder.path()), side);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("text vocabularies: one token per line, a last line end is no token") {
    CHECK(read("v.txt", "") == Lines{});
    CHECK(read("v.txt", "a\nb\n") == Lines{"a", "b"});
    CHECK(read("v.txt", "a\nb") == Lines{"a", "b"});
    CHECK(read("v.txt", "a\n\nb\n") == Lines{"a", "", "b"});
    CHECK(read("v.txt", "\n") == Lines{""});
    CHECK(read("v.txt",
               " a \n\xe2\x96\x81"
               "b\n") == Lines{" a ",
                               "\xe2\x96\x81"
                               "b"});
}

TEST_CASE("a mark of an editor at the beginning is no part of the first token") {
    CHECK(read("v.txt",
               "\xef\xbb\xbf"
               "a\nb\n") == Lines{"a", "b"});
    CHECK(read("v.txt", "a\n\xef\xbb\xbf\n") == Lines{"a", "\xef\xbb\xbf"});
}

TEST_CASE("a page of the web in place of a vocabulary") {
    CHECK(contains(message("vocab.txt", "<!DOCTYPE html>\n<html></html>\n"), "a page of the web (HTML)"));
    CHECK(contains(message("shared_vocabulary.txt", "Entry not found"), "a server's answer"));
    CHECK(read("v.txt", "<html>\n") == Lines{"<html>"});
}

TEST_CASE("carriage returns go only when every line ends with one") {
    CHECK(read("v.txt", "a\r\nb\r\n") == Lines{"a", "b"});
    CHECK(read("v.txt", "a\r\nb\n") == Lines{"a\r", "b"});
    CHECK(read("v.txt", "a\r\n\r\n") == Lines{"a", ""});
    CHECK(read("v.txt", "a\r\r\n") == Lines{"a\r"});
    CHECK(read("v.txt", "a\r\nb\r\nc") == Lines{"a", "b", "c"});  // the last one has no line end
    CHECK(read("v.txt", "a\r\nb\nc") == Lines{"a\r", "b", "c"});
}

TEST_CASE("JSON vocabularies") {
    CHECK(read("v.json", R"(["a", "\u00e9", "line\nend", ""])") == Lines{"a", "\xc3\xa9", "line\nend", ""});
    CHECK(read("v.json", "[]") == Lines{});
    CHECK(contains(message("v.json", R"({"a": 1})"), "expected an array of strings, file has object"));
    CHECK(contains(message("v.json", R"(["a", 7])"), "entry 1: expected a string, file has number"));
    CHECK(contains(message("v.json", R"(["a")"), "not valid JSON"));
    CHECK(contains(message("v.json", "[\"\xff\"]"), "not valid JSON"));
    CHECK(contains(message("v.json", R"(["\ud800"])"), "not valid JSON"));
}

TEST_CASE("bytes that are not UTF-8 are named with line and byte") {
    CHECK(contains(message("v.txt", "a\nbc\xe9\n"), "line 2, byte 2: expected UTF-8, file has 0xe9"));
}

TEST_CASE("SentencePiece files: a side's own, then the usual shared names, then the only one") {
    const TempDir folder;
    CHECK(found(folder, "source") == "");
    folder.write("corpus.spm", "");
    CHECK(found(folder, "source") == "corpus.spm");
    folder.write("source.spm", "");
    CHECK(found(folder, "source") == "source.spm");
    CHECK(found(folder, "target") == "corpus.spm");
    folder.write("second.spm", "");
    CHECK(found(folder, "target") == "");
    folder.write("spiece.model", "");
    folder.write("sentencepiece.bpe.model", "");
    CHECK(found(folder, "target") == "sentencepiece.bpe.model");
    folder.write("target.spm", "");
    CHECK(found(folder, "target") == "target.spm");
}

TEST_CASE("SentencePiece files: short names of the sides") {
    const TempDir folder;
    for (const char* extension : {".model", ".spm"}) {
        folder.write(std::string("src") + extension, "");
        folder.write(std::string("tgt") + extension, "");
        CHECK(found(folder, "source") == std::string("src") + extension);
        CHECK(found(folder, "target") == std::string("tgt") + extension);
    }
}

TEST_CASE("one side's SentencePiece model does not serve the other") {
    const TempDir folder;
    folder.write("source.spm", "");
    CHECK(found(folder, "target") == "");
}

}  // namespace
}  // namespace dragoman::formats::vocabulary_files_test
