// SPDX-License-Identifier: Apache-2.0
#include "ops/attention.h"

#include <doctest/doctest.h>

#include <functional>

#include "check/reference.h"
#include "ops/kernels.h"
#include "support/op_test.h"
#include "support/sweep.h"

namespace attention_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

struct Attended {
    std::vector<double> y, weights;
    double magnitude = 1;  // of the scores' terms
};

// softmax(scale q k^T + bias) v for one query and head. `element(part, key, d)` is q (key ignored), k or v.
enum Part { kQuery, kKey, kValue };
using Element = std::function<double(Part, uint32_t, uint32_t)>;

Attended attend(uint32_t keys, uint32_t head_dim, double scale, const Element& element,
                const std::function<double(uint32_t)>& bias) {
    Attended result{.y = std::vector<double>(head_dim), .weights = std::vector<double>(keys)};
    for (uint32_t j = 0; j < keys; ++j) {
        double score = bias(j), terms = std::abs(score);
        for (uint32_t d = 0; d < head_dim; ++d) {
            const double term = scale * element(kQuery, 0, d) * element(kKey, j, d);
            score += term;
            terms += std::abs(term);
        }
        result.weights[j] = score;
        result.magnitude = std::max(result.magnitude, terms);
    }
    result.weights = reference::softmax(std::move(result.weights));
    for (uint32_t j = 0; j < keys; ++j)
        for (uint32_t d = 0; d < head_dim; ++d) result.y[d] += result.weights[j] * element(kValue, j, d);
    return result;
}

double no_bias(uint32_t) { return 0; }

// Entry clamp(j - i, -reach, reach) + reach of the head's row.
double bias_entry(const Matrix& table, uint32_t reach, uint32_t head, uint32_t query, uint32_t key) {
    const int64_t distance = int64_t(key) - int64_t(query), limit = reach;
    return table(head, uint32_t(std::clamp(distance, -limit, limit) + limit));
}

struct Shape {
    ops::AttentionKernel kernel;
    DType dtype;
    uint32_t heads, head_dim;
    float scale = 0.5f;
    uint32_t reach = 0;  // 0: no relative bias
    uint32_t pad = 8;    // between the rows of what the kernel reads; a multiple of 8 allows chunks
    uint32_t tile = 0;
};

// Elements between rows of everything else.
uint32_t odd(const Shape& s, uint32_t elements) { return s.pad % 8 == 0 ? s.pad : elements; }

// Whether the device has matrices that divide the head.
bool has_matrices(const Context& context, const Shape& s) {
    if (!runs(context, *kernels::encoder_attention_coopmat.shader, {s.dtype, DType::u32})) return false;
    const uint32_t width = 3 * s.heads * s.head_dim;
    const Tensor qkv{.data = {}, .dtype = s.dtype, .rows = 1, .cols = width, .stride = width + s.pad};
    if (ops::fits_coopmat(context, {.qkv = qkv, .heads = {.count = s.heads, .head_dim = s.head_dim}})) return true;
    MESSAGE("skipped coopmat: no shape of ", context.caps().name, " fits heads of ", s.head_dim);
    return false;
}

// Subgroup kernels run on CPU devices alone: elsewhere a workgroup need not be one subgroup.
template <class Shared, class Subgroup, class Texel>
bool runs_kernel(const Context& context, const Shape& s, const Shared& shared, const Subgroup& subgroup,
                 const Texel& texel) {
    if (s.kernel == ops::AttentionKernel::texel)
        return context.caps().max_texels > 0 && s.dtype == DType::f32 && s.head_dim % 4 == 0 && s.pad % 4 == 0 &&
               runs(context, *texel.shader, {s.dtype, DType::u32});
    if (s.kernel == ops::AttentionKernel::coopmat) return has_matrices(context, s);
    if (s.kernel == ops::AttentionKernel::shared_memory) return runs(context, *shared.shader, {s.dtype, s.dtype});
    return context.caps().is_cpu() && runs(context, *subgroup.shader, {s.dtype, s.dtype});
}

struct Bias {
    Matrix table;
    std::shared_ptr<Buffer> buffer;
    Bias(Context& context, const Shape& s) : table(random_matrix(s.heads, 2 * s.reach + 1, 5, DType::f32, 2.0f)) {
        buffer = upload(context, table.values);
    }
    ops::Heads heads(const Shape& s) const {
        return {.count = s.heads,
                .head_dim = s.head_dim,
                .scale = s.scale,
                .relative_bias = s.reach ? BufferView(*buffer) : BufferView(),
                .bias_reach = s.reach};
    }
};

