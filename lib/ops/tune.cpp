// SPDX-License-Identifier: Apache-2.0
#include "ops/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/log.h"
#include "ops/matmul_tiles.h"
#include "vulkan/cache_file.h"
#include "vulkan/context.h"
#include "vulkan/tuning.h"

namespace dragoman::ops {
namespace {

constexpr double kRoundSeconds = 0.5e-3;
constexpr int kRounds = 3;

// Seconds of one product with this tile; infinite where it gives wrong results.
double seconds(vulkan::Context& context, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile) {
    Recorder rec(context.shared_from_this());
    if (!trusts_matmul(rec, args, kernel, tile)) return std::numeric_limits<double>::infinity();
    matmul(rec, args, kernel, tile);
    const auto list = rec.finish();
    const auto round = [&](uint32_t times) {
        const auto start = std::chrono::steady_clock::now();
        context.wait(context.submit(*list, times));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    round(1);  // compiles what the driver put off
    const auto times = static_cast<uint32_t>(std::clamp(kRoundSeconds / std::max(round(1), 1e-6), 1.0, 64.0));
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kRounds; ++i) best = std::min(best, round(times) / times);
    return best;
}

}  // namespace

std::string tuning_key(const vulkan::Shader& shader, const MatmulArgs& args) {
    const vulkan::ShaderVariant* variant = nullptr;
    for (const auto& v : shader.variants)
        if (v.key == vulkan::VariantKey(args.x.dtype, args.w.dtype, args.y.dtype)) variant = &v;
    const uint64_t code = variant ? vulkan::fnv1a(variant->code.data(), variant->code.size_bytes()) : 0;
    return fmt::format("{} {:016x} {} {} {} {}x{}x{}", shader.name, code, name(args.x.dtype), name(args.w.dtype),
                       name(args.y.dtype), std::bit_ceil(std::min(args.rows.capacity, 4096u)), args.w.n, args.w.k);
}

uint32_t tune_matmul(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                     bool also_cpu) {
    if (context.caps().is_cpu() && !also_cpu) return 0;
    uint32_t chosen = 0;
    for (const auto& [weight, x_type, y_type] : products) {
        if (weight.dtype != DType::f32 && weight.dtype != DType::f16) continue;
        for (const uint32_t count : rows) {
            const auto allocate = [&](uint64_t bytes) {
                return context.buffer(bytes, vulkan::BufferUse::device, "tuning");
            };
            const uint64_t x_bytes = uint64_t(count) * weight.k * size_bytes(x_type),
                           y_bytes = uint64_t(count) * weight.n * size_bytes(y_type);
            if (std::max(x_bytes, y_bytes) > context.caps().max_storage_range_bytes) continue;
            if (x_bytes + y_bytes > context.available_bytes() / 2) continue;  // an estimate
            const auto x = allocate(x_bytes), y = allocate(y_bytes);
            const auto live = allocate(4);
            context.upload(*live, &count, 4);
            const auto matrix = [&](const auto& buffer, DType type, uint32_t cols) {
                return Tensor{.data = *buffer, .dtype = type, .rows = count, .cols = cols, .stride = cols};
            };
            const MatmulArgs args{.x = matrix(x, x_type, weight.k),
                                  .w = weight,
                                  .y = matrix(y, y_type, weight.n),
                                  .rows = {.count = *live, .capacity = count}};
            const MatmulKernel kernel = pick_matmul(context, args);
            const uint32_t tiles = matmul_tile_count(context.caps(), args, kernel);
            const std::string key = tuning_key(matmul_shader(kernel), args);
            if (tiles < 2 || context.tuning().find(key)) continue;
            uint32_t best = 0;
            double least = std::numeric_limits<double>::infinity();
            for (uint32_t tile = 0; tile < tiles; ++tile) {
                const double now = seconds(context, args, kernel, tile);
                if (now < least) best = tile;
                least = std::min(least, now);
            }
            if (std::isinf(least)) continue;
            log(LogLevel::debug, "tuned {}: tile {} of {}, {:.1f} us", key, best, tiles, least * 1e6);
            context.tuning().set(key, best);
            ++chosen;
        }
    }
    context.tuning().save();
    return chosen;
}

}  // namespace dragoman::ops
