// SPDX-License-Identifier: Apache-2.0
#include "spec/weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace dragoman::spec::weights_test {
namespace {

// Bytes at an odd address, as in a file.
template <class T>
class Unaligned {
public:
    Unaligned(DType dtype, std::vector<uint32_t> shape, const std::vector<T>& values, std::vector<float> scales = {})
        : storage_(1 + values.size() * sizeof(T)) {
        std::memcpy(storage_.data() + 1, values.data(), values.size() * sizeof(T));
        tensor_ = {dtype, std::move(shape), std::span(storage_).subspan(1), std::move(scales)};
    }
    std::vector<float> read(uint64_t begin, std::size_t count) const {
        std::vector<float> out(count);
        to_f32(tensor_, begin, out);
        return out;
    }
    const HostTensor& tensor() const { return tensor_; }

private:
    std::vector<std::byte> storage_;
    HostTensor tensor_;
};

using Floats = std::vector<float>;

TEST_CASE("to_f32 reads every type from any address") {
    CHECK(Unaligned<float>(DType::f32, {3}, {1.5f, -2.0f, 1e-40f}).read(0, 3) == Floats{1.5f, -2.0f, 1e-40f});
    CHECK(Unaligned<int32_t>(DType::i32, {2}, {-7, 1 << 20}).read(0, 2) == Floats{-7, 1048576});
    CHECK(Unaligned<uint32_t>(DType::u32, {2}, {0, 4000000000u}).read(0, 2) == Floats{0, 4e9f});
    CHECK(Unaligned<int16_t>(DType::i16, {2}, {-32768, 32767}).read(0, 2) == Floats{-32768, 32767});
    CHECK(Unaligned<int8_t>(DType::i8, {}, {-128}).read(0, 1) == Floats{-128});
    CHECK(Unaligned<uint16_t>(DType::bf16, {3}, {0x3f80, 0xc049, 0x0001}).read(0, 3) ==
          Floats{1.0f, -3.140625f, 0x1p-133f});
}

TEST_CASE("half precision: normal, subnormal, zero, infinite and NaN values") {
    const Unaligned<uint16_t> half(DType::f16, {8}, {0x3c00, 0xc000, 0x7bff, 0x0001, 0x83ff, 0x8000, 0x7c00, 0x7e00});
    const Floats got = half.read(0, 8);
    CHECK(got[0] == 1.0f);
    CHECK(got[1] == -2.0f);
    CHECK(got[2] == 65504.0f);
    CHECK(got[3] == 0x1p-24f);
    CHECK(got[4] == -1023 * 0x1p-24f);
    CHECK(std::signbit(got[5]));
    CHECK(got[5] == 0.0f);
    CHECK(std::isinf(got[6]));
    CHECK(std::isnan(got[7]));
}

TEST_CASE("scales divide, by row or for all") {
    const Unaligned<int8_t> rows(DType::i8, {3, 2}, {10, -10, 127, 0, 5, 6}, {10, 127, 2});
    CHECK(rows.read(0, 6) == Floats{1, -1, 1, 0, 2.5f, 3});
    CHECK(rows.read(1, 3) == Floats{-1, 1, 0});
    CHECK(rows.read(5, 1) == Floats{3});
    CHECK(rows.read(6, 0).empty());
    const Unaligned<int16_t> all(DType::i16, {2, 2}, {1000, 500, -250, 1}, {1000});
    CHECK(all.read(1, 2) == Floats{0.5f, -0.25f});
    CHECK(Unaligned<int8_t>(DType::i8, {1, 2}, {4, 8}, {4}).read(0, 2) == Floats{1, 2});
}

TEST_CASE("tensors joined by rows are views of their parts") {
    const Unaligned<float> first(DType::f32, {2, 2}, {1, 2, 3, 4}), last(DType::f32, {1, 2}, {9, 10});
    const Unaligned<uint16_t> halves(DType::f16, {1, 2}, {0x3c00, 0xc000});
    const Unaligned<int8_t> integers(DType::i8, {2, 2}, {10, 20, 30, 40}, {10, 20});
    const HostTensor joined = joined_rows({first.tensor(), last.tensor()});
    CHECK(joined.dtype == DType::f32);
    CHECK(joined.shape == std::vector<uint32_t>{3, 2});
    CHECK(joined.bytes.empty());
    REQUIRE(joined.parts.size() == 2);
    CHECK(joined.parts[1].bytes.data() == last.tensor().bytes.data());

    HostTensor columns = first.tensor();
    columns.transposed = true;
    const HostTensor mixed = joined_rows({halves.tensor(), integers.tensor(), joined, columns});
    CHECK(mixed.dtype == DType::f32);
    CHECK(mixed.shape == std::vector<uint32_t>{8, 2});
    const Floats expected{1, -2, 1, 2, 1.5f, 2, 1, 2, 3, 4, 9, 10, 1, 3, 2, 4};
    for (std::size_t begin = 0; begin <= expected.size(); ++begin)
        for (std::size_t count = 0; count <= expected.size() - begin; ++count) {
            Floats out(count);
            to_f32(mixed, begin, out);
            CHECK(std::ranges::equal(out, std::span(expected).subspan(begin, count)));
        }
    CHECK(joined_rows({halves.tensor(), halves.tensor()}).dtype == DType::f16);
    CHECK(joined_rows({first.tensor()}).parts.empty());
    CHECK_THROWS_AS(joined_rows({first.tensor(), HostTensor{DType::f32, {1, 3}, {}, {}}}), Error);
    const Unaligned<float> vector(DType::f32, {3}, {1, 2, 3});
    CHECK(joined_rows({vector.tensor(), vector.tensor()}).shape == std::vector<uint32_t>{6});
}

TEST_CASE("reading outside a tensor is a fault of ours") {
    const Unaligned<float> tensor(DType::f32, {2, 2}, {1, 2, 3, 4});
    CHECK_THROWS_AS(tensor.read(3, 2), Error);
    CHECK_THROWS_AS(tensor.read(5, 0), Error);
}

TEST_CASE("a scalar has one element, a tensor with a zero size none") {
    CHECK(HostTensor{}.elements() == 1);
    CHECK(HostTensor{DType::f32, {3, 0, 2}, {}, {}}.elements() == 0);
    CHECK(HostTensor{DType::f32, {70000, 70000}, {}, {}}.elements() == 4900000000ull);
}

TEST_CASE("a weight map finds tensors and aliases, and says what it did not find") {
    const Unaligned<float> data(DType::f32, {2, 3}, Floats(6, 1.0f));
    WeightMap map;
    map.add("a", data.tensor());
    map.alias("b", "a");
    map.alias("c", "b");
    CHECK(map.has("a"));
    CHECK(map.has("c"));
    CHECK_FALSE(map.has("d"));
    CHECK(map.find("d") == nullptr);
    CHECK(&map.get("c") == &map.get("a"));
    CHECK(map.key("c") == "a");
    CHECK(map.key("a") == "a");
    CHECK(map.tensors().size() == 1);
    CHECK(map.aliases().size() == 2);
    CHECK(&map.get("b", {2, 3}) == map.find("a"));

    const auto message = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            CHECK(error.status() == Status::bad_model);
            return error.what();
        }
        return "";
    };
    CHECK(message([&] { map.get("b", {3, 2}); }) == "b: expected 3x2, file has 2x3");
    CHECK(message([&] { map.get("b", {6}); }) == "b: expected 6, file has 2x3");
    CHECK(message([&] { map.get("d", {4, 4}); }) == "d: expected 4x4, the model has no such tensor");
    CHECK(message([&] { map.get("d"); }).starts_with("d: "));
    CHECK(message([&] { map.key("d"); }).starts_with("d: "));
    CHECK_THROWS_AS(map.add("a", data.tensor()), Error);
    CHECK_THROWS_AS(map.alias("a", "b"), Error);
}

}  // namespace
}  // namespace dragoman::spec::weights_test
