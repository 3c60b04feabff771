// SPDX-License-Identifier: Apache-2.0
// What a device's driver makes of multiplications alone: bench_arithmetic [DEVICE]. They stay in registers, so no matrix
// product that is written with one of them can be faster. Times are those of bench_op.
#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <string>

#include "base/error.h"
#include "bench_shaders/arithmetic.h"
#include "bench_shaders/byte_dots.h"
#include "replay_seconds.h"
#include "vulkan/context.h"

namespace {

using namespace dragoman;

constexpr uint32_t kInvocations = 64, kGroups = 256, kChains = 8, kRounds = 1024;

struct Push {
    uint32_t rounds, factor;
};
struct ArithmeticTile {
    uint32_t invocations, kind;
};
struct ByteDotsTile {
    uint32_t invocations;
};
constexpr vulkan::Kernel<Push, ArithmeticTile, 1> arithmetic{spv::arithmetic};
constexpr vulkan::Kernel<Push, ByteDotsTile, 1> byte_dots{spv::byte_dots};
constexpr uint32_t kByteDots = 6;  // kinds below it are those of arithmetic.comp

struct Kind {
    const char* name;
    uint32_t kind, factor;
    double products;  // of one operation
};

void run(const std::string& device) {
    const auto context = vulkan::Context::create({.device = device});
    const vulkan::Caps& caps = context->caps();
    fmt::print("{} ({})\n", caps.name, caps.driver);
    const auto values = context->buffer(uint64_t(kInvocations) * kGroups * kChains * 4, vulkan::BufferUse::device,
                                        "bench");
    const Kind kinds[] = {{"float32, fused", 0, std::bit_cast<uint32_t>(0.99f), 1},
                          {"32-bit integers", 1, 77, 1},
                          {"16-bit integers in words", 2, 77, 1},
                          {"integers that LLVM knows to have 16 bits", 5, 77, 1},
                          {"pairs of 16-bit integers", 3, 0x004d0033, 2},
                          {"four bytes, by shifts", 4, 0x17214d33, 4},
                          {"four bytes, the driver's dot product", kByteDots, 0x17214d33, 4}};
    for (const Kind& kind : kinds) {
        if (!context->can_run(kind.kind == kByteDots ? spv::byte_dots : spv::arithmetic, DType::f32)) {
            fmt::print("{:<42} not on this device\n", kind.name);
            continue;
        }
        const double seconds = bench::replay_seconds(*context, [&](vulkan::Recorder& rec) {
            const Push push{.rounds = kRounds, .factor = kind.factor};
            const vulkan::Groups groups(kGroups);
            rec.fill(*values, 0);
            if (kind.kind == kByteDots) rec.dispatch(byte_dots, {}, {*values}, push, {kInvocations}, groups);
            else rec.dispatch(arithmetic, {}, {*values}, push, {kInvocations, kind.kind}, groups);
        });
        const double products = double(kInvocations) * kGroups * kChains * kRounds * kind.products;
        fmt::print("{:<42} {:8.1f} G multiplications with additions a second\n", kind.name, products / seconds * 1e-9);
        std::fflush(stdout);
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
