// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <dragoman/dragoman.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "header_c99.h"
#include "support/library_file.h"

namespace abi_test {

using dragoman::test::read_library;

namespace {

// Lists of the libraries' symbols.
const std::string kAbi = "abi.txt", kDocumentsAbi = "abi_documents.txt", kModelsAbi = "abi_models.txt";

// tests/capi/abi.txt: "function NAME", "struct NAME SIZE_ON_64_BIT" and "value NAME NUMBER" lines.
struct Abi {
    std::set<std::string> functions;
    std::map<std::string, std::size_t> structs;
    std::map<std::string, int64_t> values;
};

Abi checked_in(const std::string& list) {
    Abi abi;
    std::ifstream file(DRAGOMAN_SOURCE "/tests/capi/" + list);
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

// The version that each function must have.
const std::string kVersion = "DRAGOMAN_" + std::to_string(DRAGOMAN_VERSION_MAJOR);

void check_exports(const std::string& library, const std::string& abi) {
    const std::set<std::string> expected = checked_in(abi).functions;
    const std::set<std::string> found = read_library(library, kVersion).exports;
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

void check_own_name(const std::string& library, const std::string& name) {
#ifdef _WIN32
    CHECK(read_library(library, kVersion).own_name == name + ".dll");
#else
    CHECK(read_library(library, kVersion).own_name == "lib" + name + ".so." + std::to_string(DRAGOMAN_VERSION_MAJOR));
#endif
}

void check_sizes(const struct_size_row* rows, std::size_t count, const std::string& abi) {
    if (sizeof(void*) != 8) {
        MESSAGE("skipped: the sizes are those of 64-bit platforms");
        return;
    }
    const std::map<std::string, std::size_t> expected = checked_in(abi).structs;
    CHECK(count == expected.size());
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(rows[i].name);
        REQUIRE(expected.contains(rows[i].name));
        CHECK(rows[i].size == expected.at(rows[i].name));
    }
}

void check_values(const value_row* rows, std::size_t count, const std::string& abi) {
    const std::map<std::string, int64_t> expected = checked_in(abi).values;
    CHECK(count == expected.size());
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(rows[i].name);
        REQUIRE(expected.contains(rows[i].name));
        CHECK(rows[i].value == expected.at(rows[i].name));
    }
}

}  // namespace

TEST_CASE("the shared libraries export the functions of their lists and nothing else") {
    check_exports(DRAGOMAN_LIBRARY, kAbi);
    check_exports(DRAGOMAN_DOCUMENTS_LIBRARY, kDocumentsAbi);
#ifdef DRAGOMAN_MODELS_LIBRARY
    check_exports(DRAGOMAN_MODELS_LIBRARY, kModelsAbi);
#endif
}

TEST_CASE("the libraries' own names change with the major version only") {
    check_own_name(DRAGOMAN_LIBRARY, "dragoman");
    check_own_name(DRAGOMAN_DOCUMENTS_LIBRARY, "dragoman_documents");
#ifdef DRAGOMAN_MODELS_LIBRARY
    check_own_name(DRAGOMAN_MODELS_LIBRARY, "dragoman_models");
#endif
}

TEST_CASE("struct sizes, as C99 sees them") {
    std::size_t count = 0;
    const struct_size_row* rows = c99_struct_sizes(&count);
    check_sizes(rows, count, kAbi);
    CHECK(c99_default_beam_size() == DRAGOMAN_MODEL_DEFAULT);
    rows = c99_document_struct_sizes(&count);
    check_sizes(rows, count, kDocumentsAbi);
    rows = c99_models_struct_sizes(&count);
    check_sizes(rows, count, kModelsAbi);
}

TEST_CASE("enumerators and other numbers") {
    std::size_t count = 0;
    const value_row* rows = c99_values(&count);
    check_values(rows, count, kAbi);
    rows = c99_document_values(&count);
    check_values(rows, count, kDocumentsAbi);
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

}  // namespace abi_test
