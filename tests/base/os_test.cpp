// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <vector>

#include "base/environment.h"
#include "base/os/file.h"
#include "base/os/library.h"
#include "base/os/process.h"
#include "base/os/terminal.h"
#include "base/os/thread.h"
#include "support/temp_dir.h"

namespace os_test {

using namespace dragoman;
namespace fs = std::filesystem;

TEST_CASE("a file that cannot be read is the system's error") {
    const test::TempDir folder;
    const auto open = [](const fs::path& path) { return os::ReadFile().open(path); };
    CHECK(open(folder.path() / "none") == std::errc::no_such_file_or_directory);
    CHECK(open(folder.path()) == std::errc::is_a_directory);
    if (fs::exists("/dev/null")) CHECK(open("/dev/null") == std::errc::not_supported);
}

TEST_CASE("a file is read from any place, and not beyond its end") {
    const test::TempDir folder;
    os::ReadFile file;
    CHECK_FALSE(file.open(folder.write("file", "0123456789")));
    CHECK(file.size() == 10);
    std::byte room[8];
    std::size_t got = 0;
    CHECK_FALSE(file.read(2, room, got));
    CHECK(got == 8);
    CHECK(char(room[0]) == '2');
    CHECK_FALSE(file.read(7, room, got));
    CHECK(got == 3);
    CHECK(char(room[2]) == '9');
    CHECK_FALSE(file.read(10, room, got));
    CHECK(got == 0);
}

TEST_CASE("addresses get memory where it is wanted") {
    const std::size_t page = os::page_bytes();
    std::byte* address = nullptr;
    CHECK_FALSE(os::reserve_addresses(8 * page, address));
    CHECK_FALSE(os::put_memory(address + 3 * page, 2 * page));
    CHECK(address[3 * page] == std::byte{0});
    address[5 * page - 1] = std::byte{7};
    os::release_addresses(address, 8 * page);
}

TEST_CASE("a hidden file is found when it is published, and gone without that") {
    const test::TempDir folder;
    const fs::path path = folder.path() / "file";
    {
        os::HiddenFile file;
        CHECK_FALSE(file.create(path));
        CHECK_FALSE(fs::exists(path));
    }
    CHECK(fs::is_empty(folder.path()));
    for (const char* text : {"one", "two"}) {
        os::HiddenFile file;
        CHECK_FALSE(file.create(path));
        CHECK_FALSE(file.write(std::as_bytes(std::span(text, 3))));
        CHECK_FALSE(file.publish(true));
        CHECK(test::read_file(path) == text);
    }
    os::HiddenFile late;
    CHECK_FALSE(late.create(path));
    CHECK(late.publish(false) == std::errc::file_exists);
    CHECK(test::read_file(path) == "two");
}

TEST_CASE("streams know their files") {
    const test::TempDir folder;
    const std::string one = folder.write("one", "1").string(), other = folder.write("other", "1").string();
    std::FILE* const reads = std::fopen(one.c_str(), "rb");
    std::FILE* const writes = std::fopen(one.c_str(), "ab");
    REQUIRE(reads);
    REQUIRE(writes);
    CHECK(os::is_open_as(reads, one));
    CHECK_FALSE(os::is_open_as(reads, other));
    CHECK_FALSE(os::is_open_as(reads, folder.path() / "none"));
    CHECK(os::have_one_file(reads, writes));
    std::fclose(writes);
    std::FILE* const third = std::fopen(other.c_str(), "rb");
    REQUIRE(third);
    CHECK_FALSE(os::have_one_file(reads, third));
    std::fclose(third);
    std::fclose(reads);
}

TEST_CASE("a long path that was made to fit stays as it is") {
    const test::TempDir folder;
    const std::string name(100, 'x');
    const fs::path fits = os::long_path(folder.path() / name / name / name / "file");
    CHECK(os::long_path(fits) == fits);
    CHECK(os::ReadFile().open(fits) == std::errc::no_such_file_or_directory);
}

TEST_CASE("a folder with a long path tells its files") {
    const test::TempDir folder;
    const std::string name(100, 'x');
    fs::path deep = folder.path();
    for (int i = 0; i < 3; ++i) fs::create_directory(os::long_path(deep /= name));
    os::HiddenFile file;
    CHECK_FALSE(file.create(deep / "file"));
    CHECK_FALSE(file.write(std::as_bytes(std::span("text", 4))));
    CHECK_FALSE(file.publish(false));
    std::vector<os::FileEntry> files;
    CHECK_FALSE(os::list_files(os::long_path(deep), files));
    REQUIRE(files.size() == 1);
    CHECK(files[0].name == "file");
    CHECK(files[0].bytes == 4);
    CHECK(os::list_files(deep / "none", files) == std::errc::no_such_file_or_directory);
    fs::remove(os::long_path(deep / "file"));
    for (; deep != folder.path(); deep = deep.parent_path()) fs::remove(os::long_path(deep));
}

TEST_CASE("a library that cannot be loaded is named, and addresses know their file") {
    std::string error;
    CHECK(os::load_library("/nonexistent/library.so", error) == nullptr);
    CHECK(error.find("/nonexistent/library.so") != std::string::npos);
    static const int here = 0;
    const fs::path file = os::file_of_address(&here);
    CHECK(file.is_absolute());
    CHECK(file.stem() == "test_base");
    int on_stack = 0;
    CHECK(os::file_of_address(&on_stack).empty());
}

TEST_CASE("memory that is touched is counted") {
    const uint64_t before = os::unbacked_bytes();
    std::vector<char> much(64u << 20, 1);
    if (before > 0) CHECK(os::unbacked_bytes() - before > (60u << 20));
    CHECK(os::peak_resident_bytes() > much.size());
}

TEST_CASE("free memory") {
    if (const auto bytes = os::free_memory_bytes()) CHECK(*bytes > (1u << 20));
}

TEST_CASE("a file is no terminal") {
    const test::TempDir folder;
    std::FILE* file = std::fopen((folder.path() / "file").string().c_str(), "w");
    REQUIRE(file);
    CHECK_FALSE(os::is_terminal(file));
    std::fclose(file);
}

#ifndef _WIN32  // where signals do not come to threads
TEST_CASE("signals are not for worker threads, and this one keeps them") {
    static volatile std::sig_atomic_t came = 0;
    const auto old = std::signal(SIGTERM, [](int) { came = 1; });
    bool came_in_worker = true;
    os::start_worker_thread([&] {
        std::raise(SIGTERM);  // to this thread, where it stays pending
        came_in_worker = came != 0;
    }).join();
    CHECK_FALSE(came_in_worker);
    std::raise(SIGTERM);
    CHECK(came == 1);
    std::signal(SIGTERM, old);
}
#endif

TEST_CASE("a variable that is not set is empty") {
    CHECK(environment("DRAGOMAN_NO_SUCH_VARIABLE").empty());
    CHECK_FALSE(environment_flag("DRAGOMAN_NO_SUCH_VARIABLE"));
    CHECK_FALSE(environment("PATH").empty());
}

}  // namespace os_test