Matrix rows_of(const Matrix& m, uint32_t begin, uint32_t end) {
    return {end - begin, m.cols, {m.values.begin() + begin * m.cols, m.values.begin() + end * m.cols}};
}

// ------------------------------------------------------------------------------------------------- encoder

struct Sentences {
    std::vector<uint32_t> begin{0}, row_sentence;
    explicit Sentences(const std::vector<uint32_t>& lengths) {
        for (uint32_t length : lengths) {
            row_sentence.insert(row_sentence.end(), length, uint32_t(begin.size() - 1));
            begin.push_back(begin.back() + length);
        }
    }
    uint32_t rows() const { return begin.back(); }
};

Matrix run_encoder(Context& context, const Matrix& qkv, const Sentences& sentences, const Shape& s, const Bias& bias,
                   uint32_t capacity, bool indirect) {
    const uint32_t d = s.heads * s.head_dim;
    std::vector<uint32_t> row_sentence = sentences.row_sentence;
    row_sentence.resize(capacity, 0x7fffffff);  // must not be looked at
    const auto rows_buffer = upload(context, row_sentence), begin_buffer = upload(context, sentences.begin);
    const DeviceTensor dx = upload(context, qkv, s.dtype, capacity, 3 * d + s.pad);
    const DeviceTensor dy = blank(context, capacity, d, s.dtype, d + odd(s, 3));
    const LiveRows live(context, qkv.rows, capacity, indirect);
    run(context, live, [&](Recorder& rec) {
        ops::encoder_attention(rec,
                               {.qkv = dx,
                                .row_sentence = *rows_buffer,
                                .sentence_begin = *begin_buffer,
                                .y = dy,
                                .heads = bias.heads(s),
                                .rows = live.extent},
                               {s.kernel, s.tile});
    });
    return download(context, dy);
}

void check_encoder(Context& context, const Shape& s, const std::vector<uint32_t>& lengths, bool indirect) {
    if (!runs_kernel(context, s, kernels::encoder_attention, kernels::encoder_attention_subgroup,
                     kernels::encoder_attention_texel))
        return;
    CAPTURE(int(s.kernel));
    CAPTURE(s.head_dim);
    CAPTURE(name(s.dtype));
    const Sentences sentences(lengths);
    const Bias bias(context, s);
    const uint32_t d = s.heads * s.head_dim;
    const Matrix qkv = random_matrix(sentences.rows(), 3 * d, s.head_dim, s.dtype);
    const Matrix y = run_encoder(context, qkv, sentences, s, bias, sentences.rows() + 9, indirect);

    Comparison comparison(s.dtype);
    for (uint32_t row = 0; row < qkv.rows; ++row) {
        const uint32_t begin = sentences.begin[sentences.row_sentence[row]];
        const uint32_t length = lengths[sentences.row_sentence[row]];
        for (uint32_t h = 0; h < s.heads; ++h) {
            const Attended expected = attend(
                length, s.head_dim, s.scale,
                [&](Part part, uint32_t key, uint32_t i) {
                    return qkv(part == kQuery ? row : begin + key, part * d + h * s.head_dim + i);
                },
                [&](uint32_t key) { return s.reach ? bias_entry(bias.table, s.reach, h, row - begin, key) : 0.0; });
            for (uint32_t i = 0; i < s.head_dim; ++i) {
                const uint32_t col = h * s.head_dim + i;
                comparison.close(row, col, y(row, col), expected.y[i], expected.magnitude);
            }
        }
    }
    comparison.untouched(y, qkv.rows, d);
    comparison.check();
}

// ------------------------------------------------------------------------------------------- decoder steps

// Cache rows of `slots * beam`; live row i is cache row live[i].
struct Step {
    uint32_t beam, max_steps;
    std::vector<uint32_t> position, live;  // per cache row; per live row
    std::vector<uint32_t> ranges{};  // empty, or {begin, steps} of every slot
    uint32_t cache_rows() const { return uint32_t(position.size()); }
    uint32_t place(uint32_t row, uint32_t t) const {
        if (ranges.empty()) return row * max_steps + t;
        return ranges[row / beam * 2] + row % beam * ranges[row / beam * 2 + 1] + t;
    }
    uint32_t places() const {
        uint32_t end = ranges.empty() ? cache_rows() * max_steps : 0;
        for (uint32_t slot = 0; 2 * slot < ranges.size(); ++slot)
            end = std::max(end, ranges[2 * slot] + beam * ranges[2 * slot + 1]);
        return end;
    }
};

