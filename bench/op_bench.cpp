// SPDX-License-Identifier: Apache-2.0
// Speed of single operations: bench_op [DEVICE [output | sample | ROWSxNxK [tiles]]]; `output`: only the output layer
// with its top k; `sample`: only drawing from the logits; a shape: only products of it, with `tiles` in float16 and
// with every tile of every kernel. Times are the best of several rounds of replayed dispatches, each round long enough to
// make the submission negligible. On a CPU device, processor time is counted, divided by its worker
// threads: elapsed time would include other programs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/matmul_int8.h"
#include "ops/norm.h"
#include "ops/sample.h"
#include "ops/topk.h"
#include "ops/weight.h"
#include "replay_seconds.h"
#include "vulkan/context.h"

namespace {

using namespace dragoman;
using ops::MatmulKernel;

using bench::replay_seconds;

// Buffers of zeros: the arithmetic takes the same time for every value.
struct Zeros {
    std::shared_ptr<vulkan::Buffer> buffer;
    Zeros(vulkan::Context& context, uint64_t bytes) {
        buffer = context.buffer(bytes, vulkan::BufferUse::device, "bench");
        vulkan::Recorder recorder(context.shared_from_this());
        recorder.fill(*buffer, 0);
        context.wait(context.submit(*recorder.finish()));
    }
};

std::string_view kernel_name(MatmulKernel kernel) {
    return ops::matmul_shader(kernel).name.substr(std::string_view("matmul_").size());
}

// An output layer and its top k: with records from the matmul (ops::MatmulArgs), or from the logits.
void bench_output(vulkan::Context& context, uint32_t rows, uint32_t n, uint32_t k, uint32_t best) {
    const Zeros x(context, uint64_t(rows) * k * 4), y(context, uint64_t(rows) * n * 4), count(context, 4),
        w(context, ops::panel_bytes(n, k, DType::f32)), records(context, ops::column_records_bytes(rows, n)),
        values(context, uint64_t(rows) * best * 4), columns(context, uint64_t(rows) * best * 4),
        log_sum(context, uint64_t(rows) * 4);
    context.upload(*count.buffer, &rows, sizeof(rows));
    const ops::Extent live{.count = *count.buffer, .capacity = rows};
    const ops::Tensor logits{.data = *y.buffer, .dtype = DType::f32, .rows = rows, .cols = n, .stride = n};
    for (const bool fused : {false, true}) {
        const double s = replay_seconds(context, [&](vulkan::Recorder& rec) {
            ops::MatmulArgs args{.x = {.data = *x.buffer, .dtype = DType::f32, .rows = rows, .cols = k, .stride = k},
                                 .w = {.data = *w.buffer, .dtype = DType::f32, .n = n, .k = k},
                                 .y = logits,
                                 .rows = live};
            if (fused) args.records = *records.buffer;
            args.y_unused = fused && best == 1;
            ops::matmul(rec, args);
            if (!fused) ops::record_columns(rec, logits, *records.buffer, live);
            ops::topk(rec, {.x = logits,
                            .records = *records.buffer,
                            .k = best,
                            .values = *values.buffer,
                            .columns = *columns.buffer,
                            .log_sum = *log_sum.buffer,
                            .rows = live});
        });
        fmt::print("{:>20}  top {:<3} of the product, {:<26} {:>10.1f} us\n", fmt::format("{}x{}x{}", rows, n, k), best,
                   fused ? "records from its kernel" : "records from its output", s * 1e6);
        std::fflush(stdout);
    }
}

// Logits like a network's: one row's best stands out.
void bench_sample(vulkan::Context& context, uint32_t rows, uint32_t n) {
    struct Rules {
        const char* name;
        shared::SampleInput input;
    };
    constexpr Rules kRules[] = {{"best", {.temperature = 0}},
                                {"all", {.temperature = 1, .top_p = 1}},
                                {"temperature 0.8", {.temperature = 0.8f, .top_p = 1}},
                                {"top k 50", {.temperature = 1, .top_k = 50, .top_p = 1}},
                                {"top p 0.9", {.temperature = 1, .top_p = 0.9f}},
                                {"min p 0.05", {.temperature = 1, .top_p = 1, .min_p = 0.05f}},
                                {"top k 50, top p 0.9", {.temperature = 0.8f, .top_k = 50, .top_p = 0.9f}}};
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.0f, 3.0f);
    std::vector<float> values_of(uint64_t(rows) * n);
    for (float& value : values_of) value = normal(random);
    const Zeros x(context, values_of.size() * 4), count(context, 4), places(context, rows * 4ull),
        records(context, ops::column_records_bytes(rows, n)), inputs(context, rows * sizeof(shared::SampleInput)),
        values(context, rows * 4ull), columns(context, rows * 4ull), log_sum(context, rows * 4ull);
    context.upload(*x.buffer, values_of.data(), values_of.size() * 4);
    context.upload(*count.buffer, &rows, sizeof(rows));
    const ops::Extent live{.count = *count.buffer, .capacity = rows};
    const ops::Tensor logits{.data = *x.buffer, .dtype = DType::f32, .rows = rows, .cols = n, .stride = n};
    for (const Rules& rules : kRules) {
        const std::vector<shared::SampleInput> all(rows, rules.input);
        context.upload(*inputs.buffer, all.data(), rows * sizeof(shared::SampleInput));
        const double s = replay_seconds(context, [&](vulkan::Recorder& rec) {
            ops::record_columns(rec, logits, *records.buffer, live);
            ops::topk(rec, {.x = logits,
                            .records = *records.buffer,
                            .k = 1,
                            .values = *values.buffer,
                            .columns = *columns.buffer,
                            .log_sum = *log_sum.buffer,
                            .rows = live});
            ops::sample(rec, {.x = logits,
                              .records = *records.buffer,
                              .inputs = *inputs.buffer,
                              .live_rows = *places.buffer,
                              .position = *places.buffer,
                              .values = *values.buffer,
                              .columns = *columns.buffer,
                              .rows = live});
        });
        fmt::print("{:>20}  records, best and a draw, {:<20} {:>10.1f} us\n", fmt::format("{}x{}", rows, n), rules.name,
                   s * 1e6);
        std::fflush(stdout);
    }
}

