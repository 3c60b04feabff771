// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/quality_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_set>

#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using spec::SentenceFeature;
using spec::WordFeature;

constexpr float kLeastLogProb = -12.0f;  // what is less probable says no more
constexpr float kHardly = 0.2f, kTwice = 2.0f;  // mass of attention on a source token

float& at(spec::WordFeatures& features, WordFeature which) { return features[std::size_t(which)]; }
float& at(spec::SentenceFeatures& features, SentenceFeature which) { return features[std::size_t(which)]; }

struct Mean {
    double sum = 0.0, count = 0.0;
    void add(double value, double weight = 1.0) { sum += weight * value, count += weight; }
    float value() const { return count > 0.0 ? float(sum / count) : 0.0f; }
};

float log_prob(const decode::Certainty& token) { return std::max(token.log_prob, kLeastLogProb); }
float gap(const decode::Certainty& token) {
    return std::clamp(token.best_log_prob - token.log_prob, 0.0f, -kLeastLogProb);
}

float entropy_of(std::span<const float> weights) {
    double sum = 0.0, entropy = 0.0;
    for (const float weight : weights) sum += double(weight);
    if (sum <= 0.0) return 0.0f;
    for (const float weight : weights)
        if (weight > 0.0f) entropy -= double(weight) / sum * std::log(double(weight) / sum);
    return float(entropy);
}

std::size_t characters(std::string_view text) {
    return std::size_t(std::ranges::count_if(text, [](char c) { return (uint8_t(c) & 0xc0) != 0x80; }));
}

std::unordered_set<std::string_view> words_of(std::string_view text) {
    std::unordered_set<std::string_view> found;
    for (const text::Range word : text::words(text)) found.insert(text::part(text, word));
    return found;
}

class Collector {
public:
    Collector(const Judged& judged, std::span<const text::Range> words)
        : judged_(judged), words_(words), in_source_(words_of(judged.source)),
          tokens_(std::min(judged.tokens.size(), judged.certainty.size())) {}

    Evidence collect() {
        look_at_tokens();
        for (const text::Range word : words_) look_at(word);
        for (std::size_t w = 0; w < words_.size(); ++w) {
            at(evidence_.words[w], WordFeature::around) = around(w);
            at(evidence_.words[w], WordFeature::sentence) = at(evidence_.sentence, SentenceFeature::log_prob);
        }
        look_at_words();
        look_at_attention();
        return std::move(evidence_);
    }

private:
    void look_at_tokens() {
        Mean mean, square, entropy;
        float least = 0.0f;
        const auto add = [&](float value) {
            mean.add(value);
            square.add(double(value) * double(value));
            least = std::min(least, value);
        };
        for (std::size_t t = 0; t < tokens_; ++t) {
            add(log_prob(judged_.certainty[t]));
            entropy.add(judged_.certainty[t].entropy);
        }
        if (judged_.end_log_prob) add(std::max(*judged_.end_log_prob, kLeastLogProb));
        auto& to = evidence_.sentence;
        at(to, SentenceFeature::one) = 1.0f;
        at(to, SentenceFeature::log_prob) = mean.value();
        at(to, SentenceFeature::least) = least;
        at(to, SentenceFeature::deviation) = std::sqrt(std::max(square.value() - mean.value() * mean.value(), 0.0f));
        at(to, SentenceFeature::entropy) = entropy.value();
        at(to, SentenceFeature::end) = std::max(judged_.end_log_prob.value_or(kLeastLogProb), kLeastLogProb);
        at(to, SentenceFeature::numbers) = judged_.numbers;
    }

    // Tokens and words are in the order of the text.
    void look_at(text::Range word) {
        while (next_ < tokens_ && judged_.tokens[next_].end <= word.begin) ++next_;
        Mean mean, entropy, gaps, focus;
        float least = 0.0f, margin = 0.0f;
        for (std::size_t t = next_; t < tokens_ && judged_.tokens[t].begin < word.end; ++t) {
            if (overlap(judged_.tokens[t], word) == 0) continue;
            const decode::Certainty& token = judged_.certainty[t];
            margin = mean.count > 0.0 ? std::min(margin, token.margin) : token.margin;
            mean.add(log_prob(token));
            entropy.add(token.entropy);
            gaps.add(gap(token));
            least = std::min(least, log_prob(token));
            if (t < judged_.attention.rows) focus.add(entropy_of(own(judged_.attention[t])));
        }
        const std::string_view said = text::part(judged_.target, word);
        spec::WordFeatures& to = evidence_.words.emplace_back();
        at(to, WordFeature::one) = 1.0f;
        at(to, WordFeature::log_prob) = mean.value();
        at(to, WordFeature::least) = least;
        at(to, WordFeature::entropy) = entropy.value();
        at(to, WordFeature::gap) = gaps.value();
        at(to, WordFeature::margin) = margin;
        at(to, WordFeature::tokens) = float(std::log(1.0 + mean.count));
        at(to, WordFeature::focus) = focus.value();
        at(to, WordFeature::copied) = in_source_.contains(said);
        at(to, WordFeature::spoken) = text::is_spoken(said);
        at(to, WordFeature::length) = std::log(1.0f + float(characters(said)));
    }

