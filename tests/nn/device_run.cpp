// SPDX-License-Identifier: Apache-2.0
#include "nn/device_run.h"

namespace dragoman::test {

namespace {

constexpr uint32_t kPoison = 0xdeadu;

void overwrite(Context& context, const Buffer& buffer, const std::vector<uint32_t>& data) {
    context.upload(buffer, data.data(), data.size() * sizeof(uint32_t));
}

void submit(Context& context, const vulkan::CommandList& list) { context.wait(context.submit(list)); }

}  // namespace

DeviceRun::DeviceRun(Context& context, const nn::Seq2Seq& model, const Sources& sources, uint32_t beam,
                     uint32_t max_steps, std::vector<uint32_t> allowed, uint64_t operations_per_list)
    : context_(context), model_(model), sources_(sources), beam_(beam), rows_(uint32_t(sources.size()) * beam),
      max_steps_(max_steps), allowed_(std::move(allowed)) {
    std::vector<uint32_t> begin, length;
    uint32_t tokens = 0;
    for (const auto& sentence : sources) {
        begin.push_back(tokens);
        length.push_back(uint32_t(sentence.size()));
        tokens += length.back();
        stride_ = std::max(stride_, length.back() + 1);
    }
    source_begin_ = upload(context_, begin);
    source_length_ = upload(context_, length);
    tokens_ = upload(context_, std::vector<uint32_t>(rows_));
    position_ = upload(context_, std::vector<uint32_t>(rows_));
    live_rows_ = upload(context_, std::vector<uint32_t>(rows_));
    count_ = upload(context_, std::vector<uint32_t>(1));
    memory_ = model_.make_encoder_memory(tokens + 3);
    encode(operations_per_list);
    if (!allowed_.empty()) select();
    allocate();
}

void DeviceRun::select() {
    const auto count = uint32_t(allowed_.size()), capacity = count + 9;
    std::vector<uint32_t> padded = allowed_;
    padded.resize(capacity, kPoison);
    const auto ids = upload(context_, padded);
    outputs_ = model_.make_output_subset(capacity);
    const LiveRows live(context_, count, capacity);
    run(context_, live, [&](Recorder& rec) { model_.select_outputs(rec, *ids, live.extent, *outputs_); });
}

void DeviceRun::encode(uint64_t operations_per_list) {
    std::vector<uint32_t> ids, positions, row_sentence, sentence_begin;
    uint64_t pairs = 0;
    for (uint32_t s = 0; s < sources_.size(); ++s) {
        sentence_begin.push_back(uint32_t(ids.size()));
        pairs += uint64_t(sources_[s].size()) * sources_[s].size();
        for (uint32_t t = 0; t < sources_[s].size(); ++t) {
            ids.push_back(sources_[s][t]);
            positions.push_back(t);
            row_sentence.push_back(s);
        }
    }
    const auto tokens = uint32_t(ids.size());
    sentence_begin.push_back(tokens);
    // Room for more tokens than there are.
    for (auto* padded : {&ids, &positions, &row_sentence}) padded->resize(tokens + 2, kPoison);
    const auto ids_buffer = upload(context_, ids), positions_buffer = upload(context_, positions),
               row_sentence_buffer = upload(context_, row_sentence), begin_buffer = upload(context_, sentence_begin);
    const LiveRows live(context_, tokens, tokens + 2);
    const auto sentences = uint32_t(sources_.size());
    const LiveRows live_sentences(context_, sentences, sentences);
    uint32_t longest = 0;
    for (const auto& sentence : sources_) longest = std::max(longest, uint32_t(sentence.size()));
    Recorder recorder(context_.shared_from_this());
    model_.encode(recorder,
                  {.ids = *ids_buffer,
                   .positions = *positions_buffer,
                   .row_sentence = *row_sentence_buffer,
                   .sentence_begin = *begin_buffer,
                   .tokens = live.extent,
                   .sentences = live_sentences.extent,
                   .longest = longest,
                   .token_pairs = pairs,
                   .operations_per_list = operations_per_list},
                  *memory_);
    const auto lists = recorder.finish_parts();
    encoder_lists_ = uint32_t(lists.size());
    for (const auto& list : lists) submit(context_, *list);
}

void DeviceRun::allocate() {
    if (!state_) state_ = model_.make_state(rows_, rows_ * max_steps_);
    ancestry_ = upload(context_, std::vector<uint32_t>(size_t(2) * rows_ * max_steps_));
    const auto outputs = outputs_ ? uint32_t(allowed_.size()) + 9 : model_.info().target_vocabulary;
    logits_ = blank(context_, rows_, outputs, DType::f32);
    attention_ = blank(context_, rows_ * max_steps_, stride_, DType::f32);
    record();
}

void DeviceRun::record() {
    groups_ = std::make_unique<ops::GroupTable>(context_, *count_);
    Recorder recorder(context_.shared_from_this());
    groups_->record_update(recorder);
    model_.step(recorder,
                {.tokens = *tokens_,
                 .position = *position_,
                 .live_rows = *live_rows_,
                 .ancestry = *ancestry_,
                 .cache_ranges = ranges_ ? vulkan::BufferView(*ranges_) : vulkan::BufferView(),
                 .source_begin = *source_begin_,
                 .source_length = *source_length_,
                 .beam = beam_,
                 .cache_rows = rows_,
                 .max_steps = max_steps_,
                 .attention = *attention_.buffer,
                 .attention_stride = stride_,
                 .attention_of = attention_of_,
                 .rows = {.count = *count_, .capacity = rows_, .table = groups_.get()},
                 .outputs = outputs_.get()},
                *memory_, *state_, logits_);
    list_ = recorder.finish();
    groups_->upload(context_);
}

void DeviceRun::keep_attention_of(spec::AttentionChoice choice) {
    attention_of_ = choice;
    record();
}

void DeviceRun::send(const ScriptStep& rows) {
    std::vector<uint32_t> tokens(rows_, kPoison), position(rows_, kPoison), live(rows_, kPoison);
    // Wrong wherever it is not set below, the half of the other parity included.
    std::vector<uint32_t> ancestry(size_t(2) * rows_ * max_steps_, beam_ - 1);
    for (size_t i = 0; i < rows.size(); ++i) {
        const ScriptRow& row = rows[i];
        const auto t = uint32_t(row.history.size() - 1);
        live[i] = row.cache_row;
        tokens[row.cache_row] = row.history.back();
        position[row.cache_row] = t;
        std::copy(row.ancestry.begin(), row.ancestry.end(),
                  ancestry.begin() + (size_t(t & 1) * rows_ + row.cache_row) * max_steps_);
    }
    overwrite(context_, *tokens_, tokens);
    overwrite(context_, *position_, position);
    overwrite(context_, *live_rows_, live);
    overwrite(context_, *ancestry_, ancestry);
    overwrite(context_, *count_, {uint32_t(rows.size())});
}

DeviceRun::Result DeviceRun::step(const ScriptStep& rows) {
    send(rows);
    submit(context_, *list_);
    const Matrix logits = download(context_, logits_), attention = download(context_, attention_);
    Result result;
    for (uint32_t i = 0; i < rows.size(); ++i) {
        const auto* row = &logits.values[size_t(i) * logits.cols];
        result.logits.emplace_back(row, row + (outputs_ ? uint32_t(allowed_.size()) : logits.cols));
        const auto t = uint32_t(rows[i].history.size() - 1);
        const auto* weights = &attention.values[(size_t(rows[i].cache_row) * max_steps_ + t) * stride_];
        const size_t source = sources_[rows[i].cache_row / beam_].size();
        result.attention.emplace_back(weights, weights + source);
        CHECK(weights[source] == kSentinel);
    }
    return result;
}

void DeviceRun::grow(uint32_t max_steps) {
    const uint32_t old_steps = max_steps_, old_begin = cache_begin_, begin = old_begin + rows_ * old_steps;
    cache_begin_ = begin;
    max_steps_ = max_steps;
    Recorder recorder(context_.shared_from_this());
    model_.grow(recorder, *state_, begin + rows_ * max_steps_);
    for (uint32_t row = 0; row < rows_; ++row)
        model_.copy_places(recorder, *state_, old_begin + row * old_steps, begin + row * max_steps_, old_steps);
    submit(context_, *recorder.finish());
    std::vector<uint32_t> ranges;
    for (uint32_t slot = 0; slot < rows_ / beam_; ++slot)
        ranges.insert(ranges.end(), {begin + slot * beam_ * max_steps_, max_steps_});
    ranges_ = upload(context_, ranges);
    allocate();
}

}  // namespace dragoman::test
