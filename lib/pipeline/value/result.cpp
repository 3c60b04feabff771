// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/result.h"

#include <algorithm>
#include <utility>

namespace dragoman::pipeline {

void add_sentence(TextHypothesis& all, Translation sentence, std::string_view gap) {
    all.text += gap;
    shift(sentence, std::ptrdiff_t(all.text.size() - sentence.begin));
    all.text += sentence.text;
    all.sentences.push_back(std::move(sentence));
}

Translation whole(const TextHypothesis& hypothesis, const std::vector<SourceSentence>& sources) {
    const bool attends = std::ranges::any_of(hypothesis.sentences,
                                             [](const Translation& each) { return !each.attention.empty(); });
    Translation all;
    std::size_t at = 0;
    for (std::size_t i = 0; i < hypothesis.sentences.size(); ++i) {
        Translation sentence = hypothesis.sentences[i];
        if (attends) complete_attention(sentence, sources[i].tokens.size());
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
