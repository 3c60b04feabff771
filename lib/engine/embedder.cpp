// SPDX-License-Identifier: Apache-2.0
#include "engine/embedder.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/log.h"
#include "engine/search.h"
#include "nn/seq2seq.h"
#include "ops/elementwise.h"
#include "ops/pool.h"

namespace dragoman::engine {

using ops::Tensor;
using spec::Pooling;
using vulkan::BufferUse;
using vulkan::BufferView;

namespace {

Tensor rows_of(vulkan::Context& context, uint32_t rows, uint32_t cols, const char* name,
               std::vector<std::shared_ptr<vulkan::Buffer>>& buffers) {
    buffers.push_back(context.buffer(uint64_t(rows) * cols * sizeof(float), BufferUse::device, name));
    return {.data = *buffers.back(), .dtype = DType::f32, .rows = rows, .cols = cols, .stride = cols};
}

// The inputs of a batch, each placed where a binding may begin.
class Words {
public:
    explicit Words(uint32_t alignment_bytes) : step_(std::max(alignment_bytes / 4, 1u)) {}
    struct Part {
        uint64_t at, size;
    };
    Part append(std::span<const uint32_t> words) {
        words_.resize((words_.size() + step_ - 1) / step_ * step_);
        const Part part{words_.size() * 4, words.size() * 4};
        words_.insert(words_.end(), words.begin(), words.end());
        return part;
    }
    const std::vector<uint32_t>& words() const { return words_; }

private:
    uint32_t step_;
    std::vector<uint32_t> words_;
};

}  // namespace

// Memory for the largest batch of a run.
struct Embedder::Batch {
    uint32_t tokens = 0;  // the most
    std::unique_ptr<nn::EncoderMemory> scratch;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers;
    Tensor pooled;                // f32, one row for each input or token
    std::vector<Tensor> layered;  // outputs of the layers behind the pooling
    std::shared_ptr<vulkan::Buffer> words;
};

Embedder::Embedder(std::shared_ptr<const Model> model, const spec::EmbeddingSpec& spec, const spec::WeightMap& weights)
    : model_(std::move(model)), spec_(spec),
      layers_(model_->on()->shared_context(), spec, model_->info().encoder_width, weights) {}

Embedder::Wanted Embedder::wanted(std::optional<Pooling> pooling) const {
    if (model_->info().encoder_width == 0)
        fail(Status::unsupported,
             "vectors: expected a network with an encoder of its own, the model is an ensemble or "
             "has none");
    if (pooling == Pooling::pooler && layers_.pooler().empty())
        fail(Status::unsupported, "pooling: expected mean, cls or tokens, got pooler; the model has no such layer");
    return pooling ? Wanted{*pooling, false} : Wanted{spec_.pooling, true};
}

uint32_t Embedder::width(const Wanted& wanted) const {
    if (wanted.own && !spec_.dense.empty()) return spec_.dense.back().outputs;
    return model_->info().encoder_width;
}

void Embedder::run(std::span<const std::vector<uint32_t>> inputs, const Wanted& wanted, const Sink& sink) const {
    const std::vector<std::size_t> order = empty_and_rest(inputs, wanted, sink);
    if (order.empty()) return;
    const auto longest = uint32_t(inputs[order.front()].size());
    uint64_t all = 0;
    for (const std::size_t i : order) all += inputs[i].size();
    const decode::StreamLimits limits = stream_limits(model_->context().caps().kind, model_->info(),
                                                      /*beam_size=*/1);
    const auto most = uint32_t(std::min<uint64_t>(limits.source_tokens, all));
    const auto batch = make_batch(std::max(most, longest), longest, wanted);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        uint64_t tokens = 0;
        for (; end < order.size() && tokens + inputs[order[end]].size() <= batch->tokens; ++end)
            tokens += inputs[order[end]].size();
        DRAGOMAN_ASSERT(end > begin);
        run_batch(*batch, inputs, std::span(order).subspan(begin, end - begin), wanted, sink);
    }
}

// Answers inputs without tokens; returns the others, longest first, so that a batch has sentences of similar length.
std::vector<std::size_t> Embedder::empty_and_rest(std::span<const std::vector<uint32_t>> inputs, const Wanted& wanted,
                                                  const Sink& sink) const {
    std::vector<std::size_t> order;
    const std::vector<float> zeros(wanted.pooling == Pooling::tokens ? 0 : width(wanted));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].empty()) sink(i, zeros);
        else order.push_back(i);
    }
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return inputs[i].size(); });
    return order;
}

