// SPDX-License-Identifier: Apache-2.0
#include "ops/tune.h"

#include <bit>
#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "ops/attention.h"
#include "ops/matmul_int8.h"
#include "ops/matmul_tiles.h"
#include "support/op_test.h"
#include "support/temp_dir.h"
#include "vulkan/pipeline_report.h"
#include "vulkan/spills.h"
#include "vulkan/tuning.h"

namespace dragoman::test::tune_test {
namespace {

using ops::MatmulKernel;

constexpr double kLong = 1000;  // seconds, more than any test has

TEST_CASE("every tile of every kernel gives the same bits, of cooperative matrices nearly the same") {
    constexpr uint32_t kRows = 37, kOutputs = 150, kInputs = 44;
    on_every_device([&](Context& context) {
        for (const DType type : {DType::f32, DType::f16}) {
            if (type == DType::f16 && !context.caps().f16) continue;
            const auto x = upload(context, random_matrix(kRows, kInputs, 1, type), type, kRows, 48);
            const auto w = upload_weight(context, random_matrix(kOutputs, kInputs, 2, type), type);
            const LiveRows live(context, kRows, kRows);
            for (const MatmulKernel kernel :
                 {MatmulKernel::tiled, MatmulKernel::coopmat, MatmulKernel::coopmat2, MatmulKernel::split}) {
                const bool cooperative = kernel == MatmulKernel::coopmat || kernel == MatmulKernel::coopmat2;
                if (cooperative && type == DType::f32) continue;
                if (kernel == MatmulKernel::coopmat && !ops::has_coopmat(context.caps())) continue;
                if (kernel == MatmulKernel::coopmat2 && !ops::has_coopmat2(context.caps())) continue;
                const auto compute = [&](uint32_t tile) {
                    const auto y = blank(context, kRows, kOutputs, type, 152);
                    run(context, live, [&](Recorder& rec) {
                        ops::matmul(rec, {.x = x, .w = w.weight, .y = y, .rows = live.extent}, kernel, tile);
                    });
                    return download(context, y).values;
                };
                const auto usual = compute(ops::kUsualTile);
                const uint32_t tiles = ops::matmul_tile_count(context.caps(),
                                                              {.x = x, .w = w.weight, .rows = live.extent}, kernel);
                for (uint32_t tile = 0; tile < tiles; ++tile) {
                    CAPTURE(int(kernel));
                    CAPTURE(tile);
                    const auto found = compute(tile);
                    if (!cooperative) CHECK(found == usual);
                    Comparison comparison(type);  // tiles of cooperative matrices add up in orders of their own
                    for (uint32_t i = 0; i < found.size(); ++i)
                        comparison.close(i / kOutputs, i % kOutputs, found[i], usual[i], kInputs / 2);
                    comparison.check();
                }
            }
        }
    });
}

// A CPU that passes for a GPU, so that there is something to choose.
std::shared_ptr<Context> gpu(const Context& like, const std::string& cache_dir, vulkan::ContextOptions options = {}) {
    options.device = std::to_string(like.caps().index);
    options.gpu_kernels = true;
    options.cache_dir = cache_dir;
    return Context::create(options);
}

// The devices whose tables a CPU that passes for a GPU goes by: one that nobody knows, and NVIDIA's, where the kernel
// for few rows takes more of them. A GPU goes by its own either way.
constexpr uint32_t kVendors[] = {0, 0x10de};

TEST_CASE("tuning measures once, keeps what it found, and does nothing on CPU devices") {
    on_every_device([&](Context& device) {
        const TempDir folder;
        constexpr uint32_t kRows[] = {2, 40};
        const auto tune = [&](Context& context, const ops::Budget& budget) {
            const auto w = upload_weight(context, random_matrix(64, 16, 2), DType::f32);
            const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
            const uint32_t kernels = ops::tune_kernels(context, products, kRows, budget);
            return std::pair(kernels, ops::tune_tiles(context, products, kRows, budget));
        };
        if (device.caps().is_cpu()) CHECK(tune(device, ops::Budget(kLong)) == std::pair(0u, 0u));
        const auto first = gpu(device, folder.path().string());
        CHECK(tune(*first, ops::Budget(0)) == std::pair(0u, 0u));
        const std::atomic<bool> stopped = true;
        CHECK(tune(*first, ops::Budget(kLong, &stopped)) == std::pair(0u, 0u));
        uint32_t asked = 0;
        CHECK(tune(*first, ops::Budget(kLong, nullptr, [&] { ++asked; })) == std::pair(1u, 2u));
        CHECK(asked > 4);
        CHECK(tune(*first, ops::Budget(kLong)) == std::pair(0u, 0u));
        first->save();
        CHECK(tune(*gpu(device, folder.path().string()), ops::Budget(kLong)) == std::pair(0u, 0u));
        // A broken file leads to a new measurement.
        for (const auto& file : std::filesystem::directory_iterator(folder.path()))
            if (file.path().filename().string().starts_with("tuning-"))
                std::ofstream(file.path(), std::ios::app) << "0 more\n";
        CHECK(tune(*gpu(device, folder.path().string()), ops::Budget(kLong)) == std::pair(1u, 2u));
    });
}

TEST_CASE("a budget holds") {
    CHECK(!ops::Budget(kLong).spent());
    const ops::Budget budget(0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // at least so long
    CHECK(budget.spent());
}

TEST_CASE("the measured number of rows says which kernel is picked") {
    on_every_device([&](Context& device) {
        const auto w = upload_weight(device, random_matrix(192, 64, 2), DType::f32);
        const auto product = [&](uint32_t rows) {
            const Tensor x{.dtype = DType::f32, .cols = 64, .stride = 64}, y{.dtype = DType::f32, .cols = 192};
            return ops::MatmulArgs{.x = x, .w = w.weight, .y = y, .rows = {.capacity = rows}};
        };
        for (const uint32_t vendor : kVendors) {
            const auto context = gpu(device, "-", {.gpu_vendor = vendor});
            const uint32_t usual = ops::few_rows(context->caps());
            CHECK(usual >= ops::kFewRows);
            CHECK(ops::pick_matmul(*context, product(ops::kFewRows)) == MatmulKernel::split);
            CHECK(ops::pick_matmul(*context, product(usual)) == MatmulKernel::split);
            CHECK(ops::pick_matmul(*context, product(usual + 1)) == MatmulKernel::tiled);
        }
    });
    on_every_device([&](Context& device) {
        const auto context = gpu(device, "-");
        const auto w = upload_weight(*context, random_matrix(192, 64, 2), DType::f32);
        const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
        const auto picked = [&](uint32_t rows) {
            const Tensor x{.dtype = DType::f32, .cols = 64, .stride = 64}, y{.dtype = DType::f32, .cols = 192};
            return ops::pick_matmul(*context, {.x = x, .w = w.weight, .y = y, .rows = {.capacity = rows}});
        };
        REQUIRE(ops::tune_kernels(*context, products, {}, ops::Budget(1000)) == 1);
        const uint32_t few =
            ops::measured_few_rows(*context, {.x = {.dtype = DType::f32}, .w = w.weight, .y = {.dtype = DType::f32}});
        CHECK(few >= ops::kFewRows);
        CHECK(few <= 256);
        CHECK(picked(few) == MatmulKernel::split);
        CHECK(picked(few + 1) == MatmulKernel::tiled);
    });
}

TEST_CASE("tuning leaves out what does not fit a buffer or the memory") {
    const std::vector<float> values(8192 * 4, 0.5f);
    for (const vulkan::ContextOptions& limits : {vulkan::ContextOptions{.buffer_limit_bytes = 1'000'000},
                                                 vulkan::ContextOptions{.memory_limit_bytes = 4'000'000}})
        on_every_device([&](Context& device) {
            const auto limited = gpu(device, "-", limits);
            const auto w = upload_weight(*limited, Matrix{8192, 4, values}, DType::f32);
            const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
            constexpr uint32_t kMany[] = {512};  // 16 MiB of outputs
            CHECK(ops::tune_tiles(*limited, products, kMany, ops::Budget(1000)) == 0);
            CHECK(limited->tuning().empty());
        });
}

// Lists the kernels that an operation would dispatch, without compiling them.
template <class F>
std::vector<vulkan::KernelId> kernels_of(Context& context, F&& f) {
    std::vector<vulkan::KernelId> kernels;
    Recorder rec(context.shared_from_this(),
                 [&](const vulkan::Shader& shader, vulkan::VariantKey key, std::span<const uint32_t> constants) {
                     kernels.emplace_back(vulkan::KernelUse{&shader, key, constants});
                 });
    f(rec);
    return kernels;
}

TEST_CASE("what spills gives way: to other tiles, then to other kernels, then to what spills least") {
    on_every_device([&](Context& device) {
        for (const uint32_t vendor : kVendors)
            for (const bool few : {true, false}) {
                const auto context = gpu(device, "-", {.gpu_vendor = vendor});
                const uint32_t rows = few ? 2 : ops::few_rows(context->caps()) + 32;
                const auto x = blank(*context, rows, 64, DType::f32), y = blank(*context, rows, 128, DType::f32);
                const auto w = upload_weight(*context, random_matrix(128, 64, 2), DType::f32);
                const LiveRows live(*context, rows, rows);
                const auto used = [&] {
                    const auto kernels = kernels_of(*context, [&](Recorder& rec) {
                        ops::matmul(rec, {.x = x, .w = w.weight, .y = y, .rows = live.extent});
                    });
                    REQUIRE(kernels.size() == 1);
                    return kernels.front();
                };
                const vulkan::KernelId usual = used();
                CHECK(usual.shader->name == (few ? "matmul_split" : "matmul_tiled"));
                std::vector<vulkan::KernelId> spilling;
                std::set<std::string_view> shaders;
                uint32_t amount = 1000;
                for (;;) {
                    const vulkan::KernelId now = used();
                    CAPTURE(now.shader->name);
                    if (std::ranges::find(spilling, now) != spilling.end()) break;
                    context->spills().remember(now.use(), amount--);
                    spilling.push_back(now);
                    shaders.insert(now.shader->name);
                    REQUIRE(spilling.size() < 100);
                }
                CHECK(spilling.size() > 4);
                CHECK(shaders.contains("matmul_split"));
                CHECK(shaders.contains("matmul_tiled"));
                CHECK(used().shader == spilling.back().shader);  // of all, the kernel with the tile that spills least
                context->spills().remember(usual.use(), 0);
                CHECK(used() == usual);
            }
    });
}

TEST_CASE("a tile that spills is not measured") {
    on_every_device([&](Context& device) {
        const auto context = gpu(device, "-");
        const uint32_t rows = ops::few_rows(context->caps()) + 32;  // more than the kernel for few rows takes
        const auto w = upload_weight(*context, random_matrix(64, 16, 2), DType::f32);
        const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
        const auto x = blank(*context, rows, 16, DType::f32), y = blank(*context, rows, 64, DType::f32);
        const LiveRows live(*context, rows, rows);
        const ops::MatmulArgs args{.x = x, .w = w.weight, .y = y, .rows = live.extent};
        const auto used = [&](uint32_t tile) {
            return kernels_of(*context, [&](Recorder& rec) { ops::matmul(rec, args, MatmulKernel::tiled, tile); })[0];
        };
        const uint32_t tiles = ops::matmul_tile_count(context->caps(), args, MatmulKernel::tiled);
        REQUIRE(tiles > 2);
        for (uint32_t tile = 0; tile + 1 < tiles; ++tile) context->spills().remember(used(tile).use(), 8);
        const uint32_t counts[] = {rows};
        uint32_t measured = 0;
        vulkan::watch_dispatches(*context, [&](const vulkan::KernelUse& use) {
            CHECK(vulkan::KernelId(use) == used(tiles - 1));
            ++measured;
        });
        CHECK(ops::tune_tiles(*context, products, counts, ops::Budget(1000)) == 1);
        CHECK(measured > 0);
        vulkan::watch_dispatches(*context, {});
        const auto picked = kernels_of(*context, [&](Recorder& rec) { ops::matmul(rec, args); });
        CHECK(picked[0] == used(tiles - 1));
    });
}

TEST_CASE("attention and int8 products that spill give way, too") {
    on_every_device([&](Context& device) {
        const auto context = gpu(device, "-");
        constexpr uint32_t kRows = 16, kWidth = 64;
        const auto buffer = context->buffer(1 << 20, vulkan::BufferUse::device, "all");
        const auto tensor = [&](uint32_t cols) {
            return Tensor{.data = *buffer, .dtype = DType::f32, .rows = kRows, .cols = cols, .stride = cols};
        };
        const Extent rows{.count = *buffer, .capacity = kRows};
        const std::function<void(Recorder&)> operations[] = {
            [&](Recorder& rec) {
                ops::encoder_attention(rec, {.qkv = tensor(3 * kWidth),
                                             .row_sentence = *buffer,
                                             .sentence_begin = vulkan::BufferView(*buffer, 0, 8),
                                             .y = tensor(kWidth),
                                             .heads = {.count = 2, .head_dim = 32},
                                             .rows = rows});
            },
            [&](Recorder& rec) {
                ops::matmul_int8(rec, {.x = tensor(kWidth),
                                       .input_scale = 1.0f,
                                       .w = {.data = *buffer, .dtype = DType::i8, .n = kWidth, .k = kWidth},
                                       .units = *buffer,
                                       .y = tensor(kWidth),
                                       .rows = rows});
            }};
        for (const auto& operation : operations) {
            std::vector<vulkan::KernelId> spilling;
            for (;;) {
                const vulkan::KernelId now = kernels_of(*context, operation).back();
                if (std::ranges::find(spilling, now) != spilling.end()) break;
                context->spills().remember(now.use(), 8);
                spilling.push_back(now);
                REQUIRE(spilling.size() < 20);
            }
            CHECK(spilling.size() > 1);
        }
    });
}

TEST_CASE("attention and int8 products take what was measured, in place of the usual") {
    on_every_device([&](Context& device) {
        const auto context = gpu(device, "-");
        constexpr uint32_t kRows = 16, kWidth = 64;
        const auto buffer = context->buffer(1 << 20, vulkan::BufferUse::device, "all");
        const auto tensor = [&](uint32_t rows, uint32_t cols) {
            return Tensor{.data = *buffer, .dtype = DType::f32, .rows = rows, .cols = cols, .stride = cols};
        };
        const Extent rows{.count = *buffer, .capacity = kRows};
        const ops::Heads heads{.count = 2, .head_dim = 32};
        const ops::Weight w{.data = *buffer, .dtype = DType::i8, .n = kWidth, .k = kWidth};
        const ops::Product products[] = {{w, DType::f32, DType::f32}};
        const ops::Budget budget(1000);
        struct Case {
            std::function<void(Recorder&)> operation;
            std::function<uint32_t(Context&)> tune;
            uint32_t choices = 1;  // that tune makes
        };
        const auto cross_attention = [&](Recorder& rec, uint32_t capacity) {
            ops::step_cross_attention(rec, {.q = tensor(capacity, kWidth),
                                            .memory = tensor(kRows, 2 * kWidth),
                                            .live_rows = *buffer,
                                            .source_begin = *buffer,
                                            .source_length = *buffer,
                                            .beam = 4,
                                            .y = tensor(capacity, kWidth),
                                            .heads = heads,
                                            .rows = {.count = *buffer, .capacity = capacity}});
        };
        const auto attention = [&](ops::AttentionUse use) {
            return [&, use](Context& on) {
                const ops::AttentionShape shapes[] = {{use, DType::f32, heads.count, heads.head_dim, 4}};
                return ops::tune_attention(on, shapes, budget);
            };
        };
        const Case cases[] = {{[&](Recorder& rec) {
                                   ops::encoder_attention(rec, {.qkv = tensor(kRows, 3 * kWidth),
                                                                .row_sentence = *buffer,
                                                                .sentence_begin = vulkan::BufferView(*buffer, 0, 8),
                                                                .y = tensor(kRows, kWidth),
                                                                .heads = heads,
                                                                .rows = rows});
                               },
                               attention(ops::AttentionUse::encoder)},
                              {[&](Recorder& rec) {
                                   ops::step_self_attention(rec, {.qkv = tensor(kRows, 3 * kWidth),
                                                                  .keys = tensor(kRows * 4, kWidth),
                                                                  .values = tensor(kRows * 4, kWidth),
                                                                  .live_rows = *buffer,
                                                                  .position = *buffer,
                                                                  .ancestry = *buffer,
                                                                  .cache_rows = kRows,
                                                                  .max_steps = 4,
                                                                  .beam = 4,
                                                                  .y = tensor(kRows, kWidth),
                                                                  .heads = heads,
                                                                  .rows = rows});
                               },
                               attention(ops::AttentionUse::step_self)},
                              {[&](Recorder& rec) { cross_attention(rec, kRows); },
                               attention(ops::AttentionUse::step_cross), 2},  // for few rows and for many
                              {[&](Recorder& rec) {
                                   ops::matmul_int8(rec, {.x = tensor(kRows, kWidth),
                                                          .input_scale = 1.0f,
                                                          .w = w,
                                                          .units = *buffer,
                                                          .y = tensor(kRows, kWidth),
                                                          .rows = rows});
                               },
                               [&](Context& on) {
                                   constexpr uint32_t kTuned[] = {kRows};
                                   return ops::tune_tiles(on, products, kTuned, budget);
                               }}};
        for (const Case& one : cases) {
            const auto used = [&] { return kernels_of(*context, one.operation).back(); };
            // All but one spill while it is measured.
            const vulkan::KernelId usual = used();
            std::vector<vulkan::KernelId> spilling;
            for (vulkan::KernelId now = usual; std::ranges::find(spilling, now) == spilling.end(); now = used()) {
                context->spills().remember(now.use(), 8);
                spilling.push_back(now);
                REQUIRE(spilling.size() < 20);
            }
            REQUIRE(spilling.size() > 2);
            const vulkan::KernelId other = spilling[1];
            context->spills().remember(other.use(), 0);
            REQUIRE(one.tune(*context) == one.choices);
            context->spills().remember(usual.use(), 0);
            CHECK(used() == other);
            if (one.choices == 2)
                CHECK(kernels_of(*context, [&](Recorder& rec) {
                          cross_attention(rec, ops::kFewAttentionRows + 1);
                      }).back() == other);
            CHECK(one.tune(*context) == 0);
        }
        // Where nothing spills, time decides; nothing is measured without time, or on CPU devices.
        std::vector<ops::AttentionShape> shapes;
        for (const auto use : {ops::AttentionUse::encoder, ops::AttentionUse::step_self, ops::AttentionUse::step_cross})
            shapes.push_back({use, DType::f32, heads.count, heads.head_dim, 2});
        const auto fresh = gpu(device, "-");
        CHECK(ops::tune_attention(*fresh, shapes, ops::Budget(0)) == 0);
        CHECK(ops::tune_attention(*fresh, shapes, budget) == 4);
        CHECK(ops::tune_attention(*fresh, shapes, budget) == 0);
        if (device.caps().is_cpu()) CHECK(ops::tune_attention(device, shapes, budget) == 0);
    });
}

// Device kinds in the tables; what they run with must fit each.
TEST_CASE("the tables hold tiles for every class of device") {
    struct Device {
        uint32_t vendor, shared_bytes, invocations;
        ops::DeviceClass expected;
    };
    constexpr Device kDevices[] = {{0x10de, 49152, 1024, ops::DeviceClass::nvidia},
                                   {0x1002, 65536, 1024, ops::DeviceClass::amd},
                                   {0x8086, 65536, 1024, ops::DeviceClass::intel},
                                   {0x13b5, 16384, 256, ops::DeviceClass::mobile},
                                   {0x1234, 16384, 128, ops::DeviceClass::other}};
    for (const Device& device : kDevices) {
        vulkan::Caps caps{.kind = vulkan::DeviceKind::discrete,
                          .vendor_id = device.vendor,
                          .max_workgroup_invocations = device.invocations,
                          .max_shared_bytes = device.shared_bytes};
        CHECK(ops::device_class(caps) == device.expected);
        CHECK(!ops::has_coopmat(caps));
        caps.coop_shapes = {{16, 8, 8}, {16, 16, 16}, {48, 48, 48}, {16, 8, 16}};
        caps.coop_subgroup_size = 32;
        const auto coopmat = ops::coopmat_tiles(caps, false);
        for (const auto& tile : coopmat) {
            CHECK(tile.m * tile.n * tile.k == 16 * 16 * 16);
            CHECK(tile.invocations <= device.invocations);
        }
        const auto tiled = ops::tiled_tiles(caps, 4096);
        REQUIRE(!tiled.empty());
        for (const auto& tile : tiled) {
            CHECK(tile.tile_rows * tile.tile_k / 4 % tile.invocations == 0);
            CHECK(tile.tile_k * ops::kPanel / 4 % tile.invocations == 0);
        }
        for (const uint32_t rows : {1u, 3u, 8u})
            for (const auto& tile : ops::tiled_tiles(caps, rows)) {
                CHECK(tile.tile_rows >= rows);
                CHECK(tile.tile_rows / tile.rows * ops::kPanel / 4 == tile.invocations);
                CHECK(tile.invocations <= device.invocations);
            }
        // Few rows: all tiles share the inputs out over as many lanes, whatever the rows.
        for (const DType type : {DType::f32, DType::f16, DType::q8, DType::q4})
            for (const auto& [n, k] : {std::pair{1u, 32u}, {512u, 512u}, {512u, 2048u}, {32000u, 512u}, {9000u, 64u}}) {
                uint32_t lanes = 0;
                for (const uint32_t rows : {1u, 2u, 3u, 8u, 9u})
                    for (const bool records : {false, true}) {
                        const auto split = ops::split_tiles(caps, {.dtype = type, .n = n, .k = k}, rows, records);
                        if (!records || n > 8192) CHECK(!split.empty());
                        for (const auto& tile : split) {
                            const uint32_t now = tile.invocations / (tile.columns / (type == DType::f16 ? 8 : 4));
                            if (lanes == 0) lanes = now;
                            CHECK(now == lanes);
                            CHECK(std::has_single_bit(now));
                            CHECK(now % tile.shuffled == 0);
                            CHECK(tile.invocations >= tile.columns);
                            CHECK(tile.invocations <= device.invocations);
                            CHECK(tile.pass_rows * tile.columns * now / tile.shuffled * 4 <= device.shared_bytes);
                            CHECK(tile.rows >= std::min(rows, 8u));
                            CHECK((!records || tile.columns == ops::kPanel));
                        }
                    }
            }
        for (const uint32_t rows : {9u, 32u, 128u, 4096u})
            for (const uint32_t n : {64u, 512u, 32000u}) {
                CHECK(ops::default_tile(tiled, rows, n) < tiled.size());
                if (!coopmat.empty()) CHECK(ops::default_tile(coopmat, rows, n) < coopmat.size());
            }
    }
}

}  // namespace
}  // namespace dragoman::test::tune_test
