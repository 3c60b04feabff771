// SPDX-License-Identifier: Apache-2.0
#include "convert/find_alignment.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "pipeline/run/translator.h"
#include "text/lexical_alignment.h"
#include "text/words.h"

namespace dragoman::convert {
namespace {

using namespace pipeline;

// A sentence or its translation, with its tokens as ranges of the text.
struct Side {
    std::string text;
    std::vector<text::Range> tokens;
};

Side side(std::string_view whole, text::Range range, std::vector<text::Range> tokens) {
    const auto offset = [&](std::size_t at) { return std::clamp(at, range.begin, range.end) - range.begin; };
    for (text::Range& token : tokens) token = {offset(token.begin), offset(token.end)};
    return {std::string(text::part(whole, range)), std::move(tokens)};
}

std::vector<std::string> words_of_pair(std::string_view text) {
    std::vector<std::string> result;
    for (const text::Range word : text::words(text)) result.emplace_back(text::part(text, word));
    return result;
}

class Search {
public:
    Search(const std::shared_ptr<const Model>& model, const FindAlignment& by)
        : translator_(Translator::create(model)), text_(by.text),
          options_{.source_language = by.source_language, .target_language = by.target_language} {
        read(translate(1, kAllHeads));
        expected_ = text::align_lexically(words_);
    }

    // Judges attention of one kind, both at the tokens' own steps and at the steps that read them.
    void judge(AlignmentHeads heads, std::vector<AlignmentHeads>& found) {
        const uint32_t head = heads.all_heads ? kAllHeads : heads.head + 1;
        std::vector<Matrix> attention;
        const TextResult result = translate(heads.layer + 1, head);
        for (const auto sentence : result.hypotheses.front().sentences) attention.push_back(sentence.attention);
        DRAGOMAN_ASSERT(attention.size() == sources_.size());
        for (const bool next : {false, true}) {
            heads.next_step = next;
            heads.agreement = agreement(attention, next);
            found.push_back(heads);
        }
    }

private:
    TextResult translate(uint32_t layer, uint32_t head) {
        const Text input{text_, {}};
        auto results = translator_->translate_texts({&input, 1}, options_,
                                                    {.beam_size = 1,
                                                     .return_end_token = true,
                                                     .return_attention = true,
                                                     .attention_layer = layer,
                                                     .attention_head = head});
        return std::move(results.front());
    }

    void read(const TextResult& result) {
        const TextHypothesis& best = result.hypotheses.front();
        for (std::size_t s = 0; s < result.sentences.size(); ++s) {
            sources_.push_back(side(text_, result.sentences[s].range, result.sentences[s].ranges()));
            targets_.push_back(side(best.text, best.sentences[s].range(), best.ranges(s)));
            words_.push_back({words_of_pair(sources_.back().text), words_of_pair(targets_.back().text)});
        }
    }

    float agreement(const std::vector<Matrix>& attention, bool next_step) const {
        double likely = 0, words = 0;
        for (std::size_t i = 0; i < attention.size(); ++i) {
            const auto rows = attention[i].from_row(next_step && !attention[i].empty() ? 1 : 0);
            const auto aligned = text::align_words({sources_[i].text, sources_[i].tokens},
                                                   {targets_[i].text, targets_[i].tokens}, rows);
            for (std::size_t w = 0; w < aligned.weights.size(); ++w)
                likely += double(std::min(expected_[i][w], aligned.weights[w]));
            words += double(aligned.target.size());
        }
        return words > 0 ? float(likely / words) : 0.0f;
    }

    const std::shared_ptr<Translator> translator_;
    const std::string_view text_;
    const TextOptions options_;
    std::vector<Side> sources_, targets_;  // of sentences
    std::vector<text::WordPair> words_;
    std::vector<std::vector<float>> expected_;
};

}  // namespace

std::vector<AlignmentHeads> find_alignment(const std::shared_ptr<const Model>& model, const FindAlignment& by) {
    const ModelInfo& info = model->info();
    if (info.attention_layers == 0)
        fail(Status::unsupported, "{}: has no attention from translations to sources to choose from", info.path);
    if (first_invalid_utf8(by.text) || text::words(by.text).empty())
        fail(Status::invalid_argument, "alignment text: expected sentences in UTF-8, got {} bytes without",
             by.text.size());
    Search search(model, by);
    std::vector<AlignmentHeads> found;
    for (uint32_t layer = 0; layer < info.attention_layers; ++layer) {
        for (uint32_t head = 0; head < info.decoder_heads; ++head) search.judge({.layer = layer, .head = head}, found);
        if (info.decoder_heads > 1) search.judge({.layer = layer, .all_heads = true}, found);
    }
    std::ranges::stable_sort(found, std::greater{}, &AlignmentHeads::agreement);
    return found;
}

void set_alignment(spec::TransformerConfig& config, const AlignmentHeads& heads) {
    config.alignment_layer = int32_t(heads.layer);
    config.alignment_first_head = heads.all_heads ? 0 : heads.head;
    config.alignment_heads = heads.all_heads ? 0 : 1;
    config.alignment_next_step = heads.next_step;
}

}  // namespace dragoman::convert
