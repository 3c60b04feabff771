// SPDX-License-Identifier: Apache-2.0
#include "vulkan/tuning.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "support/temp_dir.h"

namespace tuning_test {

using dragoman::vulkan::Tuning;

namespace {

std::string contents(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("choices come back from the file, and a broken file is no file") {
    const dragoman::test::TempDir folder;
    const auto path = folder.path() / "below" / "tuning.txt";
    {
        Tuning tuning(path);
        CHECK(tuning.empty());
        tuning.save();
        CHECK(!std::filesystem::exists(path));  // nothing to keep
        tuning.set("kernel 1 2x3", 7);
        tuning.set("another", 0);
        tuning.save();
    }
    Tuning again(path);
    CHECK(again.find("kernel 1 2x3") == 7);
    CHECK(again.find("another") == 0);
    CHECK(!again.find("unknown"));

    const std::string good = contents(path);
    for (std::size_t length = 0; length < good.size(); ++length) {
        write(path, good.substr(0, length));
        CHECK(Tuning(path).empty());
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] ^= 1;
        write(path, bad);
        CHECK(Tuning(path).empty());
    }
    write(path, good);
    CHECK(Tuning(path).find("kernel 1 2x3") == 7);
}

TEST_CASE("without a path choices live as long as the object") {
    Tuning tuning({});
    tuning.set("kernel", 3);
    tuning.save();
    CHECK(tuning.find("kernel") == 3);
}

TEST_CASE("drafts are found where they were made, and by all once they are done") {
    const dragoman::test::TempDir folder;
    const auto path = folder.path() / "tuning.txt";
    Tuning tuning(path), other({});
    tuning.set("kernel", 1);
    const auto elsewhere = [&](const char* key) {
        std::optional<uint32_t> found;
        std::thread([&] { found = tuning.find(key); }).join();
        return found;
    };
    {
        const Tuning::Draft draft(tuning);
        tuning.set("kernel", 2);
        tuning.set("another", 3);
        other.set("kernel", 4);
        CHECK(tuning.find("kernel") == 2);
        CHECK(tuning.find("another") == 3);
        CHECK(elsewhere("kernel") == 1);
        CHECK(!elsewhere("another"));
        CHECK(other.find("kernel") == 4);
    }
    CHECK(tuning.find("kernel") == 2);
    CHECK(elsewhere("another") == 3);
    tuning.save();
    CHECK(Tuning(path).find("another") == 3);
}

}  // namespace tuning_test
