// SPDX-License-Identifier: Apache-2.0
#include "ops/outputs.h"

#include "support/op_test.h"

namespace dragoman::test {
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
                        else
                            ops::pack_panels(m.values, k, dtype, bytes);
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

TEST_CASE("gather_outputs fills vectors with another value past the count") {
    on_every_device([](Context& context) {
        const std::vector<uint32_t> ids = {2, 0, 1, 0};
        const Matrix values = random_matrix(1, 64, 1);
        const auto all = upload(context, values.values), id_buffer = upload(context, ids),
                   some = upload(context, std::vector<float>(64, 7.0f));
        const LiveRows count(context, 3, 4);
        run(context, count, [&](Recorder& rec) {
            ops::gather_outputs(rec, {.data = *all, .n = 3, .k = 1}, *id_buffer, {.data = *some, .n = 4, .k = 1},
                                count.extent, -3e38f);
        });
        const auto got = download<float>(context, *some);
        for (uint32_t i = 0; i < 64; ++i) CHECK(got[i] == (i < 3 ? values(0, ids[i]) : -3e38f));
    });
}

TEST_CASE("name_columns turns columns into ids and leaves what is none") {
    on_every_device([](Context& context) {
        for (const uint32_t per_row : {1u, 3u, 20u}) {
            const uint32_t rows = 3, capacity = 4;
            const std::vector<uint32_t> ids = {9, 4, 70, 5, 8};
            std::vector<uint32_t> columns(capacity * per_row);
            for (uint32_t i = 0; i < columns.size(); ++i) columns[i] = i % 7 == 6 ? 0xffffffffu : i % 5;
            const auto id_buffer = upload(context, ids), column_buffer = upload(context, columns);
            const LiveRows live(context, rows, capacity);
            run(context, live, [&](Recorder& rec) {
                ops::name_columns(rec, *id_buffer, *column_buffer, per_row, live.extent);
            });
            for (uint32_t i = 0; i < rows * per_row; ++i)
                if (columns[i] != 0xffffffffu) columns[i] = ids[columns[i]];
            CHECK((download<uint32_t>(context, *column_buffer) == columns));
        }
    });
}

TEST_CASE("spread_columns puts columns in their places") {
    on_every_device([](Context& context) {
        for (const uint32_t cols : {1u, 70u, 2500u})
            for (const bool indirect : {false, true}) {
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
                run(context, live, [&](Recorder& rec) {
                    ops::spread_columns(rec, from, *place_buffer, to, -3e38f, live.extent);
                });
                const Matrix y = download(context, to);
                Comparison comparison(DType::f32);
                for (uint32_t r = 0; r < rows; ++r)
                    for (uint32_t c = 0; c < cols; ++c)
                        comparison.equal(r, c, y(r, c), places[c] == ops::kNoPlace ? -3e38f : x(r, places[c]));
                comparison.untouched(y, rows, cols);
                comparison.check();
            }
    });
}

}  // namespace
}  // namespace dragoman::test
