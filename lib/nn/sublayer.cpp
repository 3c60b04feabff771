// SPDX-License-Identifier: Apache-2.0
#include "nn/sublayer.h"

#include "ops/elementwise.h"

namespace dragoman::nn {

using ops::Tensor;

namespace {

Surroundings load(WeightStore& store, const spec::StackConfig& stack, uint32_t d, const std::string& before,
                  const std::string& before_scope, const std::string& after, const std::string& after_scope,
                  const std::string& highway_scope) {
    Surroundings around{.before = before, .after = after, .before_norm = {}, .after_norm = {}, .highway = {}};
    const auto norm = [&](const std::string& scope, const std::string& letters) {
        return load_norm(store, scope, d, spec::has_letter(letters, 'r'), stack.norm_epsilon);
    };
    if (spec::has_norm(before)) around.before_norm = norm(before_scope, before);
    if (spec::has_norm(after)) around.after_norm = norm(after_scope, after);
    if (spec::has_letter(after, 'h')) around.highway = load_linear(store, highway_scope, d, d);
    return around;
}

// Records operations letters[from ...] on y, with the result in `to`; y is overwritten.
void record_letters(ops::Recorder& rec, Activations& a, const Surroundings& around, std::size_t from,
                    const Tensor& previous, const Tensor& y, const Tensor& to) {
    Tensor now = y;
    if (from < around.after.size() || !same_place(now, to)) apply_pending_norm(rec, a);
    for (std::size_t i = from; i < around.after.size(); ++i) {
        const bool adds_first = around.after[i] == 'a' && spec::has_norm(around.after.substr(i + 1, 1));
        if (adds_first) ++i;
        const Tensor next = i + 1 == around.after.size() ? to : now;
        switch (around.after[i]) {
            case 'a': ops::add(rec, now, previous, next, a.rows); break;
            case 'h': {
                const Tensor gate = other_scratch(a, now);
                record_product(rec, around.highway, {.x = previous, .activation = Activation::sigmoid, .y = gate}, a);
                ops::blend(rec, gate, now, previous, next, a.rows);
                break;
            }
            default:
                // The next block overwrites a.normed after its first product at the earliest.
                if (i + 1 == around.after.size() && !adds_first && same_place(now, a.normed))
                    a.pending = {around.after_norm, now, next};
                else record_norm(rec, around.after_norm, now, next, a.rows, adds_first ? previous : Tensor());
                break;
        }
        now = next;
    }
    if (!same_place(now, to)) ops::activate(rec, now, to, Activation::none, a.rows);
}

}  // namespace

Surroundings load_surroundings(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                               uint32_t d_model) {
    const spec::OperationOrder order = spec::operation_order(stack);
    return load(store, stack, d_model, order.before, scope + "/layer_norm", order.after,
                scope + (order.norms_twice() ? "/output_layer_norm" : "/layer_norm"), scope + "/highway");
}

Surroundings load_stack_surroundings(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                     uint32_t d_model) {
    const spec::OperationOrder order = spec::operation_order(stack);
    return load(store, stack, d_model, order.after_embedding, scope + "/layernorm_embedding", order.after_stack,
                scope + "/layer_norm", scope + "/highway");
}

Tensor other_scratch(const Activations& a, const Tensor& taken) {
    return same_place(taken, a.normed) ? narrowed(a.wide, a.x.cols) : a.normed;
}

Tensor block_input(ops::Recorder& rec, Activations& a, const Surroundings& around) {
    Tensor now = a.x;
    for (std::size_t i = 0; i < around.before.size(); ++i) {
        apply_pending_norm(rec, a);
        a.pending = {around.before_norm, now, a.normed};
        now = a.normed;
    }
    return now;
}

void record_before(ops::Recorder& rec, Activations& a, const Surroundings& around, const Tensor& x) {
    apply_pending_norm(rec, a);
    for (std::size_t i = 0; i < around.before.size(); ++i) record_norm(rec, around.before_norm, x, x, a.rows);
}

void block_output(ops::Recorder& rec, Activations& a, const Surroundings& around, const Linear& out, const Tensor& y) {
    if (!out) return record_letters(rec, a, around, 0, a.x, y, a.x);
    const std::size_t fused = around.after.starts_with('a') ? 1 : 0;
    const bool done = fused == around.after.size() && !same_place(y, a.x);
    const Tensor projected = done ? a.x : other_scratch(a, y);
    record_product(rec, out, {.x = y, .residual = fused ? a.x : Tensor(), .y = projected}, a);
    record_letters(rec, a, around, fused, a.x, projected, a.x);
}

Tensor stack_output(ops::Recorder& rec, Activations& a, const Surroundings& around, const Tensor& start) {
    if (around.after.size() != 1 || !spec::has_norm(around.after)) {
        record_letters(rec, a, around, 0, start, a.x, a.x);
        return a.x;
    }
    apply_pending_norm(rec, a);
    a.pending = {around.after_norm, a.x, a.normed};
    return a.normed;
}

}  // namespace dragoman::nn
