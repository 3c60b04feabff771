// SPDX-License-Identifier: Apache-2.0
#include "base/half.h"
#include "formats/marian_file.h"
#include "formats/marian_files.h"
#include "support/refused.h"

namespace dragoman::formats::marian_bin_test {
namespace {

using test::BinItem;
using test::bytes_of;
using test::check_refused;
using test::in_memory;
using Values = std::vector<float>;

MarianFile read(const std::string& file) { return read_marian_bin(in_memory(file)); }

Values values(const MarianFile& file, std::string_view name) {
    const spec::HostTensor& tensor = file.find(name)->tensor;
    Values result(tensor.elements());
    spec::to_f32(tensor, 0, result);
    return result;
}

// Integers and the multiplier behind them.
BinItem integers(const std::string& name, uint64_t code, std::vector<uint32_t> shape, std::vector<int8_t> numbers,
                 float scale) {
    return {name, code, std::move(shape), bytes_of(numbers) + bytes_of(std::vector<float>{scale})};
}

TEST_CASE("floats of every size") {
    const std::vector<uint16_t> halves = {to_half(0.5f), to_half(-3.0f)};
    const std::string file = test::marian_bin({{"a", 0x404, {1, 2}, bytes_of(Values{1, 2})},
                                               {"b", 0x402, {2}, bytes_of(halves)},
                                               {"c", 0x408, {2, 1}, bytes_of(std::vector<double>{0.25, -8})},
                                               {"dropped", 0x204, {1}, "1234"},
                                               test::bin_options("type: transformer\n")});
    CHECK(looks_like_marian_bin(std::as_bytes(std::span(file))));
    const MarianFile read_file = read(file);
    CHECK(read_file.options == "type: transformer\n");
    CHECK(values(read_file, "a") == Values{1, 2});
    CHECK(read_file.find("a")->tensor.shape == std::vector<uint32_t>{1, 2});
    CHECK(values(read_file, "b") == Values{0.5f, -3});
    CHECK(values(read_file, "c") == Values{0.25f, -8});
    CHECK(read_file.find("dropped") == nullptr);
}

TEST_CASE("integers of both lines of Marian lie transposed, embeddings as they are") {
    for (const uint64_t code : {0x10001u, 0x4101u}) {
        const std::string file =
            test::marian_bin({integers("Wemb", code, {3, 2}, {1, 2, 3, 4, 5, 127}, 2),
                              integers("l1_W1", code, {3, 2}, {1, 2, 3, 4, 5, -127}, 4),
                              integers("Wemb_QuantMultA", code, {1}, {127}, 8), test::bin_options("a: b")});
        const MarianFile read_file = read(file);
        CHECK(values(read_file, "Wemb") == Values{0.5f, 1, 1.5f, 2, 2.5f, 63.5f});
        CHECK(read_file.find("Wemb")->tensor.shape == std::vector<uint32_t>{3, 2});
        CHECK_FALSE(read_file.find("Wemb")->rows_are_outputs);
        CHECK(read_file.find("l1_W1")->rows_are_outputs);
        CHECK(read_file.find("l1_W1")->for_integer_products);
        CHECK(read_file.find("l1_W1")->tensor.shape == std::vector<uint32_t>{2, 3});
        CHECK(values(read_file, "l1_W1") == Values{0.25f, 0.5f, 0.75f, 1, 1.25f, -31.75f});
        CHECK(values(read_file, "Wemb_QuantMultA") == Values{15.875f});
    }
    const std::vector<int16_t> wide = {1, -1024};
    for (const uint64_t code : {0x10002u, 0x4102u}) {
        const MarianFile file = read(test::marian_bin({{"l1_W1", code, {1, 2}, bytes_of(wide) + bytes_of(Values{1024})},
                                                       test::bin_options("a: b")}));
        CHECK(values(file, "l1_W1") == Values{1.0f / 1024, -1});
        CHECK_FALSE(file.find("l1_W1")->for_integer_products);
    }
}

TEST_CASE("layouts of one kind of CPU and encrypted files are refused with what to do") {
    const auto refuse = [](uint64_t code, const char* name) {
        check_refused(Status::unsupported, {"m: w_W", name, "marian-conv", ".npz"}, [&] {
            read(test::marian_bin({{"w_W", code, {8, 8}, std::string(68, 'x')}, test::bin_options("a: b")}));
        });
    };
    refuse(0x802, "packed16");
    refuse(0x1801, "packed8avx2");
    refuse(0x2801, "packed8avx512");
    refuse(0x18001, "intgemm8ssse3");
    refuse(0x11001, "intgemm8avx2");
    refuse(0x12001, "intgemm8avx512");
    refuse(0x13001, "intgemm8avx512vnni");
    refuse(0x11002, "intgemm16avx2");
    check_refused(Status::unsupported, {"code 0x777"},
                  [] { read(test::marian_bin({{"w", 0x777, {1}, "x"}, test::bin_options("a: b")})); });
    const std::string encrypted = test::marian_bin({test::bin_options("a: b")}, 2);
    CHECK(looks_like_marian_bin(std::as_bytes(std::span(encrypted))));
    check_refused(Status::unsupported, {"version", "2", "encrypted"}, [&] { read(encrypted); });
}

TEST_CASE("broken files are refused at every length") {
    const std::string whole = test::marian_bin({integers("l1_W", 0x4101, {2, 2}, {1, 2, 3, 4}, 4),
                                                {"b", 0x404, {1, 2}, bytes_of(Values{1, 2})},
                                                test::bin_options("type: transformer")});
    REQUIRE_NOTHROW(read(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_THROWS_AS(read(whole.substr(0, size)), Error);
    // Every count and size at the front of the file, as large as can be.
    for (std::size_t at = 8; at < 16 + 3 * 32; at += 8) {
        if (at >= 16 && (at - 16) % 32 == 8) continue;  // types
        std::string forged = whole;
        forged.replace(at, 8, std::string(8, '\xff'));
        CHECK_THROWS_AS(read(forged), Error);
    }
    check_refused(Status::bad_model, {"version: expected 1", "3"}, [] { read(test::marian_bin({}, 3)); });
    check_refused(Status::bad_model, {"special:model.yml"}, [] { read(test::marian_bin({})); });
    check_refused(Status::bad_model, {"l1_W", "multiplier", "file has 0"}, [] {
        read(test::marian_bin({integers("l1_W", 0x4101, {2, 2}, {1, 2, 3, 4}, 0), test::bin_options("")}));
    });
    check_refused(Status::bad_model, {"a: expected one item"}, [] {
        read(test::marian_bin({{"a", 0x404, {1}, "1234"}, {"a", 0x404, {1}, "1234"}, test::bin_options("")}));
    });
    check_refused(Status::bad_model, {"a: expected 2048 bytes (16x32)", "file has 256"},
                  [] { read(test::marian_bin({{"a", 0x404, {16, 32}, "1234"}, test::bin_options("")})); });
}

}  // namespace
}  // namespace dragoman::formats::marian_bin_test