void bench_matmul(vulkan::Context& context, uint32_t rows, uint32_t n, uint32_t k, DType x_type, DType w_type,
                  bool all_tiles = false) {
    const uint64_t x_bytes = uint64_t(rows) * k * size_bytes(x_type), y_bytes = uint64_t(rows) * n * size_bytes(x_type);
    const uint64_t w_bytes = ops::panel_bytes(n, k, w_type);
    const Zeros x(context, x_bytes), y(context, y_bytes), w(context, w_bytes), units(context, uint64_t(n) * 4),
        count(context, 4);
    context.upload(*count.buffer, &rows, sizeof(rows));
    const ops::MatmulArgs args{.x = {.data = *x.buffer, .dtype = x_type, .rows = rows, .cols = k, .stride = k},
                               .w = {.data = *w.buffer, .dtype = w_type, .n = n, .k = k},
                               .y = {.data = *y.buffer, .dtype = x_type, .rows = rows, .cols = n, .stride = n},
                               .rows = {.count = *count.buffer, .capacity = rows}};
    const bool int8 = w_type == DType::i8;
    const auto time = [&](MatmulKernel kernel, uint32_t tile = ops::kUsualTile) {
        return replay_seconds(context, [&](vulkan::Recorder& rec) {
            if (int8)
                ops::matmul_int8(rec, {.x = args.x,
                                       .input_scale = 1,
                                       .w = args.w,
                                       .units = *units.buffer,
                                       .y = args.y,
                                       .rows = args.rows});
            else ops::matmul(rec, args, kernel, tile);
        });
    };
    const bool cpu = context.caps().is_cpu();
    const MatmulKernel picked = !int8 ? ops::pick_matmul(context, args)
                                : cpu ? MatmulKernel::texel
                                      : MatmulKernel::tiled;
    for (const MatmulKernel kernel : {MatmulKernel::tiled, MatmulKernel::texel, MatmulKernel::coopmat,
                                      MatmulKernel::coopmat2, MatmulKernel::split}) {
        if (kernel == MatmulKernel::split && (int8 || !ops::matmul_tile_count(context.caps(), args, kernel))) continue;
        if (kernel == MatmulKernel::coopmat && (w_type != DType::f16 || !ops::has_coopmat(context.caps()))) continue;
        if (kernel == MatmulKernel::coopmat2 &&
            (x_type != DType::f16 || w_type != DType::f16 || !ops::has_coopmat2(context.caps())))
            continue;
        if (kernel != picked && (cpu || kernel == MatmulKernel::texel)) continue;
        const double s = time(kernel);
        fmt::print("{:>20}  {:<8} {:<8} {:<6}{} {:>10.1f} us {:>9.1f} GFLOP/s {:>8.1f} GB/s of weights\n",
                   fmt::format("{}x{}x{}", rows, n, k), name(x_type), name(w_type), kernel_name(kernel),
                   kernel == picked ? '*' : ' ', s * 1e6, 2.0 * rows * n * k / s * 1e-9, double(w_bytes) / s * 1e-9);
        for (uint32_t tile = 0; all_tiles && tile < ops::matmul_tile_count(context.caps(), args, kernel); ++tile)
            fmt::print("{:>20}  {:<17} tile {}: {:>10.1f} us\n", "", kernel_name(kernel), tile,
                       time(kernel, tile) * 1e6);
        std::fflush(stdout);
    }
}

