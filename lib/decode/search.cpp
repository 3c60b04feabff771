// SPDX-License-Identifier: Apache-2.0
#include "decode/search.h"

#include <algorithm>

#include "base/error.h"
#include "decode/stream.h"
#include "ops/topk.h"

namespace dragoman::decode {

namespace {
constexpr std::size_t kKeptStreams = 4;
static_assert(kMaxCandidates <= ops::kMaxTopK && kMaxCandidates >= 2 * kMaxBeam);
}  // namespace

uint32_t SearchRules::candidates() const {
    switch (style) {
        case spec::SearchStyle::marian: return beam_size;
        case spec::SearchStyle::huggingface:
            return beam_size == 1 ? 1 : beam_size * std::max(1 + uint32_t(end_ids.size()), 2u);
        case spec::SearchStyle::ctranslate2: break;
    }
    // Greedy search needs one candidate; biased decoding can move the favoured token above the best one.
    return beam_size == 1 && prefix_bias_beta == 0.0f ? 1 : 2 * beam_size;
}

Search::Search(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model)
    : context_(std::move(context)), model_(model) {}

Search::~Search() = default;

void Search::trim() { streams_.clear(); }

Stream& Search::stream_for(const SearchRules& rules, const StreamLimits& limits) {
    const auto found = std::ranges::find_if(
        streams_, [&](const auto& s) { return s->rules() == rules && s->limits() == limits; });
    if (found != streams_.end()) {
        std::rotate(found, found + 1, streams_.end());
        return *streams_.back();
    }
    if (streams_.size() >= kKeptStreams) streams_.erase(streams_.begin());
    streams_.push_back(std::make_unique<Stream>(context_, model_, rules, limits, stats_));
    streams_.back()->set_make_room([this] {
        const bool others = streams_.size() > 1;
        streams_.erase(streams_.begin(), streams_.end() - 1);
        return others;
    });
    return *streams_.back();
}

std::vector<SearchOutput> Search::run(std::span<const SearchInput> inputs, const SearchRules& rules, const Poll& poll,
                                      const StreamLimits& limits) {
    Stream& stream = stream_for(rules, limits);
    stream.set_initial_steps(initial_steps_);
    std::vector<SearchOutput> outputs(inputs.size());
    std::size_t done = 0;
    try {
        for (std::size_t i = 0; i < inputs.size(); ++i) stream.add(i, inputs[i], {});
        while (!stream.idle()) {
            StreamEvents events;
            stream.advance(events);
            if (!events.failed.empty()) throw events.failed.front().error;
            for (auto& [ticket, output] : events.finished) outputs[ticket] = std::move(output);
            done += events.finished.size();
            if (poll && !poll(done)) fail(Status::cancelled, "translation cancelled by the progress callback");
        }
    } catch (const Error&) {
        streams_.pop_back();  // steps may still be running in it
        throw;
    }
    return outputs;
}

}  // namespace dragoman::decode
