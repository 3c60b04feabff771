// SPDX-License-Identifier: Apache-2.0
#include "files/new_file.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/run_program.h"
#include "support/system.h"
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

TEST_CASE("what a link leads to is replaced, be it there or not, and the link stays" * test::only_posix()) {
    const test::TempDir folder;
    const auto replace = [](const fs::path& path, std::string_view text) {
        NewFile file(path, true);
        file.write(bytes_of(text));
        file.finish();
    };
    folder.write("old", "old");
    fs::create_directory(folder.path() / "other");
    fs::create_symlink("../old", folder.path() / "other" / "near");
    fs::create_symlink(folder.path() / "other" / "near", folder.path() / "far");
    fs::create_symlink("absent", folder.path() / "ahead");
    replace(folder.path() / "far", "new");
    CHECK(test::read_file(folder.path() / "old") == "new");
    replace(folder.path() / "ahead", "first");
    CHECK(test::read_file(folder.path() / "absent") == "first");
    for (const char* link : {"far", "ahead", "other/near"}) CHECK(fs::is_symlink(folder.path() / link));
    fs::create_symlink("round", folder.path() / "round");
    CHECK_THROWS_WITH_AS(NewFile(folder.path() / "round", true), doctest::Contains("round"), Error);
    CHECK_THROWS_WITH_AS(NewFile(folder.path() / "far", false), doctest::Contains("it exists"), Error);
    CHECK(files_in(folder.path()) == 6);
}

TEST_CASE("a new file has the permissions of the one that it replaces" * test::only_posix()) {
    const test::TempDir folder;
    const fs::path path = folder.write("old", "old");
    for (const fs::perms mode : {fs::perms::owner_read | fs::perms::owner_write, fs::perms::owner_read,
                                 fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all}) {
        fs::permissions(path, mode);
        NewFile file(path, true);
        file.write(bytes_of("new"));
        file.finish();
        CHECK(fs::status(path).permissions() == mode);
    }
}

TEST_CASE("a named pipe gets the bytes and is not replaced" * test::only_posix()) {
    const test::TempDir folder;
    const fs::path path = folder.path() / "pipe";
    test::make_named_pipe(path);
    std::fstream pipe(path, std::ios::in | std::ios::out);
    {
        NewFile file(path, true);
        file.write(bytes_of("through\n"));
        REQUIRE(fs::is_fifo(path));
        std::string line;
        std::getline(pipe, line);
        CHECK(line == "through");
        file.finish();
    }
    CHECK(fs::is_fifo(path));
    CHECK_THROWS_WITH_AS(NewFile(path, false), doctest::Contains("it exists"), Error);
    CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("places where no file can be are named") {
    const test::TempDir folder;
    CHECK_THROWS_WITH_AS(NewFile(folder.path(), true), doctest::Contains("directory"), Error);
    CHECK_THROWS_WITH_AS(NewFile(folder.path() / "none" / "new", false), doctest::Contains("none"), Error);
}

TEST_CASE("another user's link in a folder of everybody's is not followed, and those of the folder's owner are" *
          test::only_posix()) {
    const test::TempDir folder, own;
    const fs::path link = folder.path() / "link", kept = own.write("kept", "old");
    fs::create_symlink(kept, link);
    const auto give = [](const char* user, const fs::path& path) {
        return test::run("chown", {"-h", user, path.string()}).exit_code == 0;
    };
    if (!give("65534", link)) {
        MESSAGE("skipped: this user may give no file away");
        return;
    }
    const auto replace = [&](std::string_view text) {
        NewFile file(link, true);
        file.write(bytes_of(text));
        file.finish();
        return test::read_file(kept) == text;
    };
    CHECK(replace("not sticky"));
    fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
    CHECK_THROWS_WITH_AS(NewFile(link, true), doctest::Contains("is another user's"), Error);
    fs::create_symlink(link, own.path() / "far");
    CHECK_THROWS_WITH_AS(NewFile(own.path() / "far", true), doctest::Contains("link is another user's"), Error);
    CHECK(test::read_file(kept) == "not sticky");
    fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::sticky_bit);
    CHECK(replace("nobody else's folder"));
    fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
    REQUIRE(give("65534", folder.path()));
    CHECK(replace("the folder's owner's"));
    REQUIRE(give("0", link));
    CHECK(replace("own"));
}

}  // namespace new_file_test
