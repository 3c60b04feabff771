// SPDX-License-Identifier: Apache-2.0
#include "formats/safetensors.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "files/file_map.h"
#include "formats/safetensors_file.h"
#include "support/temp_dir.h"

namespace dragoman::formats::safetensors_test {
namespace {

using nlohmann::json;
using test::SafetensorsFile;
using test::TempDir;

SafetensorsFile three_tensors() {
    SafetensorsFile file;
    file.set("a", "F32", {2, 3}, {1, -2.5f, 3, 4, 5, 1e30f});
    file.set("b", "F16", {2}, {0.5f, -7});
    file.set("c", "BF16", {}, {-3});
    file.tensors["d"] = {"I64", {0, 4}, ""};
    return file;
}

std::vector<float> values(const spec::HostTensor& tensor) {
    std::vector<float> result(tensor.elements());
    spec::to_f32(tensor, 0, result);
    return result;
}

void check_refused(const std::string& bytes, std::initializer_list<const char*> parts) {
    const TempDir folder;
    const FileBytes map = map_file(folder.write("some.safetensors", bytes));
    try {
        const Safetensors file(map);
        FAIL("a broken file was read");
    } catch (const Error& error) {
        INFO(std::string(error.what()));
        CHECK(error.status() == Status::bad_model);
        CHECK(std::string(error.what()).find("some.safetensors") != std::string::npos);
        for (const char* part : parts) CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, part);
    }
}

void check_changed(const std::function<void(json&)>& change, std::initializer_list<const char*> parts) {
    check_refused(three_tensors().bytes(change), parts);
}

TEST_CASE("tensors are what was written") {
    const TempDir folder;
    const FileBytes map = map_file(folder.write("some.safetensors", three_tensors().bytes()));
    const Safetensors file(map);
    CHECK(file.tensors().size() == 4);
    CHECK(values(file.floats("a", {2, 3})) == std::vector<float>{1, -2.5f, 3, 4, 5, 1e30f});
    CHECK(values(file.floats("b", {2})) == std::vector<float>{0.5f, -7});
    CHECK(values(file.floats("c", {})) == std::vector<float>{-3});
    CHECK(file.floats("b", {2}).dtype == DType::f16);
    CHECK(file.floats("c", {}).dtype == DType::bf16);
    CHECK(file.has("d"));
    CHECK_FALSE(file.has("__metadata__"));

    const auto message = [&](std::string_view name, const std::vector<uint32_t>& shape) -> std::string {
        try {
            file.floats(name, shape);
        } catch (const Error& error) {
            CHECK(error.status() == Status::bad_model);
            return error.what();
        }
        return "";
    };
    CHECK(message("a", {3, 2}).find("a: expected 3x2, file has 2x3") != std::string::npos);
    CHECK(message("e", {3}).find("e: expected 3, the file has no such tensor") != std::string::npos);
    CHECK(message("d", {0, 4}).find("d: expected F32, F16 or BF16, file has I64") != std::string::npos);
}

TEST_CASE("trailing spaces of the header belong to it") {
    const TempDir folder;
    const FileBytes map = map_file(folder.write("x", SafetensorsFile::with_header("{}     ", "")));
    CHECK(Safetensors(map).tensors().empty());
}

TEST_CASE("a file cut after any byte, or longer, is refused") {
    const std::string whole = three_tensors().bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) check_refused(whole.substr(0, size), {});
    check_refused(whole + "x", {"expected 30 bytes of data", "file has 31"});
    // The tensor that is not whole, its size and what there is of it.
    check_refused(whole.substr(0, whole.size() - 5), {"b: data_offsets [24,28]: expected 4 bytes (2 F16)",
                                                      "25 bytes of data have 1 of them", "cut short"});
    check_refused(whole.substr(0, whole.size() - 23), {"a: data_offsets [0,24]: expected 24 bytes (2x3 F32)",
                                                       "7 bytes of data have 7 of them", "cut short"});
    check_refused(whole.substr(0, 20), {"header length: expected at most 12", "cut short"});
}

TEST_CASE("header lengths that cannot be") {
    const std::string whole = three_tensors().bytes();
    const auto with_length = [&](uint64_t length) {
        return std::string(reinterpret_cast<const char*>(&length), 8) + whole.substr(8);
    };
    check_refused(with_length(0), {"JSON"});
    check_refused(with_length(whole.size() - 7), {"header length", "expected at most"});
    check_refused(with_length(~uint64_t{0}), {"header length", "18446744073709551615"});
    check_refused(with_length(uint64_t{1} << 63), {"header length"});
    check_refused("1234567", {"header length", "file has 7"});
}