struct SelfResult {
    Matrix y, keys, values;
};

struct SelfInput {
    Matrix qkv, keys, values;
    std::vector<uint32_t> ancestry;
};

SelfInput self_input(const Shape& s, const Step& step) {
    const uint32_t d = s.heads * s.head_dim, entries = step.places();
    SelfInput input{random_matrix(uint32_t(step.live.size()), 3 * d, 1, s.dtype),
                    random_matrix(entries, d, 2, s.dtype),
                    random_matrix(entries, d, 3, s.dtype),
                    {}};
    std::mt19937 engine(4);
    const uint32_t ancestors = 2 * step.cache_rows() * step.max_steps;
    for (uint32_t i = 0; i < ancestors; ++i) input.ancestry.push_back(engine() % step.beam);
    return input;
}

SelfResult run_self(Context& context, const SelfInput& in, const Shape& s, const Step& step, const Bias& bias,
                    uint32_t capacity, bool indirect) {
    const uint32_t d = s.heads * s.head_dim;
    std::vector<uint32_t> live_rows = step.live;
    live_rows.resize(capacity, 0x7fffffff);
    const auto live_buffer = upload(context, live_rows), position = upload(context, step.position);
    const auto ancestry = upload(context, in.ancestry);
    const auto ranges = step.ranges.empty() ? nullptr : upload(context, step.ranges);
    const DeviceTensor qkv = upload(context, in.qkv, s.dtype, capacity, 3 * d + odd(s, 5));
    const DeviceTensor keys = upload(context, in.keys, s.dtype, 0, d + s.pad);
    const DeviceTensor values = upload(context, in.values, s.dtype, 0, d + s.pad);
    const DeviceTensor y = blank(context, capacity, d, s.dtype, d + odd(s, 1));
    const LiveRows live(context, uint32_t(step.live.size()), capacity, indirect);
    run(context, live, [&](Recorder& rec) {
        ops::step_self_attention(rec,
                                 {.qkv = qkv,
                                  .keys = keys,
                                  .values = values,
                                  .live_rows = *live_buffer,
                                  .position = *position,
                                  .ancestry = step.beam > 1 ? BufferView(*ancestry) : BufferView(),
                                  .cache_rows = step.cache_rows(),
                                  .max_steps = step.max_steps,
                                  .beam = step.beam,
                                  .y = y,
                                  .ranges = ranges ? BufferView(*ranges) : BufferView(),
                                  .heads = bias.heads(s),
                                  .rows = live.extent},
                                 {s.kernel, s.tile});
    });
    return {download(context, y), download(context, keys), download(context, values)};
}

void check_self(Context& context, const Shape& s, const Step& step, bool indirect) {
    if (!runs_kernel(context, s, kernels::step_self_attention, kernels::step_self_attention_subgroup,
                     kernels::step_self_attention_texel))
        return;
    CAPTURE(int(s.kernel));
    CAPTURE(s.head_dim);
    CAPTURE(name(s.dtype));
    const Bias bias(context, s);
    const uint32_t d = s.heads * s.head_dim, live = uint32_t(step.live.size());
    const SelfInput in = self_input(s, step);
    const SelfResult found = run_self(context, in, s, step, bias, live + 3, indirect);

    Comparison comparison(s.dtype), caches(s.dtype);
    Matrix keys = in.keys, values = in.values;
    for (uint32_t row = 0; row < live; ++row) {
        const uint32_t c = step.live[row], t = step.position[c];
        const auto entry = [&](uint32_t j) {
            const uint32_t table_row = (t & 1) * step.cache_rows() + c;
            const uint32_t slot_row = c / step.beam * step.beam;
            const uint32_t parent = step.beam == 1 ? c : slot_row + in.ancestry[table_row * step.max_steps + j];
            return step.place(parent, j);
        };
        for (uint32_t h = 0; h < s.heads; ++h) {
            const Attended expected = attend(
                t + 1, s.head_dim, s.scale,
                [&](Part part, uint32_t key, uint32_t i) {
                    const uint32_t col = h * s.head_dim + i;
                    if (part == kQuery || key == t) return in.qkv(row, part * d + col);
                    return part == kKey ? in.keys(entry(key), col) : in.values(entry(key), col);
                },
                [&](uint32_t key) { return s.reach ? bias_entry(bias.table, s.reach, h, t, key) : 0.0; });
            for (uint32_t i = 0; i < s.head_dim; ++i) {
                const uint32_t col = h * s.head_dim + i;
                comparison.close(row, col, found.y(row, col), expected.y[i], expected.magnitude);
            }
        }
        for (uint32_t col = 0; col < d; ++col) {
            keys.values[size_t(step.place(c, t)) * d + col] = in.qkv(row, d + col);
            values.values[size_t(step.place(c, t)) * d + col] = in.qkv(row, 2 * d + col);
        }
    }
    for (uint32_t e = 0; e < keys.rows; ++e)
        for (uint32_t col = 0; col < d; ++col) {
            caches.equal(e, col, found.keys(e, col), keys(e, col));
            caches.equal(e, col, found.values(e, col), values(e, col));
        }
    caches.untouched(found.keys, keys.rows, d);
    caches.untouched(found.values, keys.rows, d);
    comparison.untouched(found.y, live, d);
    comparison.check();
    caches.check();
}

