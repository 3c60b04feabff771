// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_store.h"

#include <doctest/doctest.h>

#include <deque>

#include "base/error.h"
#include "base/half.h"
#include "spec/block_quantization.h"
#include "support/op_test.h"

namespace weight_store_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

// Tensors in memory, one byte off their alignment as they may be in a file.
class Tensors {
public:
    template <class T>
    void add(const std::string& name, DType dtype, std::vector<uint32_t> shape, const std::vector<T>& values,
             std::vector<float> scales = {}) {
        auto& bytes = storage_.emplace_back(values.size() * sizeof(T) + 1);
        std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(T));
        map.add(name, {.dtype = dtype,
                       .shape = std::move(shape),
                       .bytes = std::span<const std::byte>(bytes).subspan(1),
                       .scales = std::move(scales)});
    }
    void add(const std::string& name, const Matrix& m) { add(name, DType::f32, {m.rows, m.cols}, m.values); }

    spec::WeightMap map;

private:
    std::deque<std::vector<std::byte>> storage_;
};

// Row-major [n, k], read where ops::Weight says the elements are; the padding must be zero.
Matrix unpacked(Context& context, const Weight& weight) {
    const auto words = download<uint32_t>(context, weight.data);
    const uint32_t panels = (weight.n + 63) / 64;
    REQUIRE(words.size() * 4 == uint64_t(panels) * 64 * weight.k * size_bytes(weight.dtype));
    Matrix m{weight.n, weight.k, std::vector<float>(size_t(weight.n) * weight.k)};
    for (uint32_t o = 0; o < panels * 64; ++o)
        for (uint32_t i = 0; i < weight.k; ++i) {
            const size_t at = size_t(o / 64) * 64 * weight.k + size_t(i) * 64 + o % 64;
            float value;
            if (weight.dtype == DType::f16) value = from_half(reinterpret_cast<const uint16_t*>(words.data())[at]);
            else std::memcpy(&value, &words[at], sizeof value);
            if (o < weight.n) m.values[size_t(o) * weight.k + i] = value;
            else if (value != 0) FAIL("padding holds ", value);
        }
    return m;
}

Matrix unpacked(Context& context, const std::vector<nn::MatrixPart>& parts) {
    Matrix all;
    for (const nn::MatrixPart& part : parts) {
        CHECK(part.begin == all.rows);
        const Matrix some = unpacked(context, part.weight);
        all.values.insert(all.values.end(), some.values.begin(), some.values.end());
        all.rows += some.rows;
        all.cols = some.cols;
    }
    return all;
}

template <class F>
void check_error(Status status, const std::vector<std::string>& parts, F&& f) {
    try {
        f();
        FAIL("no error");
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(error.status() == status);
        for (const std::string& part : parts) {
            CAPTURE(part);
            CHECK(message.find(part) != std::string::npos);
        }
    }
}

template <class F>
void for_every_type(F&& f) {
    on_every_device([&](Context& context) {
        for (const DType type : {DType::f32, DType::f16}) {
            CAPTURE(name(type));
            f(context.shared_from_this(), type);
        }
    });
}

}  // namespace

