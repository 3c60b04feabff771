// SPDX-License-Identifier: Apache-2.0
#include "files/file_map.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

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
    std::string text(map.bytes().size(), '\0');
    copy_bytes(map.bytes(), reinterpret_cast<std::byte*>(text.data()));
    return text;
}

std::string numbered(std::size_t size) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 / 3);
    return content;
}

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.status() == Status::io_error);
        return error.what();
    }
    return "nothing was thrown";
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

TEST_CASE("fetched bytes are in memory, and all the others are copied") {
    const TempFolder folder;
    const std::string content = numbered(100'001);
    const FileBytes file = map_file(folder.file("some", content));
    CHECK(file.mapped);
    REQUIRE(file.bytes.size() == content.size());
    const auto part = file.bytes.subspan(50'000, 20'000);
    fetch(part);
    fetch(part.subspan(100));
    CHECK(std::memcmp(part.data(), content.data() + 50'000, part.size()) == 0);
    std::string copied(50'000, '\0');
    copy_bytes(file.bytes.subspan(30'000, copied.size()), reinterpret_cast<std::byte*>(copied.data()));
    CHECK(copied == content.substr(30'000, copied.size()));
    FileBytes other = file;
    fetch(other);
    CHECK_FALSE(other.mapped);
    CHECK(other.text() == content);
    CHECK(read_whole(folder.path / "some").text() == content);
    fetch(std::as_bytes(std::span(content)));  // is in memory
    copy_bytes(std::as_bytes(std::span(content)).first(5), reinterpret_cast<std::byte*>(copied.data()));
    CHECK(copied.substr(0, 5) == content.substr(0, 5));
}

TEST_CASE("a file that is cut while it is open is an error, and what was fetched stays") {
    const TempFolder folder;
    const std::string content = numbered(300'000);
    const fs::path path = folder.file("some", content);
    const FileBytes file = map_file(path);
    fetch(file.bytes.first(1000));
    fs::resize_file(path, 150'000);
    CHECK(std::memcmp(file.bytes.data(), content.data(), 1000) == 0);
    const std::string said = message_of([&] { fetch(file.bytes); });
    CHECK(said.find("some: expected 300000 bytes, file has 150000: it was cut after it was opened") !=
          std::string::npos);
    std::vector<std::byte> room(1000);
    CHECK(message_of([&] { copy_bytes(file.bytes.subspan(149'500, 1000), room.data()); }).find("has 150000") !=
          std::string::npos);
    copy_bytes(file.bytes.subspan(149'000, 1000), room.data());
    CHECK(std::memcmp(room.data(), content.data() + 149'000, 1000) == 0);
}

}  // namespace file_map_test