// An int8 product whose inputs have scales of rows, with the search for these.
void bench_rounded(vulkan::Context& context, uint32_t rows, uint32_t n, uint32_t k) {
    const Zeros x(context, uint64_t(rows) * k * 4), y(context, uint64_t(rows) * n * 4), units(context, uint64_t(n) * 4),
        w(context, ops::panel_bytes(n, k, DType::i8)), maxima(context, uint64_t(rows) * 4), count(context, 4);
    context.upload(*count.buffer, &rows, sizeof(rows));
    const auto time = [&](bool maxima_alone) {
        return replay_seconds(context, [&](vulkan::Recorder& rec) {
            const ops::MatmulInt8Args args{
                .x = {.data = *x.buffer, .dtype = DType::f32, .rows = rows, .cols = k, .stride = k},
                .maxima = *maxima.buffer,
                .w = {.data = *w.buffer, .dtype = DType::i8, .n = n, .k = k},
                .units = *units.buffer,
                .y = {.data = *y.buffer, .dtype = DType::f32, .rows = rows, .cols = n, .stride = n},
                .rows = {.count = *count.buffer, .capacity = rows}};
            ops::row_maxima(rec, args.x, {}, args.maxima, args.rows);
            if (!maxima_alone) ops::matmul_int8(rec, args);
        });
    };
    const double alone = time(true), s = time(false);
    fmt::print("{:>20}  float32  int8     rows    {:>10.1f} us {:>9.1f} GFLOP/s, {:.1f} us of it for the maxima\n",
               fmt::format("{}x{}x{}", rows, n, k), s * 1e6, 2.0 * rows * n * k / s * 1e-9, alone * 1e6);
}

void bench_norm(vulkan::Context& context, uint32_t rows, uint32_t cols) {
    const Zeros x(context, uint64_t(rows) * cols * 4), gamma(context, uint64_t(cols) * 4), count(context, 4);
    context.upload(*count.buffer, &rows, sizeof(rows));
    const double s = replay_seconds(context, [&](vulkan::Recorder& rec) {
        const ops::Tensor t{.data = *x.buffer, .dtype = DType::f32, .rows = rows, .cols = cols, .stride = cols};
        ops::layer_norm(rec, {.x = t,
                              .residual = t,
                              .gamma = *gamma.buffer,
                              .beta = *gamma.buffer,
                              .y = t,
                              .rows = {.count = *count.buffer, .capacity = rows}});
    });
    fmt::print("{:>20}  layer_norm with residual {:>10.1f} us\n", fmt::format("{}x{}", rows, cols), s * 1e6);
}

void bench_matmuls(vulkan::Context& context, uint32_t rows, uint32_t n, uint32_t k) {
    bench_matmul(context, rows, n, k, DType::f32, DType::f32);
    bench_matmul(context, rows, n, k, DType::f32, DType::f16);
    bench_matmul(context, rows, n, k, DType::f32, DType::i8);
    bench_rounded(context, rows, n, k);
    if (k % kBlockElements == 0)
        for (const DType blocks : {DType::q8, DType::q4}) bench_matmul(context, rows, n, k, DType::f32, blocks);
    if (context.caps().f16) bench_matmul(context, rows, n, k, DType::f16, DType::f16);
}

void run(const std::string& device, const std::string& only, bool all_tiles) {
    const auto context = vulkan::Context::create({.device = device});
    fmt::print("{} ({})\nrows x n x k, activations, weights, kernel (* = picked)\n", context->caps().name,
               context->caps().driver);
    constexpr uint32_t kShapes[][3] = {{1, 512, 512},    {1, 2048, 512},   {1, 512, 2048},   {1, 32000, 512},
                                       {4, 512, 512},    {4, 32000, 512},  {32, 512, 512},   {32, 2048, 512},
                                       {32, 512, 2048},  {32, 32000, 512}, {512, 512, 512},  {1, 256, 256},
                                       {1, 1536, 256},   {1, 256, 1536},   {1, 32000, 256},  {8, 256, 256},
                                       {8, 1536, 256},   {8, 256, 1536},   {8, 32000, 256},  {64, 256, 256},
                                       {64, 1536, 256},  {64, 256, 1536},  {64, 32000, 256}, {600, 768, 256},
                                       {600, 1536, 256}, {600, 256, 1536}};
    uint32_t rows = 0, n = 0, k = 0;
    if (std::sscanf(only.c_str(), "%ux%ux%u", &rows, &n, &k) == 3)
        return all_tiles ? bench_matmul(*context, rows, n, k, DType::f16, DType::f16, true)
                         : bench_matmuls(*context, rows, n, k);
    if (only.empty()) {
        for (const auto& shape : kShapes) bench_matmuls(*context, shape[0], shape[1], shape[2]);
        for (const uint32_t norm_rows : {1u, 32u, 512u}) bench_norm(*context, norm_rows, 512);
    }
    for (const uint32_t draws : {1u, 32u})
        for (const uint32_t vocabulary : {32000u, 256000u})
            if (only.empty() || only == "sample") bench_sample(*context, draws, vocabulary);
    if (only == "sample") return;
    for (const uint32_t output_rows : {1u, 32u, 128u})
        for (const uint32_t best : {1u, 8u}) bench_output(*context, output_rows, 32000, 512, best);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "", argc > 3 && std::string(argv[3]) == "tiles");
    } catch (const dragoman::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
