// SPDX-License-Identifier: Apache-2.0
#include "files/file_map.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "base/error.h"

namespace file_map_test {

using namespace dragoman;
namespace fs = std::filesystem;

namespace {

struct TempFolder {
    fs::path path = fs::temp_directory_path() / ("dragoman_file_map_" + std::to_string(std::hash<const void*>()(this)));
    TempFolder() { fs::create_directories(path); }
    ~TempFolder() { fs::remove_all(path); }
    fs::path file(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

std::string text_of(const FileMap& map) {
    return {reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size()};
}

void check_io_error(const fs::path& path) {
    try {
        const FileMap map(path);
    } catch (const Error& error) {
        CHECK(error.status() == Status::io_error);
        CHECK(std::string(error.what()).find(path.filename().string()) != std::string::npos);
        return;
    }
    FAIL("nothing was thrown for " << path);
}

}  // namespace

TEST_CASE("a file's bytes are there, and stay when the map moves") {
    const TempFolder folder;
    FileMap map(folder.file("some", std::string("a\0b\n", 4)));
    CHECK(text_of(map) == std::string("a\0b\n", 4));
    CHECK(map.path() == folder.path / "some");
    FileMap other(folder.file("other", "xyz"));
    const FileMap moved(std::move(map));
    CHECK(text_of(moved) == std::string("a\0b\n", 4));
    map = std::move(other);
    CHECK(text_of(map) == "xyz");
}

TEST_CASE("an empty file is an empty span") {
    const TempFolder folder;
    CHECK(FileMap(folder.file("empty", "")).bytes().empty());
}

TEST_CASE("a missing file and a folder are io errors that name the path") {
    const TempFolder folder;
    check_io_error(folder.path / "missing");
    check_io_error(folder.path);
    check_io_error(folder.file("plain", "x") / "below");
}

TEST_CASE("forgotten pages come back from the file") {
    const TempFolder folder;
    std::string content(100'000, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 / 3);
    const FileBytes bytes = map_file(folder.file("some", content));
    CHECK(bytes.mapped);
    CHECK(bytes.text() == content);
    forget_pages(bytes.bytes);
    CHECK(bytes.text() == content);
    forget_pages(bytes.bytes.subspan(4095, 5000));
    forget_pages(bytes.bytes.subspan(10, 0));
    CHECK(bytes.text() == content);
}

}  // namespace file_map_test