TEST_CASE("a tensor that is missing or has another shape is named with both shapes") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        Tensors tensors;
        tensors.add("decoder/layer_3/ffn/linear_0/weight", random_matrix(6, 5, 1));
        tensors.add<float>("decoder/layer_norm/gamma", DType::f32, {4}, {1, 2, 3, 4});
        tensors.map.alias("decoder/projection/weight", "decoder/layer_3/ffn/linear_0/weight");
        nn::WeightStore store(context, tensors.map, type);

        check_error(Status::bad_model, {"decoder/layer_0/weight", "8x5"},
                    [&] { store.matrix("decoder/layer_0/weight", 8, 5); });
        check_error(Status::bad_model, {"encoder/beta", "17"}, [&] { store.vector("encoder/beta", 17); });
        check_error(Status::bad_model, {"decoder/layer_3/ffn/linear_0/weight: expected 5x6, file has 6x5"},
                    [&] { store.matrix("decoder/layer_3/ffn/linear_0/weight", 5, 6); });
        check_error(Status::bad_model, {"decoder/projection/weight: expected 30x1, file has 6x5"},
                    [&] { store.matrix("decoder/projection/weight", 30, 1); });
        check_error(Status::bad_model, {"decoder/layer_3/ffn/linear_0/weight: expected 30, file has 6x5"},
                    [&] { store.vector("decoder/layer_3/ffn/linear_0/weight", 30); });
        check_error(Status::bad_model, {"decoder/layer_norm/gamma: expected 5, file has 4"},
                    [&] { store.vector("decoder/layer_norm/gamma", 5); });
        check_error(Status::bad_model, {"decoder/layer_norm/gamma: expected 3, file has 4"},
                    [&] { store.optional_vector("decoder/layer_norm/gamma", 3); });
        CHECK(store.device_bytes() == 0);
        CHECK_FALSE(store.optional_vector("encoder/beta", 17));
        CHECK(download<float>(*context, store.optional_vector("decoder/layer_norm/gamma", 4)) ==
              std::vector<float>{1, 2, 3, 4});
    });
}

TEST_CASE("float16 refuses values it cannot hold") {
    on_every_device([](Context& context) {
        for (const float value : {65536.0f, -70000.0f}) {
            CAPTURE(value);
            Matrix m = random_matrix(70, 3, 2);
            m.values[200] = value;
            Tensors tensors;
            tensors.add("encoder/embeddings_0/weight", m);
            nn::WeightStore store(context.shared_from_this(), tensors.map, DType::f16);
            check_error(Status::unsupported, {"encoder/embeddings_0/weight", "65504"},
                        [&] { store.matrix("encoder/embeddings_0/weight", 70, 3); });
        }
        Matrix m = random_matrix(70, 3, 2, DType::f16);
        m.values[200] = 65504;
        m.values[7] = -65504;
        Tensors tensors;
        tensors.add("w", m);
        nn::WeightStore store(context.shared_from_this(), tensors.map, DType::f16);
        CHECK(unpacked(context, store.matrix("w", 70, 3)).values == m.values);
    });
}

TEST_CASE("weights that are no finite numbers are refused by name, element and value") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        const auto refused = [&](const std::string& text, const auto& load) {
            CAPTURE(text);
            check_error(Status::bad_model, {text}, load);
        };
        const std::pair<float, std::string> wrong[] = {{NAN, "NaN"}, {INFINITY, "infinity"}, {-INFINITY, "-infinity"}};
        for (const auto& [value, name] : wrong) {
            Matrix m = random_matrix(1301, 1001, 2, type);  // more than one upload
            m.values[200] = value;
            Matrix late = random_matrix(1301, 1001, 2, type);
            late.values[1300 * 1001 + 7] = value;
            Tensors tensors;
            tensors.add("early", m);
            tensors.add("late", late);
            tensors.add("right", random_matrix(3, 1001, 2, type));
            tensors.add<float>("vector", DType::f32, {4}, {1, 2, value, 4});
            tensors.map.add("joined", spec::joined_rows({tensors.map.get("right"), tensors.map.get("early")}));
            nn::WeightStore store(context, tensors.map, type);
            refused("early: " + name + " at element 200;", [&] { store.matrix("early", 1301, 1001); });
            refused("late: " + name + " at element 1301307;", [&] { store.parts("late", 1301, 1001); });
            refused("joined: " + name + " at element 3203;", [&] { store.parts("joined", 1304, 1001); });
            refused("vector: " + name + " at element 2;", [&] { store.vector("vector", 4); });
            refused("rows: " + name + " at element 0;", [&] { store.values("rows", {&value, 1}); });
            CHECK_NOTHROW(store.matrix("right", 3, 1001));
        }
    });
}

