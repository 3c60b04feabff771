// SPDX-License-Identifier: Apache-2.0
#include "formats/npy.h"

#include "formats/marian_files.h"
#include "support/refused.h"

namespace dragoman::formats::npy_test {
namespace {

using test::check_refused;
using test::in_memory;
using test::npy;

TEST_CASE("arrays of every version") {
    const std::string data = test::bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
    for (const int version : {1, 2, 3}) {
        const std::string file = npy("<f4", "(2, 3)", data, version);
        const NpyArray array = read_npy(in_memory(file));
        CHECK(array.type == "f4");
        CHECK(array.shape == std::vector<uint32_t>{2, 3});
        CHECK(array.elements == 6);
        CHECK(std::memcmp(array.bytes.data(), data.data(), data.size()) == 0);
    }
    CHECK(read_npy(in_memory(npy("|i1", "(3,)", "abc"))).shape == std::vector<uint32_t>{3});
    CHECK(read_npy(in_memory(npy("<f4", "(3L, 0L)", ""))).elements == 0);
    CHECK(read_npy(in_memory(npy("<f8", "()", std::string(8, '\0')))).shape.empty());
}

TEST_CASE("arrays that cannot be read name what is wrong") {
    const auto refuse = [](Status status, std::initializer_list<const char*> parts, const std::string& file) {
        check_refused(status, parts, [&] { read_npy(in_memory(file)); });
    };
    refuse(Status::unsupported, {"m:", "fortran_order", "True"}, npy("<f4", "(1,)", "1234", 1, "True"));
    refuse(Status::unsupported, {"little-endian", ">f4"}, npy(">f4", "(1,)", "1234"));
    refuse(Status::unsupported, {"version", "1 to 3", "4"}, npy("<f4", "(1,)", "1234", 4));
    refuse(Status::bad_model, {"expected 8 bytes", "file has 4"}, npy("<f4", "(2,)", "1234"));
    refuse(Status::bad_model, {"expected 4 bytes", "file has 8"}, npy("<f4", "(1,)", "12345678"));
    refuse(Status::bad_model, {"2^40"}, npy("<f4", "(4294967295, 4294967295)", ""));
    refuse(Status::bad_model, {"2^32"}, npy("<f4", "(4294967296,)", ""));
    refuse(Status::bad_model, {"8 dimensions"}, npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", "1234"));
    refuse(Status::bad_model, {"descr", "O"}, npy("|O", "(1,)", "1234"));
    refuse(Status::bad_model, {"array of NumPy"}, "PK34567890");
    const std::string whole = npy("<f4", "(1,)", "1234");
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK_THROWS_AS(read_npy(in_memory(whole.substr(0, size))), Error);
}

}  // namespace
}  // namespace dragoman::formats::npy_test
