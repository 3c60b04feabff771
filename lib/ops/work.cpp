// SPDX-License-Identifier: Apache-2.0
#include "ops/work.h"

#include <algorithm>

#include "ops/weight.h"

namespace dragoman::ops {
namespace {

using vulkan::ReadWords;
using vulkan::Work;

uint32_t live(const ReadWords& words, const Extent& rows) {
    return std::min(words({*rows.count.buffer, rows.count.offset, 4})[0], rows.capacity);
}

double row_bytes(const Tensor& tensor) { return tensor ? double(tensor.cols) * size_bytes(tensor.dtype) : 0.0; }

double products(double keys, uint32_t width) { return 4.0 * keys * width; }  // q k^T, and the weights times v

}  // namespace

void count_work(Recorder& rec, const MatmulArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows);
        if (rows == 0) return {};
        return {.flops = 2.0 * rows * args.w.n * args.w.k,
                .bytes = double(args.w.data.size_bytes) + (args.bias ? 4.0 * args.w.n : 0.0) +
                         rows * (row_bytes(args.x) + row_bytes(args.gate) + row_bytes(args.residual) +
                                 (args.y_unused ? 0.0 : row_bytes(args.y)) + row_bytes(args.norm.y) +
                                 (args.records ? double(column_records_bytes(1, args.w.n)) : 0.0))};
    });
}

void count_work(Recorder& rec, const MatmulInt8Args& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows), n = args.w.n;
        if (rows == 0) return {};
        const auto columns = [n](const Tensor& tensor) { return tensor ? double(n) * size_bytes(tensor.dtype) : 0.0; };
        return {.flops = 2.0 * rows * n * args.w.k,
                .bytes = double(args.w.data.size_bytes) + n * (args.bias ? 8.0 : 4.0) +
                         rows * (row_bytes(args.x) + columns(args.gate) + columns(args.residual) + columns(args.y))};
    });
}

void count_work(Recorder& rec, const EncoderAttentionArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows);
        const auto sentence = words(args.row_sentence), begin = words(args.sentence_begin);
        double keys = 0;
        for (uint32_t r = 0; r < rows; ++r) keys += begin[sentence[r] + 1] - begin[sentence[r]];
        return {.flops = products(keys, args.y.cols), .bytes = rows * (row_bytes(args.qkv) + row_bytes(args.y))};
    });
}

void count_work(Recorder& rec, const StepSelfAttentionArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows);
        const auto cache_row = words(args.live_rows), position = words(args.position);
        double keys = 0;
        for (uint32_t r = 0; r < rows; ++r) keys += position[cache_row[r]] + 1;
        const double cached = keys - rows;  // the row's own key and value come with it, and go into the cache
        return {.flops = products(keys, args.y.cols),
                .bytes = cached * (row_bytes(args.keys) + row_bytes(args.values) + (args.beam > 1 ? 4 : 0)) +
                         rows *
                             (row_bytes(args.qkv) + row_bytes(args.keys) + row_bytes(args.values) + row_bytes(args.y))};
    });
}

void count_work(Recorder& rec, const StepCrossAttentionArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows);
        const auto cache_row = words(args.live_rows), length = words(args.source_length);
        double keys = 0, distinct = 0;  // the rows of a beam read the same memory
        for (uint32_t r = 0; r < rows; ++r) {
            const uint32_t slot = cache_row[r] / args.beam;
            keys += length[slot];
            if (r == 0 || cache_row[r - 1] / args.beam != slot) distinct += length[slot];
        }
        const auto& [x, w, bias, norm] = args.query;
        const double made = 2.0 * rows * w.n * w.k;
        const double weights = double(w.data.size_bytes) + (bias ? 4.0 * w.n : 0.0);
        return {.flops = products(keys, args.y.cols) + made,
                .bytes = distinct * row_bytes(args.memory) + rows * row_bytes(args.y) +
                         (args.weights ? 4.0 * keys : 0.0) +
                         (w ? weights + rows * (row_bytes(x) + row_bytes(norm.y)) : rows * row_bytes(args.q))};
    });
}

void count_work(Recorder& rec, const AdditiveAttentionArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const uint32_t rows = live(words, args.rows);
        const auto cache_row = words(args.live_rows), length = words(args.source_length);
        double keys = 0;
        for (uint32_t r = 0; r < rows; ++r) keys += length[cache_row[r] / args.beam];
        return {.flops = products(keys, args.y.cols),
                .bytes = keys * (row_bytes(args.keys) + row_bytes(args.values) + (args.weights ? 4.0 : 0.0)) +
                         rows * (row_bytes(args.q) + row_bytes(args.y))};
    });
}

void count_work(Recorder& rec, const NormArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        return {.bytes = live(words, args.rows) * (row_bytes(args.x) + row_bytes(args.residual) + row_bytes(args.y))};
    });
}

void count_work(Recorder& rec, const EmbedArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const double table = double(panel_bytes(kPanel, args.table.k, args.table.dtype)) / kPanel;
        const double positions = args.position_table ? 4.0 * args.y.cols : 0.0;
        return {.bytes = live(words, args.rows) * (table + positions + row_bytes(args.y))};
    });
}

void count_work(Recorder& rec, const TopkArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        const double records = double(column_records_bytes(1, args.x.cols));
        const double columns = args.k > 1 ? 256.0 * args.k : 0.0;
        return {.bytes = live(words, args.rows) * (records + columns + 8.0 * args.k + 4.0)};
    });
}

void count_work(Recorder& rec, const SampleArgs& args) {
    rec.count([args](const ReadWords& words) -> Work {
        return {.bytes = live(words, args.rows) * (row_bytes(args.x) + double(column_records_bytes(1, args.x.cols)))};
    });
}

void count_work(Recorder& rec, const Tensor& x, const Tensor& y, const Extent& rows) {
    rec.count([x, y, rows](const ReadWords& words) -> Work {
        return {.bytes = live(words, rows) * (row_bytes(x) + row_bytes(y))};
    });
}

void count_read(Recorder& rec, const Tensor& x, const Extent& rows) { count_work(rec, x, {}, rows); }

void count_gathered(Recorder& rec, const Weight& some, const Extent& count) {
    rec.count([some, count](const ReadWords& words) -> Work {
        return {.bytes = live(words, count) * (2.0 * some.k * size_bytes(some.dtype) + 4.0)};
    });
}

void count_state(Recorder& rec, uint32_t state_cols, double input_bytes, const Tensor& y, const Extent& rows) {
    rec.count([=](const ReadWords& words) -> Work {
        return {.bytes = live(words, rows) * (8.0 * state_cols + input_bytes + row_bytes(y))};
    });
}

}  // namespace dragoman::ops