    float around(std::size_t w) {
        Mean mean;
        if (w > 0) mean.add(at(evidence_.words[w - 1], WordFeature::log_prob));
        if (w + 1 < words_.size()) mean.add(at(evidence_.words[w + 1], WordFeature::log_prob));
        return mean.value();
    }

    void look_at_words() {
        Mean copied, spoken, letters;
        for (spec::WordFeatures& word : evidence_.words) {
            copied.add(at(word, WordFeature::copied));
            spoken.add(at(word, WordFeature::spoken));
            letters.add(std::exp(double(at(word, WordFeature::length))) - 1.0, double(at(word, WordFeature::spoken)));
        }
        auto& to = evidence_.sentence;
        at(to, SentenceFeature::length) = std::log(1.0f + float(words_.size()));
        at(to, SentenceFeature::copied) = copied.value();
        at(to, SentenceFeature::spoken) = spoken.value();
        at(to, SentenceFeature::letters) = std::log(std::max(letters.value(), 1.0f));
    }

    // The source's tokens without the prompt's.
    std::span<const float> own(std::span<const float> row) const {
        const std::size_t around = judged_.prompt_tokens + judged_.prompt_tokens_after;
        if (row.size() <= around) return {};
        return row.subspan(judged_.prompt_tokens, row.size() - around);
    }

    void look_at_attention() {
        Mean focus;
        std::vector<double> mass;
        for (std::size_t t = 0; t < std::min(tokens_, judged_.attention.rows); ++t) {
            const std::span<const float> row = own(judged_.attention[t]);
            mass.resize(row.size());
            for (std::size_t s = 0; s < row.size(); ++s) mass[s] += double(row[s]);
            focus.add(entropy_of(row));
        }
        auto& to = evidence_.sentence;
        at(to, SentenceFeature::focus) = focus.value();
        if (mass.empty()) return;
        const auto share = [&](auto which) { return float(std::ranges::count_if(mass, which)) / float(mass.size()); };
        at(to, SentenceFeature::left_out) = share([](double m) { return m < double(kHardly); });
        at(to, SentenceFeature::repeated) = share([](double m) { return m > double(kTwice); });
        at(to, SentenceFeature::ratio) = std::abs(std::log(float(1 + tokens_) / float(1 + mass.size())));
    }

    const Judged& judged_;
    const std::span<const text::Range> words_;
    const std::unordered_set<std::string_view> in_source_;
    const std::size_t tokens_;
    std::size_t next_ = 0;  // token
    Evidence evidence_;
};

}  // namespace

Evidence evidence(const Judged& judged, std::span<const text::Range> words) {
    return Collector(judged, words).collect();
}

float logistic(std::span<const float> features, std::span<const float> weights) {
    const double sum = std::inner_product(features.begin(), features.end(), weights.begin(), 0.0);
    return float(1.0 / (1.0 + std::exp(-sum)));
}

void add_scores(std::span<const spec::WordFeatures> words, std::span<const float> scores,
                spec::SentenceFeatures& features) {
    Mean mean, by_letters;
    float worst = 1.0f;
    for (std::size_t w = 0; w < scores.size(); ++w) {
        mean.add(scores[w]);
        worst = std::min(worst, scores[w]);
        by_letters.add(scores[w], std::exp(double(words[w][std::size_t(WordFeature::length)])) - 1.0);
    }
    at(features, SentenceFeature::by_letters) = by_letters.value();
    at(features, SentenceFeature::words) = mean.value();
    at(features, SentenceFeature::worst) = worst;
}

void judge(const Evidence& evidence, const spec::QualityWeights& weights, std::span<const text::Range> sure,
           Quality& quality) {
    quality.scores.clear();
    for (std::size_t w = 0; w < evidence.words.size(); ++w) {
        const bool is_sure =
            std::ranges::any_of(sure, [&](text::Range range) { return overlap(range, quality.words[w]) > 0; });
        quality.scores.push_back(is_sure ? 1.0f : logistic(evidence.words[w], weights.word));
    }
    spec::SentenceFeatures features = evidence.sentence;
    add_scores(evidence.words, quality.scores, features);
    quality.score = logistic(features, weights.sentence);
}

Quality quality_of_copy(std::string_view text, float score) {
    Quality quality{.score = score, .words = text::words(text)};
    quality.scores.assign(quality.words.size(), score);
    return quality;
}

}  // namespace dragoman::pipeline
