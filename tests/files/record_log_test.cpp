// SPDX-License-Identifier: Apache-2.0
#include "files/record_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "support/refused.h"
#include "support/temp_dir.h"

namespace record_log_test {

using namespace dragoman;
using test::read_file;

namespace {

std::vector<std::string> records(const std::filesystem::path& path, const std::vector<std::string>& more = {}) {
    std::vector<std::string> found;
    RecordLog log(path, [&](std::string_view record) { found.emplace_back(record); });
    for (const std::string& record : more) log.add(record);
    return found;
}

const std::vector<std::string> kAll = {"one", "", std::string("t\0wo\n", 5), std::string(5000, 'x'), "last"};

}  // namespace

TEST_CASE("records come back in their order, and further ones behind them") {
    const test::TempDir folder;
    const auto path = folder.path() / "log";
    CHECK(records(path, kAll).empty());
    CHECK(records(path, {"more"}) == kAll);
    std::vector<std::string> all = kAll;
    all.push_back("more");
    CHECK(records(path) == all);
}

TEST_CASE("wherever the file was cut, the whole records are there, and it can grow again") {
    const test::TempDir folder;
    records(folder.path() / "log", kAll);
    const std::string whole = read_file(folder.path() / "log");
    std::vector<std::string> before;
    std::size_t most = 0;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        if (size > 200 && size + 200 < whole.size()) continue;  // inside the long one
        const auto path = folder.write("cut", whole.substr(0, size));
        const std::vector<std::string> found = records(path, {"more"});
        CAPTURE(size);
        REQUIRE(found.size() >= most);  // the longer the file, the more
        most = found.size();
        REQUIRE(std::equal(found.begin(), found.end(), kAll.begin()));
        before = found;
        before.push_back("more");
        REQUIRE(records(path) == before);
    }
    CHECK(most == kAll.size());
}

TEST_CASE("a record that was changed ends what is read") {
    const test::TempDir folder;
    records(folder.path() / "log", {"one", "two", "three"});
    std::string bytes = read_file(folder.path() / "log");
    bytes[bytes.find("two")] = 'T';
    CHECK(records(folder.write("changed", bytes)) == std::vector<std::string>{"one"});
}

TEST_CASE("a log can begin anew") {
    const test::TempDir folder;
    const auto path = folder.path() / "log";
    RecordLog log(path, [](std::string_view) {});
    for (const std::string& record : kAll) log.add(record);
    CHECK(log.bytes() == std::filesystem::file_size(path));
    log.clear();
    CHECK(log.bytes() == std::filesystem::file_size(path));
    CHECK(records(path).empty());
    log.add("new");
    CHECK(records(path) == std::vector<std::string>{"new"});
}

TEST_CASE("other files stay as they are") {
    const test::TempDir folder;
    const auto path = folder.write("notes.txt", "My notes\n");
    test::check_refused(Status::io_error, {"notes.txt: expected a file of kept translations"}, [&] { records(path); });
    CHECK(read_file(path) == "My notes\n");
    test::check_refused(Status::io_error, {"log: No such file or directory"},
                        [&] { records((folder.path() / "no") / "log"); });
}

}  // namespace record_log_test