TEST_CASE("headers that are not one object of entries") {
    check_refused(SafetensorsFile::with_header("[]", ""), {"expected an object", "array"});
    check_refused(SafetensorsFile::with_header("{\"a\": 1}", ""), {"a: expected an object", "number"});
    check_refused(SafetensorsFile::with_header("{\"\xff\": 1}", ""), {"JSON"});
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
    check_refused(SafetensorsFile::with_header(deep, ""), {"64 levels"});
    // One of two entries under one name would hide the other.
    const std::string twice = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                              R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
    check_refused(SafetensorsFile::with_header(twice, "xy"), {"header", "\"a\" once"});
}

TEST_CASE("many tensors take a time that grows with their number") {
    std::string header = "{";
    constexpr int kTensors = 100'000;  // some minutes, where each one looks at all others
    for (int i = 0; i < kTensors; ++i)
        header += (i ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" +
                  std::to_string(i) + "," + std::to_string(i + 1) + "]}";
    const std::string bytes = SafetensorsFile::with_header(header + "}", std::string(kTensors, 'x'));
    const Safetensors file({.name = "x.safetensors", .bytes = std::as_bytes(std::span(bytes)), .owner = {}});
    CHECK(file.tensors().size() == kTensors);
}

TEST_CASE("entries that contradict themselves or the data") {
    check_changed([](json& h) { h["a"].erase("dtype"); }, {"a: expected dtype"});
    check_changed([](json& h) { h["a"].erase("shape"); }, {"a: expected shape"});
    check_changed([](json& h) { h["a"].erase("data_offsets"); }, {"a: expected data_offsets"});
    check_changed([](json& h) { h["a"]["dtype"] = 4; }, {"a: dtype: expected a string", "4"});
    check_changed([](json& h) { h["a"]["dtype"] = "F31"; }, {"a: dtype", "F31"});
    check_changed([](json& h) { h["a"]["dtype"] = "F64"; }, {"a: expected 48 bytes (2x3 F64), file has 24"});
    check_changed([](json& h) { h["a"]["shape"] = {2, 4}; }, {"a: expected 32 bytes (2x4 F32), file has 24"});
    check_changed([](json& h) { h["a"]["shape"] = {2, -3}; }, {"a: shape: expected an array of whole numbers", "-3"});
    check_changed([](json& h) { h["a"]["shape"] = {2, 3.5}; }, {"a: shape", "3.5"});
    check_changed([](json& h) { h["a"]["shape"] = 6; }, {"a: shape", "6"});
    check_changed([](json& h) { h["a"]["shape"] = {uint64_t{1} << 32, uint64_t{1} << 32}; }, {"a: shape", "2^40"});
    check_changed([](json& h) { h["a"]["shape"] = {0u, uint64_t{1} << 32}; }, {"a: shape"});
    check_changed([](json& h) { h["a"]["shape"] = {1, 1, 1, 1, 1, 1, 1, 2, 3}; },
                  {"a: expected at most 8", "file has 9"});
    check_changed([](json& h) { h["a"]["shape"] = std::vector<int>(1000, -1); }, {"a: shape", "-1,-1..."});
    check_changed([](json& h) { h["a"]["data_offsets"] = {0}; }, {"a: data_offsets"});
    check_changed([](json& h) { h["a"]["data_offsets"] = {24, 0}; }, {"a: data_offsets", "[24,0]"});
    check_changed([](json& h) { h["c"]["data_offsets"] = {29, 31}; }, {"c: data_offsets", "30 bytes", "[29,31]"});
    check_changed([](json& h) { h["c"]["data_offsets"] = {~uint64_t{0} - 1, ~uint64_t{0}}; }, {"c: data_offsets"});
    check_changed([](json& h) { h["b"]["data_offsets"] = {22, 26}; }, {"data_offsets: expected 24", "file has 22"});
    check_changed([](json& h) { h["b"]["data_offsets"] = {25, 29}; }, {"data_offsets: expected 24", "file has 25"});
    check_changed([](json& h) { h.erase("b"); }, {"c: data_offsets: expected 24", "file has 28"});
    check_changed([](json& h) { h.erase("c"); }, {"d: data_offsets: expected 28", "file has 30"});
}

}  // namespace
}  // namespace dragoman::formats::safetensors_test
