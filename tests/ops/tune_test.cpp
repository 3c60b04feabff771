// SPDX-License-Identifier: Apache-2.0
#include "ops/tune.h"

#include <bit>

#include "ops/matmul_tiles.h"
#include "support/op_test.h"
#include "vulkan/tuning.h"

namespace dragoman::test {
namespace {

using ops::MatmulKernel;

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
                if (kernel == MatmulKernel::coopmat && (type == DType::f32 || !ops::has_coopmat(context.caps()))) continue;
                if (kernel == MatmulKernel::coopmat2 && (type == DType::f32 || !ops::has_coopmat2(context.caps())))
                    continue;
                const auto compute = [&](uint32_t tile) {
                    const auto y = blank(context, kRows, kOutputs, type, 152);
                    run(context, live, [&](Recorder& rec) {
                        ops::matmul(rec, {.x = x, .w = w.weight, .y = y, .rows = live.extent}, kernel, tile);
                    });
                    return download(context, y).values;
                };
                const auto usual = compute(ops::kUsualTile);
                const bool cooperative = kernel == MatmulKernel::coopmat || kernel == MatmulKernel::coopmat2;
                const uint32_t tiles =
                    ops::matmul_tile_count(context.caps(), {.x = x, .w = w.weight, .rows = live.extent}, kernel);
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

TEST_CASE("tuning measures once, keeps what it found, and does nothing on CPU devices") {
    on_every_device([&](Context& context) {
        const auto w = upload_weight(context, random_matrix(64, 16, 2), DType::f32);
        const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
        constexpr uint32_t kRows[] = {2, 40};
        if (context.caps().is_cpu()) CHECK(ops::tune_matmul(context, products, kRows) == 0);
        const uint32_t found = ops::tune_matmul(context, products, kRows, true);
        CHECK(ops::tune_matmul(context, products, kRows, true) == 0);
        CHECK((found == 0 || !context.tuning().empty()));  // an earlier run may have left its choices
    });
}

TEST_CASE("tuning leaves out what does not fit a buffer or the memory") {
    const std::vector<float> values(8192 * 4, 0.5f);
    for (const vulkan::ContextOptions& limits : {vulkan::ContextOptions{.buffer_limit_bytes = 1'000'000},
                                                 vulkan::ContextOptions{.memory_limit_bytes = 4'000'000}})
        on_every_device([&](Context& context) {
            vulkan::ContextOptions options = limits;
            options.device = std::to_string(context.caps().index);
            options.cache_dir = "-";  // no choices of earlier runs
            const auto limited = Context::create(options);
            const auto w = upload_weight(*limited, Matrix{8192, 4, values}, DType::f32);
            const ops::Product products[] = {{w.weight, DType::f32, DType::f32}};
            constexpr uint32_t kMany[] = {512};  // 16 MiB of outputs
            CHECK(ops::tune_matmul(*limited, products, kMany, true) == 0);
            CHECK(limited->tuning().empty());
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
}  // namespace dragoman::test
