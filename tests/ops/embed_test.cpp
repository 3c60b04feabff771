// SPDX-License-Identifier: Apache-2.0
#include "ops/embed.h"

#include "ops/kernels.h"
#include "support/op_test.h"

namespace dragoman::test::embed_test {
namespace {

struct Case {
    uint32_t rows = 1, vocabulary = 1, cols = 1;
    DType y = DType::f32, w = DType::f32;
    bool map = false, position_table = false, zero_at_start = false;
    float scale = 1.0f;
    uint32_t capacity = 0, padding = 0;
    bool indirect = false;
};

void check(Context& context, const Case& c) {
    if (!runs(context, *kernels::embed.shader, {c.y, c.w})) return;
    const std::string what = fmt::format("rows {} vocabulary {} cols {} {} {} map {} positions {} zero {}", c.rows,
                                         c.vocabulary, c.cols, name(c.y), name(c.w), c.map, c.position_table,
                                         c.zero_at_start);
    INFO(what);
    constexpr uint32_t kMaxPositions = 11;
    const uint32_t capacity = std::max(c.rows, c.capacity), entries = c.rows + 5;
    const Matrix table = random_matrix(c.vocabulary, c.cols, 1, c.w);
    const Matrix position_table = random_matrix(kMaxPositions, c.cols, 2);
    std::vector<uint32_t> ids(entries), positions(entries), map(std::max(c.rows, 1u));
    for (uint32_t i = 0; i < entries; ++i) {
        ids[i] = i % 7 == 6 ? c.vocabulary + i : i * 31 % c.vocabulary;  // some beyond the vocabulary
        positions[i] = i % 13;                                           // some beyond the table
    }
    for (uint32_t i = 0; i < c.rows; ++i) map[i] = (i * 3 + 1) % entries;

    const auto ids_buffer = upload(context, ids), positions_buffer = upload(context, positions);
    const auto map_buffer = upload(context, map);
    const auto weight = upload_weight(context, table, c.w);
    const auto position_buffer = upload(context, position_table.values);
    const auto out = blank(context, capacity, c.cols, c.y, c.cols + c.padding);
    const LiveRows live(context, c.rows, capacity, c.indirect);
    const bool positioned = c.position_table || c.zero_at_start;
    run(context, live, [&](Recorder& rec) {
        ops::embed(rec, {.ids = *ids_buffer,
                         .rows_map = c.map ? BufferView(*map_buffer) : BufferView(),
                         .positions = positioned ? BufferView(*positions_buffer) : BufferView(),
                         .table = weight.weight,
                         .position_table = c.position_table ? BufferView(*position_buffer) : BufferView(),
                         .max_positions = c.position_table ? kMaxPositions : 0,
                         .y = out,
                         .scale = c.scale,
                         .zero_at_start = c.zero_at_start,
                         .rows = live.extent});
    });
    const Matrix y = download(context, out);

    Comparison comparison(c.y);
    for (uint32_t row = 0; row < c.rows; ++row) {
        const uint32_t source = c.map ? map[row] : row;
        const uint32_t id = std::min(ids[source], c.vocabulary - 1);
        const uint32_t position = std::min(positions[source], kMaxPositions - 1);
        for (uint32_t col = 0; col < c.cols; ++col) {
            double expected = double(c.scale) * table(id, col);
            if (c.zero_at_start && positions[source] == 0) expected = 0;
            if (c.position_table) expected += position_table(position, col);
            comparison.close(row, col, y(row, col), expected, std::abs(c.scale));
        }
    }
    comparison.untouched(y, c.rows, c.cols);
    comparison.check();
}

TEST_CASE("embed over odd shapes and types") {
    constexpr DType kTypes[][2] = {{DType::f32, DType::f32}, {DType::f32, DType::f16}, {DType::f16, DType::f16}};
    on_every_device([&](Context& context) {
        for (const auto& [y, w] : kTypes)
            for (const uint32_t rows : {1u, 3u, 65u})
                for (const uint32_t cols : {1u, 7u, 64u, 100u, 512u})
                    for (const uint32_t vocabulary : {1u, 63u, 64u, 130u})
                        check(context, {.rows = rows,
                                        .vocabulary = vocabulary,
                                        .cols = cols,
                                        .y = y,
                                        .w = w,
                                        .position_table = rows == 65,
                                        .scale = 22.6f});
    });
}

TEST_CASE("embed with a row map, positions and Marian's zero start") {
    on_every_device([&](Context& context) {
        for (uint32_t options = 0; options < 8; ++options)
            check(context, {.rows = 30,
                            .vocabulary = 70,
                            .cols = 33,
                            .map = (options & 1) != 0,
                            .position_table = (options & 2) != 0,
                            .zero_at_start = (options & 4) != 0,
                            .scale = 3.0f,
                            .padding = 2});
    });
}

TEST_CASE("embed from a table in parts gives the bits of a whole one") {
    constexpr uint32_t kVocabulary = 300, kCols = 33, kRows = 40, kPart = 128;
    on_every_device([&](Context& context) {
        const Matrix table = random_matrix(kVocabulary, kCols, 1), positions = random_matrix(9, kCols, 2);
        std::vector<uint32_t> ids(kRows), position(kRows);
        for (uint32_t i = 0; i < kRows; ++i) ids[i] = i * 53 % 320, position[i] = i % 9;  // some beyond
        ids[0] = 127, ids[1] = 128, ids[2] = 255, ids[3] = 256, ids[4] = ~0u;
        const auto id_buffer = upload(context, ids), at = upload(context, position),
                   position_table = upload(context, positions.values);
        const auto whole = upload_weight(context, table, DType::f32);
        const auto expected = blank(context, kRows, kCols, DType::f32),
                   found = blank(context, kRows, kCols, DType::f32);
        std::vector<DeviceWeight> parts;
        for (uint32_t begin = 0; begin < kVocabulary; begin += kPart) {
            const auto from = table.values.begin() + begin * kCols;
            const uint32_t n = std::min(kVocabulary - begin, kPart);
            parts.push_back(upload_weight(context, {n, kCols, {from, from + n * kCols}}, DType::f32));
        }
        const LiveRows live(context, kRows, kRows);
        run(context, live, [&](Recorder& rec) {
            ops::EmbedArgs args{.ids = *id_buffer,
                                .positions = *at,
                                .table = whole.weight,
                                .position_table = *position_table,
                                .max_positions = 9,
                                .y = expected,
                                .scale = 3.0f,
                                .rows = live.extent};
            ops::embed(rec, args);
            args.y = found;
            args.vocabulary = kVocabulary;
            for (const DeviceWeight& part : parts) {
                args.table = part.weight;
                ops::embed(rec, args);
                args.begin += part.weight.n;
            }
        });
        CHECK(download(context, found).values == download(context, expected).values);
    });
}

TEST_CASE("embed from whole numbers, of one unit or of one for each row") {
    constexpr uint32_t kVocabulary = 130, kCols = 33, kRows = 40;
    on_every_device([](Context& context) {
        std::mt19937 engine(5);
        std::vector<int8_t> whole(kVocabulary * kCols);
        for (int8_t& value : whole) value = int8_t(engine() % 256);
        std::vector<uint32_t> words(ops::panel_bytes(kVocabulary, kCols, DType::i8) / 4), ids(kRows), positions(kRows);
        ops::pack_int8_panels(whole, kCols, std::as_writable_bytes(std::span(words)));
        for (uint32_t i = 0; i < kRows; ++i) ids[i] = i * 53 % 140, positions[i] = i % 3;  // some beyond
        const Matrix units = random_matrix(1, kVocabulary, 6), table = random_matrix(3, kCols, 7);
        const auto data = upload(context, words), id_buffer = upload(context, ids), at = upload(context, positions),
                   unit_buffer = upload(context, units.values), position_table = upload(context, table.values);
        for (const DType type : {DType::f32, DType::f16})
            for (const bool by_row : {true, false}) {
                if (!runs(context, *kernels::embed.shader, {type, DType::i32})) continue;
                CAPTURE(name(type));
                CAPTURE(by_row);
                const auto out = blank(context, kRows, kCols, type, kCols + 2);
                const LiveRows live(context, kRows, kRows);
                run(context, live, [&](Recorder& rec) {
                    const Weight weight{.data = *data, .dtype = DType::i8, .n = kVocabulary, .k = kCols};
                    ops::embed(rec, {.ids = *id_buffer,
                                     .positions = *at,
                                     .table = weight,
                                     .units = by_row ? BufferView(*unit_buffer) : BufferView(),
                                     .position_table = *position_table,
                                     .max_positions = 3,
                                     .y = out,
                                     .scale = 0.05f,
                                     .rows = live.extent});
                });
                const Matrix y = download(context, out);
                Comparison comparison(type);
                for (uint32_t row = 0; row < kRows; ++row)
                    for (uint32_t col = 0; col < kCols; ++col) {
                        const uint32_t id = std::min(ids[row], kVocabulary - 1);
                        const double unit = by_row ? units(0, id) : 1.0;
                        const double expected = 0.05f * (double(whole[id * kCols + col]) * unit) +
                                                table(positions[row], col);
                        comparison.close(row, col, y(row, col), expected, 1.0);
                    }
                comparison.untouched(y, kRows, kCols);
                comparison.check();
            }
    });
}

TEST_CASE("embed leaves rows beyond the live ones alone, direct and indirect") {
    on_every_device([&](Context& context) {
        for (const bool indirect : {false, true})
            for (const uint32_t rows : {0u, 1u, 20u})
                check(context,
                      {.rows = rows, .vocabulary = 9, .cols = 65, .capacity = 21, .padding = 1, .indirect = indirect});
    });
}

}  // namespace
}  // namespace dragoman::test::embed_test
