// SPDX-License-Identifier: Apache-2.0
#include "bench/ceilings.h"

#include <algorithm>

#include "bench/spread.h"
#include "ops/elementwise.h"
#include "ops/matmul.h"
#include "ops/weight.h"

namespace dragoman::bench {
namespace {

using ops::Tensor;
using vulkan::Buffer;
using vulkan::BufferView;
using vulkan::CommandList;
using vulkan::Context;
using vulkan::Recorder;

constexpr int kRounds = 5;
constexpr double kRoundSeconds = 0.05;  // long enough to make the cost of a submission negligible
constexpr uint32_t kDispatches = 256, kSubmissions = 50;

template <class Record>
std::unique_ptr<CommandList> record(Context& context, Record&& body) {
    Recorder recorder(context.shared_from_this());
    body(recorder);
    return recorder.finish();
}

// A buffer whose words are all `word`.
std::shared_ptr<Buffer> filled(Context& context, uint64_t bytes, uint32_t word = 0) {
    auto buffer = context.buffer(bytes, vulkan::BufferUse::device, "ceiling");
    context.wait(context.submit(*record(context, [&](Recorder& recorder) { recorder.fill(*buffer, word); })));
    return buffer;
}

// Adds the seconds of one replay, divided by `parts`, for every round.
void add_replays(Context& context, const CommandList& list, std::vector<double>& seconds, uint32_t parts = 1) {
    const auto round = [&](uint32_t times) {
        return seconds_of([&] { context.wait(context.submit(list, times)); }) / times;
    };
    round(1);  // compiles pipelines where the driver puts that off
    const auto times = uint32_t(std::clamp(kRoundSeconds / std::max(round(1), 1e-7), 1.0, 2000.0));
    for (int i = 0; i < kRounds; ++i) seconds.push_back(round(times) / parts);
}

// Measures the driver's copy and, on GPUs, a kernel's, and keeps the faster one.
void measure_copy(Context& context, Ceilings& ceilings) {
    const vulkan::Caps& caps = context.caps();
    const uint64_t wanted = (caps.is_cpu() ? 64ull : 256ull) << 20;  // far more than caches hold
    constexpr uint32_t kCols = 4096;
    const uint64_t most = std::min({wanted, caps.max_storage_range_bytes, caps.device_memory_bytes / 8});
    const auto rows = uint32_t(most / (4 * kCols));
    const uint64_t bytes = 4ull * kCols * rows;
    const auto from = filled(context, bytes), to = filled(context, bytes), count = filled(context, 4, rows);
    ceilings.copy_bytes = 2.0 * double(bytes);
    add_replays(context, *record(context, [&](Recorder& recorder) { recorder.copy(*from, *to); }),
                ceilings.copy_seconds);
    if (caps.is_cpu()) return;
    const auto matrix = [&](const auto& buffer) {
        return Tensor{.data = *buffer, .rows = rows, .cols = kCols, .stride = kCols};
    };
    const auto kernel = record(context, [&](Recorder& recorder) {
        ops::activate(recorder, matrix(from), matrix(to), Activation::none, {.count = *count, .capacity = rows});
    });
    std::vector<double> by_kernel;
    add_replays(context, *kernel, by_kernel);
    if (median(by_kernel) < median(ceilings.copy_seconds)) ceilings.copy_seconds = by_kernel;
}

void measure_matmul(Context& context, DType type, Ceilings& ceilings) {
    const bool cpu = context.caps().is_cpu();
    const uint32_t rows = cpu ? 512 : 4096, n = cpu ? 2048 : 4096, k = cpu ? 512 : 1024;
    ceilings.matmul_rows = rows;
    ceilings.matmul_n = n;
    ceilings.matmul_k = k;
    ceilings.matmul_type = type;
    const uint64_t size = size_bytes(type);
    // Numbers near 1, for devices that need more power when bits change; two of them to the word in f16.
    const uint32_t word = type == DType::f16 ? 0x3c013c00 : 0x3f800001;
    const auto x = filled(context, rows * k * size, word), y = filled(context, rows * n * size),
               w = filled(context, ops::panel_bytes(n, k, type), word), count = filled(context, 4, rows);
    const auto product = record(context, [&](Recorder& recorder) {
        ops::matmul(recorder, {.x = {.data = *x, .dtype = type, .rows = rows, .cols = k, .stride = k},
                               .w = {.data = *w, .dtype = type, .n = n, .k = k},
                               .y = {.data = *y, .dtype = type, .rows = rows, .cols = n, .stride = n},
                               .rows = {.count = *count, .capacity = rows}});
    });
    add_replays(context, *product, ceilings.matmul_seconds);
}

void measure_dispatch(Context& context, Ceilings& ceilings) {
    const auto data = filled(context, 256), none = filled(context, 4);
    const Tensor x{.data = *data, .rows = 1, .cols = 4, .stride = 4};
    // The dispatches work in place, so that each waits for the one before it; no row is live, so that they do nothing.
    const auto dispatches = [&](Recorder& recorder, uint32_t times) {
        for (uint32_t i = 0; i < times; ++i)
            ops::activate(recorder, x, x, Activation::relu, {.count = *none, .capacity = 1});
    };
    add_replays(context, *record(context, [&](Recorder& recorder) { dispatches(recorder, kDispatches); }),
                ceilings.dispatch_seconds, kDispatches);

    const auto one = record(context, [&](Recorder& recorder) { dispatches(recorder, 1); });
    for (uint32_t i = 0; i < kSubmissions; ++i)
        ceilings.submit_wait_seconds.push_back(seconds_of([&] { context.wait(context.submit(*one)); }));
}

}  // namespace

void measure_ceilings(Context& context, DType type, Ceilings& ceilings) {
    measure_copy(context, ceilings);
    measure_matmul(context, type, ceilings);
    measure_dispatch(context, ceilings);
}

}  // namespace dragoman::bench