struct CrossResult {
    Matrix y;
    std::vector<float> weights;
};

struct Sources {
    std::vector<uint32_t> begin, length;  // per slot
    uint32_t rows = 2;                    // of memory; nobody's rows between the sources
    explicit Sources(const std::vector<uint32_t>& lengths) : length(lengths) {
        for (uint32_t n : lengths) {
            begin.push_back(rows);
            rows += n + 1;
        }
    }
};

constexpr uint32_t kWeightsPad = 4;

// The heads whose weights are kept.
struct Kept {
    uint32_t begin, count;
};

CrossResult run_cross(Context& context, const Matrix& q, const Matrix& memory, const Shape& s, const Step& step,
                      const Sources& sources, Kept kept, uint32_t capacity, bool indirect) {
    const uint32_t d = s.heads * s.head_dim, stride = sources.rows + kWeightsPad;
    std::vector<uint32_t> live_rows = step.live;
    live_rows.resize(capacity, 0x7fffffff);
    const auto live_buffer = upload(context, live_rows), position = upload(context, step.position);
    const auto begin = upload(context, sources.begin), length = upload(context, sources.length);
    const DeviceTensor dq = upload(context, q, s.dtype, capacity, d + odd(s, 7));
    const DeviceTensor dm = upload(context, memory, s.dtype, 0, 2 * d + s.pad);
    const DeviceTensor y = blank(context, capacity, d, s.dtype, d + odd(s, 2));
    const DeviceTensor weights = blank(context, step.cache_rows() * step.max_steps, stride, DType::f32);
    const LiveRows live(context, uint32_t(step.live.size()), capacity, indirect);
    run(context, live, [&](Recorder& rec) {
        ops::step_cross_attention(rec,
                                  {.q = dq,
                                   .memory = dm,
                                   .live_rows = *live_buffer,
                                   .source_begin = *begin,
                                   .source_length = *length,
                                   .beam = step.beam,
                                   .y = y,
                                   .weights = kept.count ? BufferView(*weights.buffer) : BufferView(),
                                   .position = kept.count ? BufferView(*position) : BufferView(),
                                   .weights_begin = kept.begin,
                                   .weights_heads = kept.count,
                                   .weights_stride = stride,
                                   .max_steps = step.max_steps,
                                   .heads = {.count = s.heads, .head_dim = s.head_dim, .scale = s.scale},
                                   .rows = live.extent},
                                  {s.kernel, s.tile});
    });
    return {download(context, y), download(context, weights).values};
}

