// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "decode/search.h"

namespace dragoman::test {

// The search rules of docs/options.md written out over whole hypotheses, in double precision, for any model.
class PlainSearch {
public:
    // The logits after the tokens fed so far, the start token first.
    using Logits = std::function<std::vector<double>(const std::vector<uint32_t>& fed)>;

    PlainSearch(Logits logits, uint32_t vocabulary, const decode::SearchRules& rules, const decode::SearchInput& input)
        : logits_(std::move(logits)), v_(vocabulary), rules_(rules), input_(input) {}
    // A bigram table.
    PlainSearch(const std::vector<float>& table, uint32_t vocabulary, const decode::SearchRules& rules,
                const decode::SearchInput& input)
        : PlainSearch(
              [&table, vocabulary](const std::vector<uint32_t>& fed) {
                  const auto row = table.begin() + uint64_t(fed.back()) * vocabulary;
                  return std::vector<double>(row, row + vocabulary);
              },
              vocabulary, rules, input) {}

    std::vector<decode::Hypothesis> run() {
        std::vector<Beam> beams{{{}, 0.0}};
        const bool biased = rules_.prefix_bias_beta > 0;
        const std::size_t context = input_.context.size(), prefix = biased ? 0 : input_.prefix.size();
        std::vector<bool> diverged(rules_.beam_size, false);
        for (std::size_t t = 0; t < input_.max_length; ++t) {
            const bool last = t + 1 == input_.max_length;
            if (t < context + prefix) {
                const uint32_t token = t < context ? input_.context[t] : input_.prefix[t - context];
                beams = {{beams[0].tokens, 0.0}};
                beams[0].tokens.push_back(token);
                if (last) {
                    const std::size_t copies = t < context ? 1 : rules_.beam_size;
                    for (std::size_t k = 0; k < copies; ++k) finish({beams[0].tokens, k == 0 ? 0.0 : -1e10});
                }
                continue;
            }
            std::vector<Beam> candidates = expand(beams, t, diverged);
            if (prefix > 0 && t == context + prefix)
                for (std::size_t n = 1; n < candidates.size(); ++n)
                    if (is_end(candidates[n].tokens.back())) {
                        candidates[n] = {beams[0].tokens, -1e10};
                        candidates[n].tokens.push_back(0);
                    }
            for (std::size_t k = 0; biased && k < rules_.beam_size; ++k)
                if (t >= input_.prefix.size() || candidates[k].tokens.back() != input_.prefix[t]) diverged[k] = true;
            std::vector<Beam> next;
            std::size_t spare = rules_.beam_size;
            for (std::size_t k = 0; k < std::min<std::size_t>(rules_.beam_size, candidates.size()); ++k) {
                std::size_t kept = k;
                if (last || is_end(candidates[k].tokens.back())) {
                    if (k == 0) top_finished_ = true;
                    finish(candidates[k]);
                    for (std::size_t j = spare; j < candidates.size(); ++j)
                        if (!is_end(candidates[j].tokens.back())) {
                            kept = j;
                            spare = j + 1;
                            break;
                        }
                }
                next.push_back(candidates[kept]);
            }
            const bool greedy = rules_.beam_size == 1 && !biased;
            const auto wanted = std::size_t(std::lround(rules_.beam_size * rules_.patience));
            const bool done = greedy              ? !finished_.empty()
                              : rules_.early_exit ? top_finished_ && finished_.size() >= rules_.num_hypotheses
                                                  : finished_.size() >= wanted;
            if (last || done) break;
            beams = next;
        }
        return finished_;
    }

private:
    struct Beam {
        std::vector<uint32_t> tokens;  // context included
        double score;
    };

    bool is_end(uint32_t token) const { return std::ranges::find(rules_.end_ids, token) != rules_.end_ids.end(); }

    void finish(const Beam& beam) { finished_.push_back({beam.tokens, float(beam.score), {}}); }

    std::vector<double> log_probs(const Beam& beam, std::size_t t) const {
        const double off = -std::numeric_limits<double>::infinity();
        std::vector<uint32_t> fed{input_.start_id};
        fed.insert(fed.end(), beam.tokens.begin(), beam.tokens.end());
        std::vector<double> x = logits_(fed);
        for (uint32_t token = 0; token < x.size() && !rules_.allowed.empty(); ++token)
            if (std::ranges::find(rules_.allowed, token) == rules_.allowed.end()) x[token] = off;
        const std::vector<uint32_t> own(beam.tokens.begin() + input_.context.size(), beam.tokens.end());
        for (const uint32_t token : std::set<uint32_t>(own.begin(), own.end()))
            x[token] = x[token] < 0 ? x[token] * rules_.repetition_penalty : x[token] / rules_.repetition_penalty;
        if (const std::size_t n = rules_.no_repeat_ngram_size; n > 0 && own.size() >= n)
            for (std::size_t i = 0; i + n <= own.size(); ++i)
                if (std::equal(own.begin() + i, own.begin() + i + n - 1, own.end() - (n - 1))) x[own[i + n - 1]] = off;
        for (const auto& sequence : rules_.suppressed) {
            const std::size_t before = sequence.size() - 1;
            if (own.size() >= before && std::equal(sequence.begin(), sequence.end() - 1, own.end() - before))
                x[sequence.back()] = off;
        }
        if (t < input_.min_length)
            for (const uint32_t id : rules_.end_ids) x[id] = off;
        const double top = *std::ranges::max_element(x);
        double sum = 0;
        for (const double value : x) sum += std::exp(value - top);
        for (double& value : x) value -= top + std::log(sum);
        return x;
    }

    std::vector<Beam> expand(const std::vector<Beam>& beams, std::size_t t, const std::vector<bool>& diverged) const {
        std::vector<Beam> all;
        const bool biased = rules_.prefix_bias_beta > 0 && t < input_.prefix.size();
        for (std::size_t k = 0; k < beams.size(); ++k) {
            const auto x = log_probs(beams[k], t);
            for (uint32_t token = 0; token < v_; ++token) {
                double value = x[token];
                if (biased && !diverged[k]) {
                    const double beta = rules_.prefix_bias_beta;
                    value = std::log((1 - beta) * std::exp(value) + (token == input_.prefix[t] ? beta : 0.0));
                }
                if (std::isinf(value)) continue;
                all.push_back({beams[k].tokens, beams[k].score + value});
                all.back().tokens.push_back(token);
            }
        }
        std::ranges::stable_sort(all, std::greater<>(), &Beam::score);
        const bool greedy = rules_.beam_size == 1 && rules_.prefix_bias_beta == 0;
        all.resize(std::min<std::size_t>(all.size(), greedy ? 1 : 2 * rules_.beam_size));
        return all;
    }

    Logits logits_;
    uint32_t v_;
    const decode::SearchRules& rules_;
    const decode::SearchInput& input_;
    std::vector<decode::Hypothesis> finished_;
    bool top_finished_ = false;
};

}  // namespace dragoman::test
