// SPDX-License-Identifier: Apache-2.0
// Speed of attention, softmax and topk at the shapes of a base Transformer (8 heads of 64, 32000 words):
// bench_attention [DEVICE]. Times are the best of several rounds of replayed dispatches.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "ops/attention.h"
#include "ops/softmax.h"
#include "ops/topk.h"
#include "vulkan/context.h"

namespace {

using namespace dragoman;
using vulkan::BufferView;

constexpr ops::Heads kHeads{.count = 8, .head_dim = 64, .scale = 0.125f};
constexpr uint32_t kWidth = kHeads.count * kHeads.head_dim;
constexpr uint32_t kMaxSteps = 128, kVocabulary = 32000;

class Bench {
public:
    explicit Bench(const std::string& device) : context_(vulkan::Context::create({.device = device})) {
        fmt::print("{} ({})\n", context_->caps().name, context_->caps().driver);
    }

    bool f16() const { return context_->caps().f16; }
    // CPUs take long for what a large device has at a time.
    std::vector<uint32_t> rows() const {
        return context_->caps().is_cpu() ? std::vector{128u, 4u} : std::vector{1024u, 128u, 4u};
    }

    void encoder(DType dtype, uint32_t sentences, uint32_t length) {
        std::vector<uint32_t> row_sentence, begin;
        for (uint32_t s = 0; s <= sentences; ++s) begin.push_back(s * length);
        for (uint32_t r = 0; r < sentences * length; ++r) row_sentence.push_back(r / length);
        const uint32_t rows = sentences * length;
        const ops::EncoderAttentionArgs args{.qkv = tensor(dtype, rows, 3 * kWidth),
                                             .row_sentence = words(row_sentence),
                                             .sentence_begin = words(begin),
                                             .y = tensor(dtype, rows, kWidth),
                                             .heads = kHeads,
                                             .rows = extent(rows)};
        report(fmt::format("encoder_attention {} x {} tokens", sentences, length), dtype, 4.0 * rows * length * kWidth,
               [&](ops::Recorder& rec) { ops::encoder_attention(rec, args); });
    }

    void step_self(DType dtype, uint32_t rows, uint32_t beam, uint32_t position) {
        const ops::StepSelfAttentionArgs args{.qkv = tensor(dtype, rows, 3 * kWidth),
                                              .keys = tensor(dtype, rows * kMaxSteps, kWidth),
                                              .values = tensor(dtype, rows * kMaxSteps, kWidth),
                                              .live_rows = counting(rows),
                                              .position = words(std::vector<uint32_t>(rows, position)),
                                              .ancestry = words(std::vector<uint32_t>(2 * rows * kMaxSteps, 0)),
                                              .cache_rows = rows,
                                              .max_steps = kMaxSteps,
                                              .beam = beam,
                                              .y = tensor(dtype, rows, kWidth),
                                              .heads = kHeads,
                                              .rows = extent(rows)};
        report(fmt::format("step_self_attention {} rows, beam {}, step {}", rows, beam, position), dtype,
               4.0 * rows * (position + 1) * kWidth, [&](ops::Recorder& rec) { ops::step_self_attention(rec, args); });
    }

    void step_cross(DType dtype, uint32_t rows, uint32_t beam, uint32_t length, bool with_weights) {
        const uint32_t slots = rows / beam;
        std::vector<uint32_t> begin;
        for (uint32_t s = 0; s < slots; ++s) begin.push_back(s * length);
        const ops::StepCrossAttentionArgs args{.q = tensor(dtype, rows, kWidth),
                                               .memory = tensor(dtype, slots * length, 2 * kWidth),
                                               .live_rows = counting(rows),
                                               .source_begin = words(begin),
                                               .source_length = words(std::vector<uint32_t>(slots, length)),
                                               .beam = beam,
                                               .y = tensor(dtype, rows, kWidth),
                                               .weights = with_weights ? bytes(uint64_t(rows) * kMaxSteps * length * 4)
                                                                       : BufferView(),
                                               .position = words(std::vector<uint32_t>(rows, 0)),
                                               .weights_heads = kHeads.count,
                                               .weights_stride = length,
                                               .max_steps = kMaxSteps,
                                               .heads = kHeads,
                                               .rows = extent(rows)};
        report(fmt::format("step_cross_attention {} rows, beam {}, {} keys{}", rows, beam, length,
                           with_weights ? ", weights" : ""),
               dtype, 4.0 * rows * length * kWidth, [&](ops::Recorder& rec) { ops::step_cross_attention(rec, args); });
    }

