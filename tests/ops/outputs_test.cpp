// SPDX-License-Identifier: Apache-2.0
#include "ops/outputs.h"

#include <cmath>
#include <limits>

#include "ops/topk.h"
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

TEST_CASE("spread_columns puts columns in their places, with the records of all") {
    on_every_device([](Context& context) {
        for (const uint32_t cols : {1u, 70u, 2500u})
            for (const auto& [indirect, limited] : {std::pair(false, false), {true, false}, {true, true}})
                for (const uint32_t density :
                     {2u, 40u, 300u}) {  // of 1,000 columns, how many are left in by half of a list
                    const uint32_t rows = 3, capacity = 5, x_cols = 40;
                    CAPTURE(cols);
                    CAPTURE(limited);
                    CAPTURE(density);
                    Matrix x = random_matrix(rows, x_cols, cols);
                    x.values[3] = std::numeric_limits<float>::quiet_NaN();
                    x.values[x_cols + 4] = -1e30f;
                    std::mt19937 engine(cols + density);
                    std::vector<uint32_t> places(cols, ops::kNoPlace);
                    for (uint32_t i = 0; i < cols; ++i)
                        if (engine() % 1000 < 2 * density) places[i] = uint32_t(engine() % x_cols);
                    const auto from = upload(context, x, DType::f32, capacity, x_cols + 3);
                    const auto to = blank(context, capacity, cols, DType::f32, cols + 2);
                    const auto place_buffer = upload(context, places);
                    const uint64_t record_bytes = ops::column_records_bytes(capacity, cols);
                    const std::vector<uint32_t> none(record_bytes / 4, 7);
                    const auto records = upload(context, none), wanted = upload(context, none);
                    const LiveRows live(context, rows, capacity, indirect);
                    // Two slots of three rows each; the live rows are of either.
                    const uint32_t beam = 3, words = (cols + 31) / 32;
                    std::vector<uint32_t> bits(2 * words);
                    for (uint32_t i = 0; i < cols; ++i)
                        for (uint32_t slot = 0; slot < 2; ++slot)
                            if (engine() % 2 != 0 && (places[i] != ops::kNoPlace || density == 300))
                                bits[slot * words + i / 32] |= 1u << i % 32;
                    const std::vector<uint32_t> live_rows{1, 3, 5};
                    const auto bits_buffer = upload(context, bits), rows_buffer = upload(context, live_rows);
                    ops::SpreadColumnsArgs args{.x = from,
                                                .places = *place_buffer,
                                                .y = to,
                                                .records = *records,
                                                .permission = {},
                                                .rows = live.extent};
                    if (limited) args.permission = {.live_rows = *rows_buffer, .beam = beam, .bits = *bits_buffer};
                    const auto permits = [&](uint32_t r, uint32_t c) {
                        return !limited || (bits[live_rows[r] / beam * words + c / 32] >> (c % 32) & 1u) != 0;
                    };
                    run(context, live, [&](Recorder& rec) {
                        ops::spread_columns(rec, args);
                        ops::record_columns(rec, to, *wanted, live.extent);
                    });
                    const Matrix y = download(context, to);
                    Comparison comparison(DType::f32);
                    for (uint32_t r = 0; r < rows; ++r)
                        for (uint32_t c = 0; c < cols; ++c) {
                            const bool none = places[c] == ops::kNoPlace || !permits(r, c);
                            const float wanted_value = none ? ops::kNoLogit : x(r, places[c]);
                            if (std::isnan(wanted_value)) CHECK(std::isnan(y(r, c)));
                            else comparison.equal(r, c, y(r, c), wanted_value);
                        }
                    comparison.untouched(y, rows, cols);
                    comparison.check();
                    const auto expected = download<uint32_t>(context, *wanted);
                    CHECK((download<uint32_t>(context, *records) == expected));

                    // What is not permitted need not be written where the records say that a tile has nothing.
                    const auto part = blank(context, capacity, cols, DType::f32, cols + 2);
                    const auto again = upload(context, none);
                    args.y = part;
                    args.records = *again;
                    args.whole = false;
                    run(context, live, [&](Recorder& rec) { ops::spread_columns(rec, args); });
                    CHECK((download<uint32_t>(context, *again) == expected));
                    const Matrix some = download(context, part);
                    Comparison parts(DType::f32);
                    const uint32_t tiles = (cols + TOPK_TILE - 1) / TOPK_TILE;
                    for (uint32_t r = 0; r < rows; ++r)
                        for (uint32_t c = 0; c < cols; ++c)
                            if (expected[(r * RECORD_WORDS + RECORD_COLUMN) * tiles + c / TOPK_TILE] != 0xffffffffu &&
                                !std::isnan(y(r, c)))
                                parts.equal(r, c, some(r, c), y(r, c));
                    parts.check();
                }
    });
}

}  // namespace
}  // namespace dragoman::test::outputs_test
