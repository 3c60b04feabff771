// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <span>

#include "ops/attention.h"
#include "ops/matmul.h"
#include "ops/matmul_int8.h"

namespace dragoman::ops {

struct Product {
    Weight w;
    DType x, y;  // as in MatmulArgs
};

// The time for measuring, compilers included; measuring ends before the next candidate.
class Budget {
public:
    // `between`: called before each candidate.
    explicit Budget(double seconds, const std::atomic<bool>* stop = nullptr, std::function<void()> between = {})
        : seconds_(seconds), stop_(stop), between_(std::move(between)) {}
    bool spent() const {
        if (between_) between_();
        const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start_;
        return (stop_ && *stop_) || used.count() >= seconds_;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double seconds_;
    const std::atomic<bool>* stop_;
    std::function<void()> between_;
};

// The functions below measure at the shapes of these products every candidate that may run there (it is within the
// device's limits, gives right results and does not spill), and keep the choices with the context (vulkan::Tuning): the
// tables' choice, unless another is faster by a clear margin. They measure nothing that is known already or needs more
// memory than there is, and nothing on CPU devices. They return the number of choices made.

// Chooses kernels: for how many rows split, and which one beyond, with the tiles of cooperative matrices. Results may
// differ by that in their last bits, so it must run before anything else uses these products.
uint32_t tune_kernels(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                      const Budget& budget);
// Chooses kernel and tile of attention: these decide the order of its sums, too.
uint32_t tune_attention(vulkan::Context& context, std::span<const AttentionShape> shapes, const Budget& budget);
// Chooses tiles of the other kernels, int8 products included. All give the same bits.
uint32_t tune_tiles(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                    const Budget& budget);

// The part of tune_tiles for int8 products.
uint32_t tune_int8(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                   const Budget& budget);

// The measured choices among int8_ways() and attention_variants(picked).
std::optional<uint32_t> measured_way(const vulkan::Context& context, const MatmulInt8Args& args);
std::optional<uint32_t> measured_attention(const vulkan::Context& context, const AttentionShape& shape,
                                           AttentionKernel picked);

// The measured choice, otherwise the tables' (ops/matmul_tiles.h).
uint32_t measured_tile(const vulkan::Context& context, const MatmulArgs& args, MatmulKernel kernel);  // or kUsualTile
uint32_t measured_few_rows(const vulkan::Context& context, const MatmulArgs& args);  // the most rows that split takes
// for more rows
std::optional<MatmulKernel> measured_for_many_rows(const vulkan::Context& context, const MatmulArgs& args);

}  // namespace dragoman::ops
