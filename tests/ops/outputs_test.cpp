// SPDX-License-Identifier: Apache-2.0
#include "ops/outputs.h"

#include "support/op_test.h"

namespace dragoman::test::outputs_test {
namespace {

TEST_CASE("gather_outputs takes rows of a matrix in panels, every type") {
    on_every_device([](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16, DType::i8})
            for (const uint32_t k : {1u, 5u, 64u, 67u})
                for (const uint32_t live : {0u, 1u, 64u, 77u, 130u}) {
                    const uint32_t n = 150, capacity = 140;
                    CAPTURE(name(dtype));
                    CAPTURE(k);
                    CAPTURE(live);
                    std::mt19937 engine(k + live);
                    std::vector<uint32_t> ids(capacity, 3);
                    for (uint32_t i = 0; i < live; ++i) ids[i] = uint32_t(engine() % n);
                    if (live > 1) ids[1] = 9000;  // past the end: the last row

                    Matrix values = random_matrix(n, k, 1, dtype == DType::f16 ? DType::f16 : DType::f32, 100.0f);
                    if (dtype == DType::i8)
                        for (float& value : values.values) value = std::round(value);
                    const auto packed = [&](const Matrix& m) {
                        std::vector<uint32_t> words(ops::panel_bytes(m.rows, k, dtype) / 4);
                        const auto bytes = std::as_writable_bytes(std::span(words));
                        if (dtype == DType::i8)
                            ops::pack_int8_panels(std::vector<int8_t>(m.values.begin(), m.values.end()), k, bytes);
                        else ops::pack_panels(m.values, k, dtype, bytes);
                        return words;
                    };
                    Matrix expected{capacity, k, std::vector<float>(size_t(capacity) * k)};
                    for (uint32_t i = 0; i < live; ++i)
                        for (uint32_t c = 0; c < k; ++c)
                            expected.values[size_t(i) * k + c] = values(std::min(ids[i], n - 1), c);

                    const auto all = upload(context, packed(values)), id_buffer = upload(context, ids);
                    const std::vector<uint32_t> wanted = packed(expected);
                    const auto some = upload(context, std::vector<uint32_t>(wanted.size(), 0xabcdabcd));
                    const LiveRows count(context, live, capacity);
                    run(context, count, [&](Recorder& rec) {
                        ops::gather_outputs(rec, {.data = *all, .dtype = dtype, .n = n, .k = k}, *id_buffer,
                                            {.data = *some, .dtype = dtype, .n = capacity, .k = k}, count.extent);
                    });
                    CHECK((download<uint32_t>(context, *some) == wanted));
                }
    });
}

TEST_CASE("spread_columns puts columns in their places") {
    on_every_device([](Context& context) {
        for (const uint32_t cols : {1u, 70u, 2500u})
            for (const auto& [indirect, limited] : {std::pair(false, false), {true, false}, {true, true}}) {
                const uint32_t rows = 3, capacity = 5, x_cols = 40;
                const Matrix x = random_matrix(rows, x_cols, cols);
                std::mt19937 engine(cols);
                std::vector<uint32_t> places(cols, ops::kNoPlace);
                for (uint32_t i = 0; i < cols; ++i)
                    if (engine() % 3 == 0) places[i] = uint32_t(engine() % x_cols);
                const auto from = upload(context, x, DType::f32, capacity, x_cols + 3);
                const auto to = blank(context, capacity, cols, DType::f32, cols + 2);
                const auto place_buffer = upload(context, places);
                const LiveRows live(context, rows, capacity, indirect);
                // Two slots of three rows each; the live rows are of either.
                const uint32_t beam = 3, words = (cols + 31) / 32;
                std::vector<uint32_t> bits(2 * words);
                for (uint32_t& word : bits) word = uint32_t(engine());
                const std::vector<uint32_t> live_rows{1, 3, 5};
                const auto bits_buffer = upload(context, bits), rows_buffer = upload(context, live_rows);
                const ops::Permission permission{.live_rows = *rows_buffer, .beam = beam, .bits = *bits_buffer};
                run(context, live, [&](Recorder& rec) {
                    ops::spread_columns(rec, from, *place_buffer, to, -3e38f, live.extent,
                                        limited ? &permission : nullptr);
                });
                const auto permits = [&](uint32_t r, uint32_t c) {
                    return !limited || (bits[live_rows[r] / beam * words + c / 32] >> (c % 32) & 1u) != 0;
                };
                const Matrix y = download(context, to);
                Comparison comparison(DType::f32);
                for (uint32_t r = 0; r < rows; ++r)
                    for (uint32_t c = 0; c < cols; ++c)
                        comparison.equal(r, c, y(r, c),
                                         places[c] == ops::kNoPlace || !permits(r, c) ? -3e38f : x(r, places[c]));
                comparison.untouched(y, rows, cols);
                comparison.check();
            }
    });
}

}  // namespace
}  // namespace dragoman::test::outputs_test