TEST_CASE("scales of blocks that are no finite numbers are refused; a logit that is never chosen is not") {
    on_every_device([](Context& context) {
        const uint32_t n = 3, k = 64;
        for (const DType type : {DType::q8, DType::q4}) {
            const Matrix m = random_matrix(n, k, 2);
            std::vector<std::byte> blocks(size_bytes(type, m.values.size()));
            REQUIRE(spec::quantize(type, m.values, blocks));
            for (std::size_t place = 0; place < (type == DType::q4 ? 2 : 1); ++place) {
                std::vector<std::byte> broken = blocks;
                const uint16_t nan = 0x7e00;
                std::memcpy(broken.data() + 4 * block_bytes(type) + place * 2, &nan, sizeof nan);
                Tensors tensors;
                tensors.add("w", type, {n, k}, broken);
                nn::WeightStore store(context.shared_from_this(), tensors.map, DType::f32);
                check_error(Status::bad_model, {"w: NaN at element 128"}, [&] { store.matrix("w", n, k); });
            }
        }
        Tensors tensors;
        tensors.add<float>("decoder/projection/bias", DType::f32, {2}, {-INFINITY, 1});
        tensors.add<float>("other/projection/bias", DType::f32, {2}, {NAN, 1});
        nn::WeightStore store(context.shared_from_this(), tensors.map, DType::f32);
        CHECK_NOTHROW(store.vector("decoder/projection/bias", 2));
        check_error(Status::bad_model, {"other/projection/bias: NaN at element 0"},
                    [&] { store.vector("other/projection/bias", 2); });
    });
}

TEST_CASE("tensors with several names are uploaded once") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        Tensors tensors;
        tensors.add("embeddings", random_matrix(70, 5, 3, type));
        tensors.add<float>("bias", DType::f32, {3}, {1, 2, 3});
        tensors.map.alias("projection", "embeddings");
        tensors.map.alias("again", "projection");
        tensors.map.alias("bias_2", "bias");
        nn::WeightStore store(context, tensors.map, type);
        const Weight first = store.matrix("projection", 70, 5).front().weight;
        const uint64_t matrix_bytes = 2ull * 64 * 5 * size_bytes(type);
        CHECK(store.device_bytes() == matrix_bytes);
        for (const char* name : {"embeddings", "again", "projection"})
            CHECK(store.matrix(name, 70, 5).front().weight.data.buffer == first.data.buffer);
        const BufferView bias = store.vector("bias", 3);
        CHECK(store.vector("bias_2", 3).buffer == bias.buffer);
        CHECK(store.device_bytes() == matrix_bytes + 12);
        CHECK(unpacked(*context, first).values == random_matrix(70, 5, 3, type).values);
    });
}