void check_cross(Context& context, const Shape& s, const Step& step, const Sources& sources, Kept kept, bool indirect) {
    if (!runs_kernel(context, s, kernels::step_cross_attention, kernels::step_cross_attention_subgroup,
                     kernels::step_cross_attention_texel))
        return;
    CAPTURE(int(s.kernel));
    CAPTURE(s.head_dim);
    CAPTURE(name(s.dtype));
    const uint32_t d = s.heads * s.head_dim, live = uint32_t(step.live.size());
    const uint32_t stride = sources.rows + kWeightsPad;
    const Matrix q = random_matrix(live, d, 1, s.dtype), memory = random_matrix(sources.rows, 2 * d, 2, s.dtype);
    const CrossResult found = run_cross(context, q, memory, s, step, sources, kept, live + 2, indirect);

    Comparison comparison(s.dtype), shares(DType::f32);
    std::vector<double> weights(found.weights.size(), kSentinel);
    for (uint32_t row = 0; row < live; ++row) {
        const uint32_t c = step.live[row], begin = sources.begin[c / step.beam], length = sources.length[c / step.beam];
        const size_t target = size_t(c * step.max_steps + step.position[c]) * stride;
        for (uint32_t h = 0; h < s.heads; ++h) {
            const Attended expected = attend(
                length, s.head_dim, s.scale,
                [&](Part part, uint32_t key, uint32_t i) {
                    const uint32_t col = h * s.head_dim + i;
                    return part == kQuery ? q(row, col) : memory(begin + key, (part - kKey) * d + col);
                },
                no_bias);
            for (uint32_t i = 0; i < s.head_dim; ++i) {
                const uint32_t col = h * s.head_dim + i;
                comparison.close(row, col, found.y(row, col), expected.y[i], expected.magnitude);
            }
            if (h < kept.begin || h >= kept.begin + kept.count) continue;
            for (uint32_t j = 0; j < length; ++j) {
                if (h == kept.begin) weights[target + j] = 0;
                weights[target + j] += expected.weights[j] / kept.count;
            }
        }
    }
    for (size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == kSentinel)
            shares.equal(uint32_t(i / stride), uint32_t(i % stride), found.weights[i], kSentinel);
        else shares.close(uint32_t(i / stride), uint32_t(i % stride), found.weights[i], weights[i], 1);
    }
    comparison.untouched(found.y, live, d);
    comparison.check();
    shares.check();
}

// Every width is a pipeline that takes its time to compile: fewer for f16, whose loads alone differ.
std::vector<uint32_t> head_dims(DType dtype) {
    if (dtype == DType::f16) return sweep({63u, 8u, 80u, 128u}, 1);
    return sweep({63u, 8u, 1u, 256u, 4u, 20u, 32u, 80u, 128u}, 3);
}
const std::vector<uint32_t> kLengths = {1, 2, 0, 7, 63, 64, 65, 300, 0};

// Slots of three, some of their rows live, in no order.
const Step kBeams{
    .beam = 3, .max_steps = 132, .position = {65, 65, 65, 130, 130, 130, 1, 1, 1}, .live = {3, 8, 2, 0, 4, 1, 7}};

// The search's arrangement: rows in order, slots of more rows than share a workgroup, of fewer, of one, of none.
const Step kOrdered{.beam = 12,
                    .max_steps = 40,
                    .position = std::vector<uint32_t>(48, 33),
                    .live = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                             15, 16, 17, 18, 24, 36, 37, 38, 39, 40, 41, 42, 43, 45}};
const std::vector<uint32_t> kOrderedSources = {31, 100, 64, 33};

template <class F>
void on_every_kernel(F&& f) {
    on_every_device([&](Context& context) {
        for (ops::AttentionKernel kernel :
             {ops::AttentionKernel::shared_memory, ops::AttentionKernel::subgroup, ops::AttentionKernel::texel})
            for (DType dtype : {DType::f32, DType::f16}) f(context, kernel, dtype);
    });
}

}  // namespace

TEST_CASE("encoder attention matches the double-precision loop") {
    on_every_kernel([](Context& context, ops::AttentionKernel kernel, DType dtype) {
        const Shape wide{.kernel = kernel, .dtype = dtype, .heads = 2, .head_dim = 64, .scale = 0.125f};
        const Shape biased{.kernel = kernel, .dtype = dtype, .heads = 5, .head_dim = 8, .reach = 6, .pad = 1};
        check_encoder(context, wide, kLengths, false);
        check_encoder(context, biased, {70, 3, 0, 8}, false);
        check_encoder(context, biased, {0, 0}, true);
        for (uint32_t head_dim : head_dims(dtype))
            check_encoder(context, {kernel, dtype, 3, head_dim}, {5, 1, 0, 9, 66}, true);
    });
}

