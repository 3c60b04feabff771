// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <vector>

#include "ops/kernels.h"
#include "ops/matmul_int8.h"
#include "ops/tune_measure.h"
#include "vulkan/context.h"
#include "vulkan/tuning.h"

namespace dragoman::ops {
namespace {

std::string key_of(const MatmulInt8Args& args) {
    uint64_t hash = 0;
    for (const DType weights : {DType::i8, DType::i32})
        hash = hash * 31 + code_hash(*kernels::matmul_tiled.shader, {args.x.dtype, weights, args.y.dtype});
    return fmt::format("int8 {:016x} {} {} {}x{} {}", hash, name(args.x.dtype), name(args.y.dtype), args.w.n, args.w.k,
                       std::bit_ceil(std::min(args.rows.capacity, 4096u)));
}

// Arguments for one shape with so many rows; without rows where there is no room for them.
MatmulInt8Args bench_args(vulkan::Context& context, const Product& product, uint32_t rows,
                          std::vector<std::shared_ptr<vulkan::Buffer>>& buffers) {
    const auto allocate = [&](uint64_t bytes) {
        buffers.push_back(context.buffer(bytes, vulkan::BufferUse::device, "tuning"));
        return vulkan::BufferView(*buffers.back());
    };
    const auto matrix = [&](DType type, uint32_t cols) {
        const uint32_t stride = (cols + 7) / 8 * 8;
        return Tensor{.data = allocate(uint64_t(rows) * stride * size_bytes(type)),
                      .dtype = type,
                      .rows = rows,
                      .cols = cols,
                      .stride = stride};
    };
    MatmulInt8Args args{.input_scale = 1.0f, .w = product.w};
    const uint64_t widest = std::max(product.w.n, product.w.k) + 8, bytes = uint64_t(rows) * widest * sizeof(float);
    if (bytes > context.caps().max_storage_range_bytes || 2 * bytes > context.available_bytes() / 2) return args;
    args.x = matrix(product.x, product.w.k);
    args.y = matrix(product.y, product.w.n);
    args.units = allocate(uint64_t(product.w.n) * sizeof(float));
    args.rows = {.count = allocate(4), .capacity = rows};
    context.upload(args.rows.count, &rows, 4);
    Recorder rec(context.shared_from_this());
    for (const vulkan::BufferView& zeros : {args.x.data, args.units}) rec.fill(zeros, 0);
    context.wait(context.submit(*rec.finish()));
    return args;
}

}  // namespace

uint32_t tune_int8(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                   const Budget& budget) {
    std::map<std::tuple<uint32_t, uint32_t, DType, DType>, std::vector<Product>> shapes;
    for (const Product& p : products)
        if (p.w.dtype == DType::i8) shapes[{p.w.n, p.w.k, p.x, p.y}].push_back(p);
    uint32_t chosen = 0;
    for (const uint32_t count : rows) {
        for (const auto& [shape, of_shape] : shapes) {
            if (budget.spent()) return chosen;
            std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
            MatmulInt8Args args{.x = {.dtype = of_shape[0].x},
                                .w = of_shape[0].w,
                                .y = {.dtype = of_shape[0].y},
                                .rows = {.capacity = count}};
            const std::string key = key_of(args);
            if (context.tuning().find(key)) continue;
            args = bench_args(context, of_shape[0], count, buffers);
            if (!args.rows.capacity) continue;
            const auto weights = std::min(of_shape.size(), kMaxWeights);
            const auto best = fastest(int8_ways(context, args), kTileMargin, budget, [&](uint32_t way, double least) {
                Recorder rec(context.shared_from_this());
                if (!is_usable(rec, args, way)) return kNever;
                for (std::size_t i = 0; i < weights; ++i) {
                    args.w = of_shape[i].w;
                    matmul_int8_way(rec, args, way);
                }
                return seconds_of(context, *rec.finish(), weights, least);
            });
            if (!best) continue;
            keep(context, key, *best);
            ++chosen;
        }
    }
    return chosen;
}

std::optional<uint32_t> measured_way(const vulkan::Context& context, const MatmulInt8Args& args) {
    return measured(context, [&] { return key_of(args); });
}

}  // namespace dragoman::ops