    void softmax(uint32_t rows) {
        const ops::Tensor x = tensor(DType::f32, rows, kVocabulary);
        report(fmt::format("log softmax {} x {}", rows, kVocabulary), DType::f32, 0,
               [&, count = extent(rows)](ops::Recorder& rec) { ops::softmax(rec, x, x, 1.0f, true, count); });
    }

    void topk(uint32_t rows, uint32_t k) {
        const ops::TopkArgs args{.x = tensor(DType::f32, rows, kVocabulary),
                                 .records = bytes(ops::column_records_bytes(rows, kVocabulary)),
                                 .k = k,
                                 .values = bytes(rows * k * 4),
                                 .columns = bytes(rows * k * 4),
                                 .log_sum = bytes(rows * 4),
                                 .rows = extent(rows)};
        report(fmt::format("topk {} x {}, k {}", rows, kVocabulary, k), DType::f32, 0, [&](ops::Recorder& rec) {
            ops::record_columns(rec, args.x, args.records, args.rows);
            ops::topk(rec, args);
        });
    }

    void release() { buffers_.clear(); }

private:
    BufferView bytes(uint64_t size) {
        buffers_.push_back(context_->buffer(size, vulkan::BufferUse::device, "bench"));
        return *buffers_.back();
    }

    BufferView words(const std::vector<uint32_t>& data) {
        const BufferView view = bytes(data.size() * 4);
        context_->upload(view, data.data(), view.size_bytes);
        return view;
    }

    BufferView counting(uint32_t n) {
        std::vector<uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0u);
        return words(numbers);
    }

    ops::Extent extent(uint32_t rows) { return {.count = words({rows}), .capacity = rows}; }

    // Small random numbers, also as halves.
    ops::Tensor tensor(DType dtype, uint32_t rows, uint32_t cols) {
        std::vector<uint32_t> data(uint64_t(rows) * cols * size_bytes(dtype) / 4);
        std::mt19937 engine(1);
        for (uint32_t& word : data)
            word = dtype == DType::f16 ? (engine() & 0x83ff83ff) | 0x38003800 : (engine() & 0x807fffff) | 0x3f000000;
        return {.data = words(data), .dtype = dtype, .rows = rows, .cols = cols, .stride = cols};
    }

    template <class F>
    void report(const std::string& what, DType dtype, double flops, F&& record) {
        constexpr double kRoundSeconds = 0.05;
        vulkan::Recorder recorder(context_);
        record(recorder);
        const auto list = recorder.finish();
        const auto round = [&](uint32_t times) {
            const auto start = std::chrono::steady_clock::now();
            context_->wait(context_->submit(*list, times));
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
        };
        const double first = round(1);  // compiles pipelines where the driver puts that off
        const auto times = static_cast<uint32_t>(std::clamp(kRoundSeconds / round(1), 1.0, 2000.0));
        double best = round(times);
        for (int i = 0; i < 4; ++i) best = std::min(best, round(times));
        fmt::print("{:<56} {:<8} {:>10.1f} us", what, name(dtype), best * 1e6);
        if (flops > 0) fmt::print(" {:>8.2f} GFLOP/s", flops / best * 1e-9);
        fmt::print("   (first {:.0f} ms)\n", first * 1e3);
        std::fflush(stdout);
    }

    std::shared_ptr<vulkan::Context> context_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
};

void run(const std::string& device) {
    Bench bench(device);
    for (const DType dtype : {DType::f32, DType::f16}) {
        if (dtype == DType::f16 && !bench.f16()) continue;
        bench.encoder(dtype, 32, 25);
        bench.encoder(dtype, 1, 25);
        bench.encoder(dtype, 8, 300);
        for (const uint32_t rows : bench.rows()) {
            bench.step_self(dtype, rows, 4, 10);
            bench.step_self(dtype, rows, 4, 100);
            bench.step_self(dtype, rows, 1, 25);
            bench.step_cross(dtype, rows, 1, 25, false);
            bench.step_cross(dtype, rows, 4, 25, false);
            bench.step_cross(dtype, rows, 4, 25, true);
            bench.step_cross(dtype, rows, 4, 100, false);
            bench.release();
        }
    }
    bench.softmax(128);
    for (const uint32_t rows : {128u, 1u})
        for (const uint32_t k : {1u, 4u, 8u, 12u, 128u}) {
            bench.topk(rows, k);
            bench.release();
        }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : "");
    } catch (const dragoman::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
