// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <dragoman/dragoman.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "header_c99.h"

namespace {

// tests/capi/abi.txt: "function NAME", "struct NAME SIZE_ON_64_BIT" and "value NAME NUMBER" lines.
struct Abi {
    std::set<std::string> functions;
    std::map<std::string, std::size_t> structs;
    std::map<std::string, int64_t> values;
};

Abi checked_in() {
    Abi abi;
    std::ifstream file(DRAGOMAN_SOURCE "/tests/capi/abi.txt");
    REQUIRE(file.is_open());
    std::string kind, name;
    while (file >> kind >> name) {
        if (kind == "function") {
            abi.functions.insert(name);
        } else if (kind == "value") {
            file >> abi.values[name];
        } else {
            REQUIRE(kind == "struct");
            file >> abi.structs[name];
        }
    }
    return abi;
}

std::vector<std::string> output_of(const char* command) {
    std::vector<std::string> lines;
    FILE* pipe = popen(command, "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 1024> line;
    while (std::fgets(line.data(), line.size(), pipe)) lines.emplace_back(line.data());
    CHECK(pclose(pipe) == 0);
    return lines;
}

// The names, and the version that each of them must have.
std::set<std::string> exports() {
    const std::string version = "DRAGOMAN_" + std::to_string(DRAGOMAN_VERSION_MAJOR);
    std::set<std::string> names;
    for (const std::string& line : output_of("nm -D --defined-only '" DRAGOMAN_LIBRARY "'")) {
        std::istringstream words(line);
        std::string address, type, name;
        words >> address >> type >> name;
        if (type == "A" && name.starts_with(version)) continue;  // the version itself
        CAPTURE(name);
        CHECK(name.ends_with("@@" + version));
        names.insert(name.substr(0, name.find('@')));
    }
    return names;
}

}  // namespace

TEST_CASE("the shared library exports the functions of abi.txt and nothing else") {
    const std::set<std::string> expected = checked_in().functions;
    const std::set<std::string> found = exports();
    CHECK(found.size() > 0);
    for (const std::string& name : found) {
        CAPTURE(name);
        CHECK_MESSAGE(expected.contains(name), "exported, not in abi.txt");
    }
    for (const std::string& name : expected) {
        CAPTURE(name);
        CHECK_MESSAGE(found.contains(name), "in abi.txt, not exported");
    }
}

TEST_CASE("the library's own name changes with the major version only") {
    std::string found;
    for (const std::string& line : output_of("readelf -d '" DRAGOMAN_LIBRARY "'"))
        if (line.find("SONAME") != std::string::npos) found = line;
    CHECK(found.find("[libdragoman.so." + std::to_string(DRAGOMAN_VERSION_MAJOR) + "]") != std::string::npos);
}

TEST_CASE("struct sizes, as C99 sees them") {
    if (sizeof(void*) != 8) {
        MESSAGE("skipped: abi.txt holds the sizes of 64-bit platforms");
        return;
    }
    const std::map<std::string, std::size_t> expected = checked_in().structs;
    std::size_t count = 0;
    const struct_size_row* rows = c99_struct_sizes(&count);
    CHECK(count == expected.size());
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(rows[i].name);
        REQUIRE(expected.contains(rows[i].name));
        CHECK(rows[i].size == expected.at(rows[i].name));
    }
    CHECK(c99_default_beam_size() == DRAGOMAN_MODEL_DEFAULT);
}

TEST_CASE("enumerators and other numbers") {
    const std::map<std::string, int64_t> expected = checked_in().values;
    std::size_t count = 0;
    const value_row* rows = c99_values(&count);
    CHECK(count == expected.size());
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(rows[i].name);
        REQUIRE(expected.contains(rows[i].name));
        CHECK(rows[i].value == expected.at(rows[i].name));
    }
}

TEST_CASE("version") {
    CHECK(dragoman_version() == DRAGOMAN_VERSION);
    CHECK(std::string(dragoman_version_string()) == DRAGOMAN_PROJECT_VERSION);
    const std::string from_macros = std::to_string(DRAGOMAN_VERSION_MAJOR) + "." +
                                    std::to_string(DRAGOMAN_VERSION_MINOR) + "." +
                                    std::to_string(DRAGOMAN_VERSION_PATCH);
    CHECK(from_macros == dragoman_version_string());
}

TEST_CASE("status names") {
    CHECK(std::string(dragoman_status_name(DRAGOMAN_OK)) == "ok");
    CHECK(std::string(dragoman_status_name(DRAGOMAN_INVALID_ARGUMENT)) == "invalid_argument");
    CHECK(std::string(dragoman_status_name(DRAGOMAN_INTERNAL)) == "internal");
    std::set<std::string> names;
    for (int32_t status = 0; status <= DRAGOMAN_INTERNAL; ++status) names.insert(dragoman_status_name(status));
    CHECK(names.size() == 10);
    CHECK(!names.contains("unknown"));
    for (int32_t status : {-1, 10, INT32_MAX, INT32_MIN}) CHECK(std::string(dragoman_status_name(status)) == "unknown");
}
