// SPDX-License-Identifier: Apache-2.0
#include "translate/results.h"

#include <algorithm>

namespace dragoman::translate {

Hypothesis finish(const Finishing& f, decode::Hypothesis hypothesis, const Tokens& source, std::size_t source_length) {
    auto& ids = hypothesis.tokens;
    if (!f.options.return_end_token)
        while (!ids.empty() && std::ranges::find(f.end_ids, ids.back()) != f.end_ids.end()) ids.pop_back();

    Hypothesis result{.tokens = f.model.target().tokens(ids),
                      .score = f.options.return_scores ? hypothesis.score : 0.0f,
                      .attention = {}};
    const auto in_reading_order = [&](auto& items) {
        if (!f.model.right_to_left()) return;
        const bool ended = !ids.empty() && std::ranges::find(f.end_ids, ids.back()) != f.end_ids.end();
        std::reverse(items.begin(), items.end() - (ended && !items.empty() ? 1 : 0));
    };
    if (hypothesis.attention.empty()) {
        in_reading_order(result.tokens);
        return result;
    }
    const std::size_t skipped = f.model.add_source_bos() ? 1 : 0;
    const std::size_t last = std::max(source_length - (f.model.add_source_eos() ? 1 : 0), skipped);
    for (std::size_t t = 0; t < ids.size(); ++t) {
        const float* row = hypothesis.attention.data() + t * source_length;
        std::vector<float> weights(row + skipped, row + last);
        // The part cut by max_input_length got none: the end of the source as the model reads it.
        weights.resize(source.size(), 0.0f);
        if (f.model.right_to_left()) std::ranges::reverse(weights);
        if (f.search.replace_unknowns && ids[t] == f.model.target().unk_id())
            result.tokens[t] = source[std::size_t(std::ranges::max_element(weights) - weights.begin())];
        if (f.options.return_attention) result.attention.push_back(std::move(weights));
    }
    in_reading_order(result.tokens);
    in_reading_order(result.attention);
    return result;
}

Result empty_result(const Finishing& f, const Request& request) {
    Tokens tokens = request.target_prefix;
    if (!f.model.decoder_start_token() && !tokens.empty()) tokens.erase(tokens.begin());
    if (tokens.size() > f.search.max_length) tokens.resize(f.search.max_length);
    const text::Vocabulary& target = f.model.target();
    for (std::string& token : tokens) token = target.token(target.id(token));
    Hypothesis hypothesis{.tokens = tokens, .score = 0.0f, .attention = {}};
    if (f.options.return_attention)
        hypothesis.attention.assign(tokens.size(), std::vector<float>(request.source.size(), 0.0f));
    return {std::vector<Hypothesis>(f.options.num_hypotheses, hypothesis)};
}

}  // namespace dragoman::translate
