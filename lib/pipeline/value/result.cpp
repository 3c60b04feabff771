// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/result.h"
#include "base/release.h"

#include <algorithm>
#include <utility>

namespace dragoman::pipeline {

void add_sentence(TextHypothesis& all, Translation sentence, std::string_view gap) {
    all.text += gap;
    shift(sentence, std::ptrdiff_t(all.text.size() - sentence.begin));
    all.text += sentence.text;
    if (!sentence.tokens.empty() || !all.packed.empty()) {
        all.packed.resize(all.sentences.size());
        all.packed.emplace_back(sentence.tokens, sentence.ranges);
    }
    release(sentence.tokens);
    release(sentence.ranges);
    all.sentences.push_back(std::move(sentence));
}

const PackedTokens& TextHypothesis::packed_at(std::size_t sentence) const {
    static const PackedTokens none;
    return sentence < packed.size() ? packed[sentence] : none;
}

Translation whole(const TextHypothesis& hypothesis, const std::vector<SourceSentence>& sources) {
    const bool attends = std::ranges::any_of(hypothesis.sentences,
                                             [](const Translation& each) { return !each.attention.empty(); });
    Translation all;
    std::size_t at = 0;
    for (std::size_t i = 0; i < hypothesis.sentences.size(); ++i) {
        Translation sentence = hypothesis.sentences[i];
        sentence.tokens = hypothesis.tokens(i);
        sentence.ranges = hypothesis.ranges(i);
        if (attends) complete_attention(sentence, sources[i].packed.size());
        const text::Range gap{at, sentence.begin};
        at = sentence.range().end;
        append(all, std::move(sentence), text::part(hypothesis.text, gap));
    }
    all.text += std::string_view(hypothesis.text).substr(at);
    all.score = {hypothesis.score, all.tokens.size()};
    all.quality.score = hypothesis.quality;
    return all;
}

}  // namespace dragoman::pipeline