TEST_CASE("encoder attention on cooperative matrices matches the double-precision loop") {
    on_every_device([](Context& context) {
        constexpr auto kernel = ops::AttentionKernel::coopmat;
        const Shape wide{.kernel = kernel, .dtype = DType::f16, .heads = 2, .head_dim = 64, .scale = 0.125f, .pad = 8};
        const Shape biased{.kernel = kernel, .dtype = DType::f16, .heads = 3, .head_dim = 32, .reach = 6, .pad = 0};
        check_encoder(context, wide, kLengths, false);
        check_encoder(context, biased, {70, 3, 0, 8}, true);
        check_encoder(context, biased, {0, 0}, true);
        for (uint32_t head_dim : {16u, 48u, 128u})
            check_encoder(context, {kernel, DType::f16, 3, head_dim, 0.5f, 0, 8}, {5, 1, 0, 9, 37}, true);
        // Scores far apart: most weights vanish, and later maxima shrink earlier sums to nothing.
        const Shape steep{.kernel = kernel, .dtype = DType::f16, .heads = 1, .head_dim = 64, .scale = 8.0f, .pad = 8};
        check_encoder(context, steep, {130, 16, 33}, false);
    });
}

TEST_CASE("a step of self-attention appends to the cache and reads it through the ancestry") {
    const Step greedy{.beam = 1, .max_steps = 70, .position = {0, 65, 7, 63, 69}, .live = {4, 0, 1, 2, 3}};
    const Step nobody{.beam = 1, .max_steps = 4, .position = {0, 2}, .live = {}};
    on_every_kernel([&](Context& context, ops::AttentionKernel kernel, DType dtype) {
        const Shape wide{.kernel = kernel, .dtype = dtype, .heads = 2, .head_dim = 64, .scale = 0.125f};
        const Shape biased{.kernel = kernel, .dtype = dtype, .heads = 3, .head_dim = 8, .reach = 5, .pad = 1};
        check_self(context, wide, kBeams, true);
        check_self(context, biased, kBeams, false);
        Step elsewhere = kBeams;  // slots of different lengths, out of order, with gaps
        elsewhere.ranges = {500, 70, 10, 131, 405, 2};
        check_self(context, wide, elsewhere, true);
        check_self(context, biased, nobody, false);
        check_self(context, wide, kOrdered, true);
        for (uint32_t head_dim : head_dims(dtype))
            check_self(context, {kernel, dtype, 5, head_dim}, greedy, head_dim % 8 != 0);
    });
}

TEST_CASE("a step of cross-attention matches the double-precision loop, weights included") {
    const Step greedy{.beam = 1, .max_steps = 3, .position = {0, 1, 2, 0, 2, 1}, .live = {5, 1, 2, 0, 4, 3}};
    const Sources lengths({7, 0, 64, 130, 65, 1});
    on_every_kernel([&](Context& context, ops::AttentionKernel kernel, DType dtype) {
        const Shape wide{.kernel = kernel, .dtype = dtype, .heads = 2, .head_dim = 64, .scale = 0.125f};
        const Shape odd{.kernel = kernel, .dtype = dtype, .heads = 3, .head_dim = 8, .pad = 1};
        check_cross(context, wide, kBeams, Sources({25, 71, 3}), {0, 2}, false);
        check_cross(context, wide, kBeams, Sources({25, 71, 3}), {1, 1}, true);
        check_cross(context, odd, kBeams, Sources({0, 2, 64}), {0, 1}, true);
        check_cross(context, wide, kOrdered, Sources(kOrderedSources), {0, 0}, true);
        check_cross(context, wide, kOrdered, Sources(kOrderedSources), {0, 2}, false);
        check_cross(context, {kernel, dtype, 3, 80}, kOrdered, Sources({0, 1, 64, 32}), {1, 2}, true);
        for (uint32_t head_dim : head_dims(dtype))
            check_cross(context, {kernel, dtype, 5, head_dim}, greedy, lengths,
                        {head_dim % 5, head_dim % 3 == 2 ? 0 : 5 - head_dim % 5}, head_dim % 8 == 0);
    });
}

