// SPDX-License-Identifier: Apache-2.0
#include "ops/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <vector>

#include "base/log.h"
#include "ops/matmul_tiles.h"
#include "ops/tune_measure.h"
#include "vulkan/context.h"
#include "vulkan/tuning.h"

namespace dragoman::ops {
namespace {

constexpr uint32_t kStepRows[] = {16, 32, 64, 128, 256};  // rows at which split may give way to another kernel
constexpr uint32_t kManyRows = 512;

std::string shape_of(const MatmulArgs& args) {
    return fmt::format("{} {} {} {}x{}", name(args.x.dtype), name(args.w.dtype), name(args.y.dtype), args.w.n,
                       args.w.k);
}

// The key of a choice: kernels with their code, types, outputs, inputs, and about how many rows.
std::string tile_key(const MatmulArgs& args, MatmulKernel kernel) {
    const vulkan::Shader& shader = matmul_shader(kernel);
    return fmt::format("{} {:016x} {} {}", shader.name, code_hash(shader, {args.x.dtype, args.w.dtype, args.y.dtype}),
                       shape_of(args), std::bit_ceil(std::min(args.rows.capacity, 4096u)));
}

// `choice`: "rows" for how many split takes, or "many" for the kernel beyond.
std::string kernel_key(const MatmulArgs& args, const char* choice) {
    uint64_t hash = 0;
    for (const MatmulKernel kernel :
         {MatmulKernel::split, MatmulKernel::coopmat, MatmulKernel::coopmat2, MatmulKernel::tiled})
        hash = hash * 31 + code_hash(matmul_shader(kernel), {args.x.dtype, args.w.dtype, args.y.dtype});
    return fmt::format("{} {:016x} {}", choice, hash, shape_of(args));
}

// Products of one shape, with buffers for a number of rows.
class MatmulBench {
public:
    MatmulBench(vulkan::Context& context, std::span<const Product> products, uint32_t rows)
        : context_(context), products_(products), rows_(rows) {
        const Product& p = products.front();
        const auto stride = [](uint32_t cols) { return (cols + 7) / 8 * 8; };
        const uint64_t x_bytes = uint64_t(rows) * stride(p.w.k) * size_bytes(p.x),
                       y_bytes = uint64_t(rows) * stride(p.w.n) * size_bytes(p.y);
        if (std::max(x_bytes, y_bytes) > context.caps().max_storage_range_bytes) return;
        if (x_bytes + y_bytes > context.available_bytes() / 2) return;  // an estimate
        const auto allocate = [&](uint64_t bytes) {
            buffers_.push_back(context.buffer(bytes, vulkan::BufferUse::device, "tuning"));
            return vulkan::BufferView(*buffers_.back());
        };
        const auto matrix = [&](const vulkan::BufferView& data, DType type, uint32_t cols) {
            return Tensor{.data = data, .dtype = type, .rows = rows, .cols = cols, .stride = stride(cols)};
        };
        args_.x = matrix(allocate(x_bytes), p.x, p.w.k);
        args_.y = matrix(allocate(y_bytes), p.y, p.w.n);
        args_.w = p.w;
        args_.rows = {.count = allocate(4), .capacity = rows};
        context.upload(args_.rows.count, &rows_, 4);
        Recorder rec(context.shared_from_this());
        rec.fill(args_.x.data, 0);
        context.wait(context.submit(*rec.finish()));
    }

    bool fits() const { return !buffers_.empty(); }
    const MatmulArgs& args() const { return args_; }

