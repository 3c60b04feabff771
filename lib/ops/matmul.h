// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/activation.h"
#include "ops/tensor.h"

namespace dragoman::ops {

// A norm of the inputs (ops/norm.h).
struct InputNorm {
    BufferView gamma{};  // [k] f32; empty: none
    BufferView beta{};   // [k] f32, optional: without it this is RMSNorm
    float epsilon = 1e-5f;
    Tensor y{};          // [rows, k], the normalised x; none of the product's other tensors
    explicit operator bool() const { return bool(gamma); }
};

struct MatmulArgs {
    Tensor x;             // [rows, k], any of the activation types
    Weight w;             // [n, k]
    uint32_t column = 0;  // column of the first output in bias, gate, residual, y and records
    BufferView bias{};    // [n] f32, optional
    Activation activation = Activation::none;
    Tensor gate{};        // [rows, n], optional: multiplied after the activation (gated feed-forward)
    Tensor residual{};    // [rows, n], optional: added last; may be y itself
    Tensor y;             // [rows, n], same type as x, or f32 (logits)
    float scale = 1.0f;   // multiplies the product, before the bias
    BufferView records{}; // optional, for topk (ops/topk.h); y is f32 then, without gate and residual
    bool y_unused = false;  // with records: y need not be written
    InputNorm norm{};     // normalises x before the product
    Extent rows;
};

// y = activation(scale * x W^T + bias) * gate + residual, in f32 with fma. A row never depends on its neighbours. In
// `tiled` and `texel` every output is one sum over ascending k: CPU devices, which use no other kernels, give the same
// bits for any number of rows. GPUs use `split` for few rows: it adds partial sums in an order that is fixed for a
// device and a shape of weights, so few rows may differ from many in their last bits. `coopmat`, used for f16 inputs
// and weights only, adds up in the device's own order; its tiles for few rows divide the inputs among subgroups, so
// their sums differ from those of tiles for many. `split` and `coopmat` normalise their inputs themselves; the others
// need a dispatch for it.
void matmul(Recorder& rec, const MatmulArgs& args);

inline constexpr uint32_t kFewRows = 8;  // the most rows for which split is picked, unless the device's table says more
// The most rows for which split is picked on a device, where outputs are few and coopmat cannot run.
uint32_t few_rows(const vulkan::Caps& caps);
// the same before anything is measured
uint32_t usual_few_rows(const vulkan::Context& context, const MatmulArgs& args);

enum class MatmulKernel : uint8_t {
    tiled,  // shared-memory tiles: runs everywhere
    split,  // few rows on GPUs: every weight is read once, the inputs are divided among lanes
    coopmat,  // cooperative matrices: f16 weights, inputs rounded to f16
    coopmat2,  // cooperative matrices of whole workgroups (VK_NV_cooperative_matrix2): f16 inputs
    texel,  // register blocks and shuffles, no shared memory: CPU devices, with texel buffers (ops/cpu_kernels.h)
};
MatmulKernel pick_matmul(const vulkan::Context& context, const MatmulArgs& args);
// Whether rows begin at multiples of 16 bytes, those of x at multiples of eight elements, as coopmat wants it.
bool is_wide(const MatmulArgs& args);
// Whether the product normalises its inputs itself: every workgroup repeats it, which pays for few rows.
bool normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel);
// Whether the device has a shape that the coopmat kernel can use, and the memory for it.
bool has_coopmat(const vulkan::Caps& caps);
bool has_coopmat2(const vulkan::Caps& caps);
const vulkan::Shader& matmul_shader(MatmulKernel kernel);
// `tile`: one of the kernel's tiles for these arguments; by default the measured one (ops/tune.h), otherwise the one of
// the tables (ops/matmul_tiles.h).
inline constexpr uint32_t kUsualTile = 0xffffffff;
uint32_t matmul_tile_count(const vulkan::Caps& caps, const MatmulArgs& args, MatmulKernel kernel);
void matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile = kUsualTile);
// The kernels that are possible for a product: whether split is, and those for more than a few rows.
bool can_split(const vulkan::Context& context, const MatmulArgs& args);
std::vector<MatmulKernel> kernels_for_many_rows(const vulkan::Context& context, const MatmulArgs& args);
// The kernel of these that is taken before anything is measured. coopmat2 has been measured on one device only.
inline MatmulKernel usual_for_many_rows(std::span<const MatmulKernel> kernels) {
    return kernels.front() == MatmulKernel::coopmat ? MatmulKernel::coopmat : MatmulKernel::tiled;
}
// What the kernel keeps in memory for lack of registers (vulkan::Spills); 0 is best.
uint32_t spilled_by_matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile);
// The usual tile, or otherwise the first, that gives right results and spills at most so much.
std::optional<uint32_t> usable_tile(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t most = 0);
// Whether the kernel gives right results on this device.
bool matmul_is_usable(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel, uint32_t tile);

}  // namespace dragoman::ops
