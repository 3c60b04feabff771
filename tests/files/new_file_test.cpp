// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace new_file_test {

using namespace dragoman;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::size_t files_in(const fs::path& folder) {
    return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a new file is there when it is finished, and not before") {
    const test::TempDir folder;
    const fs::path path = folder.path() / "new";
    {
        NewFile file(path, false);
        file.write(bytes_of("half "));
        CHECK_FALSE(fs::exists(path));
        file.write(bytes_of("whole"));
        file.finish();
        CHECK(test::read_file(path) == "half whole");
    }
    CHECK(files_in(folder.path()) == 1);
    {
        NewFile never(folder.path() / "never", false);
        never.write(bytes_of("lost"));
    }
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("old files are replaced only where that is asked for, and only at the end") {
    const test::TempDir folder;
    const fs::path path = folder.write("old", "old");
    CHECK_THROWS_WITH_AS(NewFile(path, false), doctest::Contains("it exists"), Error);
    {
        NewFile file(path, true);
        file.write(bytes_of("new"));
        CHECK(test::read_file(path) == "old");
        file.finish();
    }
    CHECK(test::read_file(path) == "new");
    {
        NewFile late(folder.path() / "late", false);
        folder.write("late", "was faster");
        CHECK_THROWS_AS(late.finish(), Error);
    }
    CHECK(test::read_file(folder.path() / "late") == "was faster");
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("places where no file can be are named") {
    const test::TempDir folder;
    CHECK_THROWS_WITH_AS(NewFile(folder.path(), true), doctest::Contains("directory"), Error);
    CHECK_THROWS_WITH_AS(NewFile(folder.path() / "none" / "new", false), doctest::Contains("none"), Error);
}

}  // namespace new_file_test