TEST_CASE("smaller tiles of attention match the double-precision loop") {
    on_every_device([](Context& context) {
        for (const DType dtype : {DType::f32, DType::f16})
            for (uint32_t tile = 1; tile < ops::kAttentionTiles; ++tile) {
                CAPTURE(tile);
                Shape s{.kernel = ops::AttentionKernel::shared_memory,
                        .dtype = dtype,
                        .heads = 2,
                        .head_dim = 32,
                        .reach = 5};
                s.tile = tile;
                check_encoder(context, s, {1, 0, 37, 9, 70}, true);
                check_self(context, s, kBeams, false);
                s.reach = 0;
                check_cross(context, s, kOrdered, Sources(kOrderedSources), {0, 2}, true);
            }
        Shape s{.kernel = ops::AttentionKernel::coopmat, .dtype = DType::f16, .heads = 2, .head_dim = 64};
        s.tile = 1;
        check_encoder(context, s, {1, 0, 37, 9, 70}, true);
    });
}

// A row's result is the same bits alone and beside others.

void check_alone(Context& context, const Shape& s) {
    if (!runs_kernel(context, s, kernels::encoder_attention, kernels::encoder_attention_subgroup,
                     kernels::encoder_attention_texel))
        return;
    CAPTURE(int(s.kernel));
    const uint32_t d = s.heads * s.head_dim;
    const Bias bias(context, s);
    const Sentences batch(kLengths);
    const Matrix qkv = random_matrix(batch.rows(), 3 * d, 8, s.dtype);
    const Matrix together = run_encoder(context, qkv, batch, s, bias, batch.rows(), false);
    for (size_t i = 0; i < kLengths.size(); ++i) {
        if (kLengths[i] == 0) continue;
        CAPTURE(kLengths[i]);
        const Matrix alone = run_encoder(context, rows_of(qkv, batch.begin[i], batch.begin[i + 1]),
                                         Sentences({kLengths[i]}), s, bias, kLengths[i], false);
        Comparison comparison(s.dtype);
        for (uint32_t r = 0; r < kLengths[i]; ++r)
            for (uint32_t c = 0; c < d; ++c) comparison.equal(r, c, together(batch.begin[i] + r, c), alone(r, c));
        comparison.check();
    }
}

TEST_CASE("a sentence's encoder attention is the same alone and in a batch") {
    on_every_kernel([](Context& context, ops::AttentionKernel kernel, DType dtype) {
        check_alone(context, {.kernel = kernel, .dtype = dtype, .heads = 2, .head_dim = 20, .reach = 9});
    });
    on_every_device([](Context& context) {
        check_alone(context, {.kernel = ops::AttentionKernel::coopmat,
                              .dtype = DType::f16,
                              .heads = 2,
                              .head_dim = 32,
                              .reach = 9,
                              .pad = 8});
    });
}

void check_row_alone(Context& context, const Shape& s, const Step& step, const Sources& sources) {
    const uint32_t live = uint32_t(step.live.size()), d = s.heads * s.head_dim;
    const Bias bias(context, s);
    const SelfInput in = self_input(s, step);
    const Matrix q = random_matrix(live, d, 1, s.dtype), memory = random_matrix(sources.rows, 2 * d, 2, s.dtype);
    const Matrix self = run_self(context, in, s, step, bias, live, false).y;
    const Matrix cross = run_cross(context, q, memory, s, step, sources, {0, 0}, live, false).y;
    for (uint32_t row = 0; row < live; ++row) {
        Step one_step = step;
        one_step.live = {step.live[row]};
        SelfInput one = in;
        one.qkv = rows_of(in.qkv, row, row + 1);
        const Matrix self_alone = run_self(context, one, s, one_step, bias, 1, false).y;
        const Matrix cross_alone =
            run_cross(context, rows_of(q, row, row + 1), memory, s, one_step, sources, {0, 3}, 1, false).y;
        Comparison comparison(s.dtype);
        for (uint32_t c = 0; c < d; ++c) {
            comparison.equal(row, c, self(row, c), self_alone(0, c));
            comparison.equal(row, c, cross(row, c), cross_alone(0, c));
        }
        comparison.check();
    }
}

TEST_CASE("a decoder row's attention is the same alone and beside others, with and without weights") {
    on_every_kernel([](Context& context, ops::AttentionKernel kernel, DType dtype) {
        const Shape s{.kernel = kernel, .dtype = dtype, .heads = 3, .head_dim = 20};
        if (!runs_kernel(context, s, kernels::step_self_attention, kernels::step_self_attention_subgroup,
                         kernels::step_self_attention_texel))
            return;
        CAPTURE(int(kernel));
        check_row_alone(context, s, kBeams, Sources({25, 71, 64}));
        check_row_alone(context, s, kOrdered, Sources(kOrderedSources));
    });
}

}  // namespace attention_test