    // Seconds of one product; kNever where the kernel is not usable with this tile, or for kUsualTile with any.
    double seconds(MatmulKernel kernel, uint32_t tile, double least = kNever) {
        Recorder rec(context_.shared_from_this());
        if (tile == kUsualTile) {
            const auto usable = usable_tile(rec, args_, kernel);
            if (!usable) return kNever;
            tile = *usable;
        } else if (spilled_by_matmul(rec, args_, kernel, tile) || !matmul_is_usable(rec, args_, kernel, tile)) {
            return kNever;
        }
        const auto weights = products_.first(std::min(products_.size(), kMaxWeights));
        for (const Product& product : weights) {
            MatmulArgs args = args_;
            args.w = product.w;
            matmul(rec, args, kernel, tile);
        }
        return seconds_of(context_, *rec.finish(), weights.size(), least);
    }

private:
    vulkan::Context& context_;
    std::span<const Product> products_;
    const uint32_t rows_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
    MatmulArgs args_;
};

// Groups products by shape; int8 products have kernels of their own.
std::vector<std::vector<Product>> by_shape(std::span<const Product> products) {
    std::map<std::array<uint32_t, 5>, std::vector<Product>> shapes;
    for (const Product& p : products)
        if (p.w.dtype != DType::i8)
            shapes[{p.w.n, p.w.k, uint32_t(p.w.dtype), uint32_t(p.x), uint32_t(p.y)}].push_back(p);
    std::vector<std::vector<Product>> list;
    for (auto& [shape, of_shape] : shapes) list.push_back(std::move(of_shape));
    return list;
}

MatmulArgs shape_args(const Product& p, uint32_t rows) {
    MatmulArgs args;
    args.x.dtype = p.x;
    args.y.dtype = p.y;
    args.w = p.w;
    args.rows.capacity = rows;
    return args;
}

// Chooses the kernel for many rows: the usual one, unless another is clearly better.
MatmulKernel choose_for_many_rows(vulkan::Context& context, std::span<const Product> products,
                                  std::span<const MatmulKernel> kernels) {
    const MatmulKernel usual = usual_for_many_rows(kernels);
    MatmulBench bench(context, products, kManyRows);
    if (!bench.fits()) return usual;
    const double usually = bench.seconds(usual, kUsualTile);
    MatmulKernel best = usual;
    double least = kKernelMargin * usually;
    for (const MatmulKernel kernel : kernels) {
        if (kernel == usual) continue;
        const double now = bench.seconds(kernel, kUsualTile, least);
        log(LogLevel::debug, "{} rows, {}: {} {:.1f} us, usually {:.1f} us", kManyRows, shape_of(bench.args()),
            matmul_shader(kernel).name, now * 1e6, usually * 1e6);
        if (now >= least) continue;
        best = kernel;
        least = now;
    }
    return best;
}

// Chooses the most rows for split: the tables' number, unless another is clearly better.
uint32_t choose_few_rows(vulkan::Context& context, std::span<const Product> products, MatmulKernel many,
                         const Budget& budget) {
    uint32_t few = kFewRows;
    const uint32_t usual = usual_few_rows(context, shape_args(products.front(), kManyRows));
    for (const uint32_t rows : kStepRows) {
        MatmulBench bench(context, products, rows);
        if (!bench.fits() || budget.spent()) return std::max(few, usual);
        const double split = bench.seconds(MatmulKernel::split, kUsualTile), other = bench.seconds(many, kUsualTile);
        log(LogLevel::debug, "{} rows, {}: split {:.1f} us, else {:.1f} us", rows, shape_of(bench.args()), split * 1e6,
            other * 1e6);
        if (rows <= usual ? other < kKernelMargin * split : !(split < kKernelMargin * other)) return few;
        few = rows;
    }
    return few;
}

}  // namespace

namespace {

// Chooses tiles of these kernels, for all products and numbers of rows.
uint32_t tune_tiles_of(vulkan::Context& context, std::span<const MatmulKernel> kernels,
                       std::span<const Product> products, std::span<const uint32_t> rows, const Budget& budget) {
    uint32_t chosen = 0;
    const auto shapes = by_shape(products);
    for (const uint32_t count : rows) {
        for (const auto& of_shape : shapes) {
            if (budget.spent()) return chosen;
            const MatmulKernel kernel = pick_matmul(context, shape_args(of_shape.front(), count));
            const std::string key = tile_key(shape_args(of_shape.front(), count), kernel);
            if (!std::ranges::count(kernels, kernel) || context.tuning().find(key)) continue;
            MatmulBench bench(context, of_shape, count);
            if (!bench.fits()) continue;
            const uint32_t tiles = matmul_tile_count(context.caps(), bench.args(), kernel);
            if (tiles < 2) continue;
            const double usual = bench.seconds(kernel, kUsualTile);
            uint32_t best = kUsualTile;
            double least = usual;
            for (uint32_t tile = 0; tile < tiles && !budget.spent(); ++tile) {
                const double now = bench.seconds(kernel, tile, least);
                if (now >= least || now >= kTileMargin * usual) continue;
                best = tile;
                least = now;
            }
            if (least == kNever || budget.spent()) continue;
            log(LogLevel::debug, "tuned {}: tile {} of {}, {:.1f} us, usually {:.1f} us", key, int32_t(best), tiles,
                least * 1e6, usual * 1e6);
            context.tuning().set(key, best);
            ++chosen;
        }
    }
    return chosen;
}

}  // namespace

uint32_t tune_kernels(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                      const Budget& budget) {
    uint32_t chosen = 0;
    if (context.caps().is_cpu()) return chosen;
    const auto keep = [&](const std::string& key, uint32_t choice) {
        ops::keep(context, key, choice);
        ++chosen;
    };
    for (const auto& of_shape : by_shape(products)) {
        if (budget.spent()) return chosen;
        const MatmulArgs args = shape_args(of_shape.front(), kManyRows);
        const std::string many_key = kernel_key(args, "many"), rows_key = kernel_key(args, "rows");
        const auto kernels = kernels_for_many_rows(context, args);
        if (kernels.size() > 1 && !context.tuning().find(many_key))
            keep(many_key, uint32_t(choose_for_many_rows(context, of_shape, kernels)));
        if (!can_split(context, args) || context.tuning().find(rows_key) || budget.spent()) continue;
        const MatmulKernel many = measured_for_many_rows(context, args).value_or(usual_for_many_rows(kernels));
        const uint32_t few = choose_few_rows(context, of_shape, many, budget);
        if (!budget.spent()) keep(rows_key, few);
    }
    // The tiles of these kernels decide how sums are divided.
    constexpr MatmulKernel kMatrices[] = {MatmulKernel::coopmat, MatmulKernel::coopmat2};
    return chosen + tune_tiles_of(context, kMatrices, products, rows, budget);
}

uint32_t tune_tiles(vulkan::Context& context, std::span<const Product> products, std::span<const uint32_t> rows,
                    const Budget& budget) {
    constexpr MatmulKernel kSameBits[] = {MatmulKernel::split, MatmulKernel::tiled};
    if (context.caps().is_cpu()) return 0;
    const uint32_t chosen = tune_tiles_of(context, kSameBits, products, rows, budget);
    return chosen + tune_int8(context, products, rows, budget);
}

// With records the list of tiles differs.
uint32_t measured_tile(const vulkan::Context& context, const MatmulArgs& args, MatmulKernel kernel) {
    if (args.records) return kUsualTile;
    return measured(context, [&] { return tile_key(args, kernel); }).value_or(kUsualTile);
}

uint32_t measured_few_rows(const vulkan::Context& context, const MatmulArgs& args) {
    return measured(context, [&] { return kernel_key(args, "rows"); }).value_or(usual_few_rows(context, args));
}

std::optional<MatmulKernel> measured_for_many_rows(const vulkan::Context& context, const MatmulArgs& args) {
    const auto kernel = measured(context, [&] { return kernel_key(args, "many"); });
    return kernel ? std::optional(MatmulKernel(*kernel)) : std::nullopt;
}

}  // namespace dragoman::ops