TEST_CASE("stored types become the values they stand for") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        const uint32_t n = 67, k = 7;
        std::mt19937 engine(4);
        std::vector<int8_t> i8(n * k);
        std::vector<int16_t> i16(n * k);
        std::vector<int32_t> i32(n * k);
        std::vector<uint16_t> f16(n * k), bf16(n * k);
        std::vector<float> scales(n);
        for (auto& value : i8) value = int8_t(engine() % 255 - 127);
        for (auto& value : i16) value = int16_t(engine() % 65535 - 32767);
        for (auto& value : i32) value = int32_t(engine() % 2001) - 1000;
        for (auto& value : f16) value = uint16_t(engine() % 2 << 15 | engine() % 0x4c00);  // up to 16 and subnormal
        for (auto& value : bf16) value = uint16_t(engine() % 2 << 15 | (0x3c00 + engine() % 0x580));  // 0.0078 to 17
        for (auto& scale : scales) scale = 20.0f + float(engine() % 1000) / 7;
        i8[0] = -128, i16[0] = -32768, f16[0] = 0x8000, bf16[0] = 0;

        Tensors tensors;
        tensors.add("i8 rows", DType::i8, {n, k}, i8, scales);
        tensors.add("i8", DType::i8, {n, k}, i8, {12.5f});
        tensors.add("i16", DType::i16, {n, k}, i16, {1000.0f});
        tensors.add("i16 rows", DType::i16, {n, k}, i16, scales);
        tensors.add("i32", DType::i32, {n, k}, i32);
        tensors.add("f16", DType::f16, {n, k}, f16);
        tensors.add("bf16", DType::bf16, {n, k}, bf16);
        tensors.add("i8 vector", DType::i8, {n * k}, i8, {12.5f});
        tensors.add("i16 vector", DType::i16, {n * k}, i16, {1000.0f});
        tensors.add("bf16 vector", DType::bf16, {n * k}, bf16);
        nn::WeightStore store(context, tensors.map, type);

        const auto check = [&](const char* name, const auto& value) {
            CAPTURE(name);
            const Matrix m = unpacked(*context, store.matrix(name, n, k));
            uint32_t wrong = 0;
            for (uint32_t i = 0; i < n * k; ++i) wrong += m.values[i] != rounded(value(i), type);
            CHECK(wrong == 0);
        };
        const auto bf16_value = [&](uint32_t i) {
            const int exponent = int(bf16[i] >> 7 & 0xff), mantissa = bf16[i] & 0x7f;
            const float magnitude = exponent ? std::ldexp(1.0f + float(mantissa) / 128, exponent - 127) : 0.0f;
            return bf16[i] >> 15 ? -magnitude : magnitude;
        };
        check("i8 rows", [&](uint32_t i) { return float(i8[i]) / scales[i / k]; });
        check("i8", [&](uint32_t i) { return float(i8[i]) / 12.5f; });
        check("i16", [&](uint32_t i) { return float(i16[i]) / 1000.0f; });
        check("i16 rows", [&](uint32_t i) { return float(i16[i]) / scales[i / k]; });
        check("i32", [&](uint32_t i) { return float(i32[i]); });
        check("f16", [&](uint32_t i) {
            const int exponent = f16[i] >> 10 & 0x1f, mantissa = f16[i] & 0x3ff;
            const float magnitude = exponent ? std::ldexp(1.0f + float(mantissa) / 1024, exponent - 15)
                                             : std::ldexp(float(mantissa), -24);
            return f16[i] >> 15 ? -magnitude : magnitude;
        });
        check("bf16", bf16_value);

        // Vectors stay f32 whatever the matrices are.
        const auto vector8 = download<float>(*context, store.vector("i8 vector", n * k));
        const auto vector16 = download<float>(*context, store.vector("i16 vector", n * k));
        const auto vector_bf16 = download<float>(*context, store.vector("bf16 vector", n * k));
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < n * k; ++i)
            wrong += vector8[i] != float(i8[i]) / 12.5f || vector16[i] != float(i16[i]) / 1000.0f ||
                     vector_bf16[i] != bf16_value(i);
        CHECK(wrong == 0);
    });
}

TEST_CASE("a matrix larger than one upload arrives whole") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        const Matrix m = random_matrix(1301, 1001, 5, type);
        Tensors tensors;
        tensors.add("w", m);
        nn::WeightStore store(context, tensors.map, type);
        CHECK((unpacked(*context, store.matrix("w", 1301, 1001)).values == m.values));
    });
}

TEST_CASE("a matrix larger than a buffer can be is in several") {
    for_every_type([](const std::shared_ptr<Context>& unlimited, DType type) {
        constexpr uint64_t kLimit = 80'000;
        const auto context =
            Context::create({.device = std::to_string(unlimited->caps().index), .buffer_limit_bytes = kLimit});
        CHECK(context->caps().max_storage_range_bytes == kLimit);
        const Matrix m = random_matrix(1301, 70, 5, type), fits = random_matrix(128, 70, 6, type);
        Tensors tensors;
        tensors.add("w", m);
        tensors.add("fits", fits);
        tensors.add("wide", random_matrix(1, 1000, 7, type));
        tensors.map.alias("again", "w");
        nn::WeightStore store(context, tensors.map, type);
        const auto& parts = store.matrix("w", 1301, 70);
        CHECK(parts.size() == (type == DType::f32 ? 6 : 3));
        for (const auto& part : parts) {
            CHECK(part.weight.data.size_bytes <= kLimit);
            CHECK(part.begin % ops::kPartColumns == 0);
        }
        CHECK(unpacked(*context, parts).values == m.values);
        CHECK(store.parts("again", 1301, 70).back().weight.data.buffer == parts.back().weight.data.buffer);
        CHECK(store.matrix("fits", 128, 70).size() == 1);
        check_error(Status::unsupported, {"\"wide\"", type == DType::f32 ? "256000 bytes" : "128000 bytes", "80000"},
                    [&] { store.matrix("wide", 1, 1000); });
    });
}

