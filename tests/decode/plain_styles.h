// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "decode/search.h"

namespace dragoman::test {

// Marian's and Hugging Face's rules of docs/options.md over whole hypotheses, in double precision, for a bigram table.
class PlainStyles {
public:
    // `scores`: the table holds what Marian adds up, not logits.
    PlainStyles(const std::vector<float>& table, uint32_t vocabulary, const decode::SearchRules& rules,
                const decode::SearchInput& input, bool scores = false)
        : table_(table), v_(vocabulary), rules_(rules), input_(input), scores_(scores) {}

    std::vector<decode::Hypothesis> run() {
        given_ = input_.context;
        given_.insert(given_.end(), input_.prefix.begin(), input_.prefix.end());
        if (given_.size() >= input_.max_length) {
            given_.resize(input_.max_length);
            return {{given_, 0.0f, {}}};
        }
        const auto found = rules_.style == spec::SearchStyle::marian ? marian()
                           : rules_.beam_size == 1                   ? huggingface_greedy()
                                                                     : huggingface_beams();
        std::vector<decode::Hypothesis> result;
        for (const Path& path : found) result.push_back({path.tokens, float(path.score), {}});
        return result;
    }

private:
    struct Path {
        std::vector<uint32_t> tokens;  // context and prefix included
        double score;
    };

    bool is_end(const Path& path) const {
        return std::ranges::find(rules_.end_ids, path.tokens.back()) != rules_.end_ids.end();
    }
    bool at_limit(const Path& path) const { return path.tokens.size() == input_.max_length; }

    static void normalise(std::vector<double>& x) {
        const double top = *std::ranges::max_element(x);
        double sum = 0;
        for (const double value : x) sum += std::exp(value - top);
        for (double& value : x) value -= top + std::log(sum);
    }

    // The rules that both engines call processors, on logits or on log-probabilities.
    void process(std::vector<double>& x, const Path& path, bool from_start) const {
        const double off = -std::numeric_limits<double>::infinity();
        std::vector<uint32_t> own(path.tokens.begin() + (from_start ? 0 : input_.context.size()), path.tokens.end());
        if (from_start) own.insert(own.begin(), input_.start_id);
        for (const uint32_t token : std::set<uint32_t>(own.begin(), own.end()))
            x[token] = x[token] < 0 ? x[token] * rules_.repetition_penalty : x[token] / rules_.repetition_penalty;
        if (const std::size_t n = rules_.no_repeat_ngram_size; n > 0)
            for (std::size_t i = 0; i + n <= own.size(); ++i)
                if (std::equal(own.begin() + i, own.begin() + i + n - 1, own.end() - (n - 1))) x[own[i + n - 1]] = off;
        for (const auto& sequence : rules_.suppressed) {
            const std::size_t before = sequence.size() - 1;
            if (own.size() >= before && std::equal(sequence.begin(), sequence.end() - 1, own.end() - before))
                x[sequence.back()] = off;
        }
        if (path.tokens.size() < input_.min_length)
            for (const uint32_t id : rules_.end_ids) x[id] = off;
    }

    std::vector<double> logits(const Path& path) const {
        const uint32_t last = path.tokens.empty() ? input_.start_id : path.tokens.back();
        return {table_.begin() + last * v_, table_.begin() + (last + 1) * v_};
    }

    // Continuations of `paths`, best first, at most `wanted`.
    template <class LogProbs>
    std::vector<Path> extend(const std::vector<Path>& paths, std::size_t wanted, const LogProbs& log_probs) const {
        std::vector<Path> all;
        for (const Path& path : paths) {
            const std::vector<double> x = log_probs(path);
            for (uint32_t token = 0; token < v_; ++token) {
                if (std::isinf(x[token])) continue;
                all.push_back({path.tokens, path.score + x[token]});
                all.back().tokens.push_back(token);
            }
        }
        std::ranges::stable_sort(all, std::greater<>(), &Path::score);
        all.resize(std::min(all.size(), wanted));
        return all;
    }

    std::vector<Path> marian() const {
        std::vector<Path> live{{given_, 0.0}}, finished;
        std::size_t width = rules_.beam_size;
        while (width > 0) {
            const auto best = extend(live, width, [&](const Path& path) {
                std::vector<double> x = logits(path);
                if (!scores_) normalise(x);
                process(x, path, false);
                return x;
            });
            live.clear();
            for (const Path& path : best) (is_end(path) || at_limit(path) ? finished : live).push_back(path);
            width = rules_.beam_size - finished.size();
            if (live.empty()) break;
        }
        return finished;
    }

    std::vector<double> forced_end() const {
        std::vector<double> x(v_, -std::numeric_limits<double>::infinity());
        x[*rules_.forced_end] = 0.0;
        return x;
    }

    std::vector<Path> huggingface_greedy() const {
        Path path{given_, 0.0};
        do {
            std::vector<double> x = logits(path);
            process(x, path, true);
            normalise(x);
            if (rules_.forced_end && path.tokens.size() + 1 == input_.max_length) x = forced_end();
            const auto best = std::ranges::max_element(x);
            path.score += *best;
            path.tokens.push_back(uint32_t(best - x.begin()));
        } while (!is_end(path) && !at_limit(path));
        return {path};
    }

    // A path's score as Hugging Face compares it, if it had this many tokens.
    double normalised(const Path& path, std::size_t tokens) const {
        return path.score / std::pow(double(tokens - input_.context.size()), double(rules_.length_penalty));
    }

    std::vector<Path> huggingface_beams() const {
        std::vector<Path> live{{given_, 0.0}}, pool;
        const std::size_t beams = rules_.beam_size;
        for (;;) {
            const auto candidates = extend(live, (1 + rules_.end_ids.size()) * beams, [&](const Path& path) {
                std::vector<double> x = logits(path);
                normalise(x);
                process(x, path, true);
                if (rules_.forced_end && path.tokens.size() + 1 == input_.max_length) return forced_end();
                if (rules_.renormalize) normalise(x);
                return x;
            });
            live.clear();
            for (std::size_t n = 0; n < candidates.size(); ++n) {
                const bool ends = is_end(candidates[n]) || at_limit(candidates[n]);
                if (!ends && live.size() < beams) live.push_back(candidates[n]);
                if (ends && n < beams) pool.push_back(candidates[n]);
            }
            std::ranges::stable_sort(pool, std::greater<>(),
                                     [&](const Path& path) { return normalised(path, path.tokens.size()); });
            pool.resize(std::min(pool.size(), beams));
            if (live.empty()) break;
            if (pool.size() < beams) continue;
            if (rules_.early_stopping == spec::EarlyStopping::on) break;
            const bool longest = rules_.early_stopping == spec::EarlyStopping::never && rules_.length_penalty > 0;
            const double hope = normalised(live[0], longest ? input_.max_length : live[0].tokens.size());
            if (hope <= normalised(pool.back(), pool.back().tokens.size())) break;
        }
        return pool;
    }

    const std::vector<float>& table_;
    uint32_t v_;
    const decode::SearchRules& rules_;
    const decode::SearchInput& input_;
    bool scores_;
    std::vector<uint32_t> given_;
};

}  // namespace dragoman::test
