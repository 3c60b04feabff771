// SPDX-License-Identifier: Apache-2.0
// What a search will need that it does not need yet: its pipelines are compiled before sentences wait for them.
#include <algorithm>

#include "base/background.h"
#include "decode/session.h"
#include "vulkan/check_results.h"

namespace dragoman::decode {

using ops::BufferView;

namespace {

constexpr uint32_t kFewSteps = 4;  // steps of a recurrent network; all of them use the same kernels

}  // namespace

void Session::record_encoder(ops::Recorder& rec, uint32_t tokens, uint32_t sentences) {
    const auto view = [&](uint32_t at, uint32_t words) {
        return BufferView(*source_, uint64_t(at) * 4, uint64_t(words) * 4);
    };
    model_.encode(rec,
                  {.ids = view(ids_at_, tokens),
                   .positions = view(positions_at_, tokens),
                   .row_sentence = view(row_sentence_at_, tokens),
                   .sentence_begin = view(sentence_begin_at_, sentences + 1),
                   .tokens = {.count = view(token_count_at_, 1), .capacity = tokens},
                   .sentences = {.count = view(sentence_count_at_, 1), .capacity = sentences},
                   .longest = std::min(tokens / sentences, kFewSteps),
                   .memory_begin = 0,
                   .token_pairs = uint64_t(tokens) * (tokens / sentences)},
                  *memory_);
}

// Visits the lists for every number of live sentences, and the encoders of one sentence and of many short ones.
void Session::for_each_list(const std::function<void(const Record&)>& visit) {
    visit([&](ops::Recorder& rec) { record_compact(rec); });
    for (uint64_t most = 1;; most *= 4) {
        const auto slots = uint32_t(std::min<uint64_t>(most, shape_.slots));
        for (const bool processes : {shape_.process_logits, true})
            visit([&](ops::Recorder& rec) { record_step(rec, slots, processes); });
        if (slots == shape_.slots) break;
    }
    if (shape_.source_tokens == 0) return;
    for (uint64_t most = 1;; most *= 2) {
        const auto tokens = uint32_t(std::min<uint64_t>(most, shape_.source_tokens));
        visit([&](ops::Recorder& rec) { record_encoder(rec, tokens, 1); });
        if (tokens < shape_.source_tokens) continue;
        visit([&](ops::Recorder& rec) { record_encoder(rec, tokens, std::clamp(tokens / 8, 1u, shape_.slots)); });
        break;
    }
}

void Session::prepare(const std::atomic<bool>& stop) {
    for_each_list([&](const Record& record) {
        if (stop) return;
        ops::Recorder rec(context_);
        record(rec);
        rec.finish_parts();
    });
}

// Prepares on another thread while the device runs the first steps. A CPU device has better things to do then.
void Session::prepare_later() {
    vulkan::Context& context = *context_;
    if (prepared_ || context.caps().is_cpu() || !context.background().started()) return;
    if (shape_.limited && !outputs_) return;  // the outputs are not known yet, so not everything can be recorded
    prepared_ = true;
    std::set<vulkan::KernelId> kernels;
    for_each_list([&](const Record& record) {
        ops::Recorder rec(context_, [&](const vulkan::Shader& shader, vulkan::VariantKey key,
                                        std::span<const uint32_t> constants) {
            kernels.emplace(vulkan::KernelUse{&shader, key, constants});
        });
        record(rec);
    });
    context.background().add_urgent(&context, [&context, kernels = std::move(kernels)](const std::atomic<bool>& stop) {
        const vulkan::CompilesAhead ahead;
        for (const vulkan::KernelId& kernel : kernels)
            if (!stop) context.prepare(kernel.use());
    });
}

void prepare(const std::shared_ptr<vulkan::Context>& context, const nn::Seq2Seq& model, const SearchRules& rules,
             const std::atomic<bool>& stop) {
    constexpr uint64_t kMaxBytes = 128u << 20;
    constexpr uint32_t kMaxTokens = 512;
    const nn::Seq2SeqInfo& info = model.info();
    const uint32_t tokens = std::min(kMaxTokens, info.max_source_positions);
    const auto shape_of = [&](uint32_t slots) {
        return SessionShape::of(rules, {.slots = slots,
                                        .source_tokens = tokens,
                                        .longest_source = tokens,
                                        .max_length = std::min(32u, info.max_target_positions),
                                        .cache_places = slots * rules.beam_size});
    };
    uint32_t slots = 64;
    const uint64_t most = std::min(kMaxBytes, context->available_bytes() / 4);
    while (slots > 1 && shape_of(slots).total_bytes(info) > most) slots /= 4;
    Session(context, model, rules, shape_of(slots)).prepare(stop);
}

}  // namespace dragoman::decode