TEST_CASE("a matrix in parts is on the device as a whole one is") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        // Parts begin inside of panels, and one is larger than an upload.
        const uint32_t k = 64, sizes[] = {70, 20'000, 1, 130};
        Tensors tensors;
        Matrix whole;
        std::vector<spec::HostTensor> floats, mixed, blocks;
        uint32_t n = 0;
        for (const uint32_t rows : sizes) {
            const Matrix m = random_matrix(rows, k, 20 + n, DType::f16);
            const std::string name = fmt::format("rows from {}", n);
            tensors.add(name, m);
            std::vector<uint16_t> halves;
            for (const float value : m.values) halves.push_back(to_half(value));
            tensors.add(name + " in float16", DType::f16, {rows, k}, halves);
            std::vector<std::byte> quantised(size_bytes(DType::q8, m.values.size()));
            REQUIRE(spec::quantize(DType::q8, m.values, quantised));
            tensors.add(name + " in blocks", DType::q8, {rows, k}, quantised);
            floats.push_back(tensors.map.get(name));
            mixed.push_back(tensors.map.get(n % 4 ? name : name + " in float16"));
            blocks.push_back(tensors.map.get(name + " in blocks"));
            whole.values.insert(whole.values.end(), m.values.begin(), m.values.end());
            n += rows;
        }
        tensors.map.add("floats", spec::joined_rows(floats));
        tensors.map.add("mixed", spec::joined_rows(mixed));
        tensors.map.add("blocks", spec::joined_rows(blocks));
        std::vector<std::byte> quantised(size_bytes(DType::q8, whole.values.size()));
        REQUIRE(spec::quantize(DType::q8, whole.values, quantised));
        tensors.add("whole blocks", DType::q8, {n, k}, quantised);
        nn::WeightStore store(context, tensors.map, type);
        CHECK((unpacked(*context, store.matrix("floats", n, k)).values == whole.values));
        CHECK((unpacked(*context, store.parts("mixed", n, k)).values == whole.values));
        const auto& joined = store.matrix("blocks", n, k);
        CHECK(joined.front().weight.dtype == DType::q8);
        CHECK((download<uint32_t>(*context, joined.front().weight.data) ==
               download<uint32_t>(*context, store.matrix("whole blocks", n, k).front().weight.data)));
    });
}

TEST_CASE("a vector in parts") {
    on_every_device([](Context& context) {
        Tensors tensors;
        tensors.add<float>("a", DType::f32, {2}, {1, 2});
        tensors.add<uint16_t>("b", DType::f16, {1}, {to_half(3)});
        tensors.map.add("both", spec::joined_rows({tensors.map.get("a"), tensors.map.get("b")}));
        nn::WeightStore store(context.shared_from_this(), tensors.map, DType::f32);
        CHECK(download<float>(context, store.vector("both", 3)) == std::vector<float>{1, 2, 3});
    });
}

TEST_CASE("the fingerprint is that of the weights") {
    for_every_type([](const std::shared_ptr<Context>& context, DType type) {
        const auto fingerprint = [&](const Matrix& matrix, const std::string& name = "weight") {
            Tensors tensors;
            tensors.add(name, matrix);
            nn::WeightStore store(context, tensors.map, type);
            store.matrix(name, matrix.rows, matrix.cols);
            return store.fingerprint();
        };
        const Matrix matrix = random_matrix(130, 70, 3);
        CHECK(fingerprint(matrix) == fingerprint(matrix));
        CHECK_FALSE(fingerprint(matrix) == fingerprint(matrix, "other"));
        for (const std::size_t at : {std::size_t(0), std::size_t(4711), matrix.values.size() - 1}) {
            Matrix other = matrix;
            other.values[at] += 0.5f;
            CHECK_FALSE(fingerprint(matrix) == fingerprint(other));
        }
    });
}

}  // namespace weight_store_test