// When memory runs out, it frees what is idle on the device, then tries fewer tokens.
std::unique_ptr<Embedder::Batch> Embedder::make_batch(uint32_t tokens, uint32_t longest, const Wanted& wanted) const {
    vulkan::Context& context = model_->context();
    const uint32_t width = model_->info().encoder_width;
    for (bool trimmed = false;;) {
        try {
            auto batch = std::make_unique<Batch>();
            batch->tokens = tokens;
            batch->scratch = model_->network().make_encoder_scratch(tokens);
            batch->pooled = rows_of(context, tokens, width, "vectors/pooled", batch->buffers);
            if (wanted.pooling == Pooling::pooler)
                batch->layered.push_back(rows_of(context, tokens, width, "vectors/pooler", batch->buffers));
            else if (wanted.own)
                for (const auto& dense : layers_.dense())
                    batch->layered.push_back(rows_of(context, tokens, dense.linear.outputs(), "vectors/dense",
                                                     batch->buffers));
            // Four words for each token, and padding for alignment.
            batch->words = context.buffer((4ull * tokens + 2) * 4 + 8ull * context.caps().storage_alignment,
                                          BufferUse::device, "vectors/inputs");
            return batch;
        } catch (const Error& error) {
            if (error.status() != Status::out_of_memory || (trimmed && tokens == longest)) throw;
            log(LogLevel::debug, "vectors: trying again with less memory: {}", error.what());
        }
        if (trimmed) tokens = std::max(tokens / 2, longest);
        else model_->device().trim();
        trimmed = true;
    }
}

void Embedder::run_batch(Batch& batch, std::span<const std::vector<uint32_t>> inputs,
                         std::span<const std::size_t> which, const Wanted& wanted, const Sink& sink) const {
    vulkan::Context& context = model_->context();
    std::vector<uint32_t> ids, positions, sentence, begin{0};
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < which.size(); ++i) {
        const std::vector<uint32_t>& input = inputs[which[i]];
        ids.insert(ids.end(), input.begin(), input.end());
        sentence.resize(ids.size(), i);
        for (uint32_t position = 0; position < input.size(); ++position) positions.push_back(position);
        begin.push_back(uint32_t(ids.size()));
        pairs += uint64_t(input.size()) * input.size();
    }
    const auto tokens = uint32_t(ids.size()), sentences = uint32_t(which.size());
    Words words(context.caps().storage_alignment);
    const auto view = [&](const Words::Part& part) { return BufferView(*batch.words, part.at, part.size); };
    const Words::Part parts[] = {words.append(ids),   words.append(positions),    words.append(sentence),
                                 words.append(begin), words.append({&tokens, 1}), words.append({&sentences, 1})};
    context.upload({*batch.words, 0, words.words().size() * 4}, words.words().data(), words.words().size() * 4);

    ops::Recorder rec(model_->on()->shared_context());
    const ops::Extent live_tokens{.count = view(parts[4]), .capacity = tokens};
    const ops::Extent live_sentences{.count = view(parts[5]), .capacity = sentences};
    const Tensor hidden = model_->network().encode_only(rec,
                                                        {.ids = view(parts[0]),
                                                         .positions = view(parts[1]),
                                                         .row_sentence = view(parts[2]),
                                                         .sentence_begin = view(parts[3]),
                                                         .tokens = live_tokens,
                                                         .token_pairs = pairs},
                                                        *batch.scratch);
    const bool each = wanted.pooling == Pooling::tokens;
    if (each) ops::activate(rec, hidden, batch.pooled, Activation::none, live_tokens);
    else
        ops::pool(rec, {.x = hidden,
                        .begin = view(parts[3]),
                        .first = wanted.pooling != Pooling::mean,
                        .y = batch.pooled,
                        .sentences = live_sentences});
    Tensor result = batch.pooled;
    const auto& layers = wanted.pooling == Pooling::pooler ? layers_.pooler() : layers_.dense();
    for (std::size_t i = 0; i < batch.layered.size(); ++i) {
        nn::record_dense(rec, layers[i], result, batch.layered[i], each ? live_tokens : live_sentences);
        result = batch.layered[i];
    }
    const auto lists = rec.finish_parts();
    for (const auto& list : lists) context.submit(*list);
    std::vector<float> values(uint64_t(each ? tokens : sentences) * result.cols);
    context.readback({*result.data.buffer, 0, values.size() * sizeof(float)}, values.data(),
                     values.size() * sizeof(float));
    for (uint32_t i = 0; i < sentences; ++i) {
        const std::size_t first = each ? begin[i] : i, rows = each ? begin[i + 1] - begin[i] : 1;
        sink(which[i], std::span(values).subspan(first * result.cols, rows * result.cols));
    }
}

}  // namespace dragoman::engine
