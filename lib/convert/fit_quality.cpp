// SPDX-License-Identifier: Apache-2.0
#include "convert/fit_quality.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/utf8.h"
#include "pipeline/run/translator.h"
#include "pipeline/value/quality_scores.h"
#include "text/chrf.h"
#include "text/words.h"

namespace dragoman::convert {
namespace {

using namespace pipeline;

constexpr std::size_t kFewestPairs = 200;
constexpr std::size_t kMaxSteps = 50;
constexpr double kRidge = 0.1, kDone = 1e-9;

struct Pair {
    std::string_view source, reference;
};
using Pairs = std::map<std::string, std::vector<Pair>>;  // by target language

Pairs read_pairs(const FitQuality& by) {
    if (const auto bad = first_invalid_utf8(by.pairs))
        fail(Status::invalid_argument, "quality pairs: invalid UTF-8 at byte {}", *bad);
    Pairs pairs;
    std::size_t number = 0, count = 0;
    for (std::string_view left = by.pairs; !left.empty();) {
        std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(line.size() + 1, left.size()));
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const std::size_t tab = line.find('\t'), next = line.find('\t', tab + 1);
        if (tab == std::string_view::npos || tab == 0 || next == tab + 1 || tab + 1 == line.size())
            fail(Status::invalid_argument,
                 "quality pairs: line {}: expected a source, a tab and a translation, got \"{}\"", number,
                 line.substr(0, 60));
        const std::string language(next == std::string_view::npos ? by.target_language : line.substr(next + 1));
        pairs[language].push_back({line.substr(0, tab), line.substr(tab + 1, next - tab - 1)});
        ++count;
    }
    if (count < kFewestPairs)
        fail(Status::invalid_argument, "quality pairs: expected at least {} lines, got {}", kFewestPairs, count);
    return pairs;
}

// A translated pair, judged by its reference.
struct Judgement {
    Evidence evidence;
    std::vector<float> in_reference{};  // for each word, 1 if the reference has it, else 0
    std::vector<float> scores{};        // 1 for words copied from the source; the others are to be fitted
    float chrf = 0.0f;
};

// Each word of the reference matches at most one word of the translation.
std::vector<float> find_words(std::string_view text, std::span<const text::Range> words, std::string_view reference) {
    std::unordered_map<std::string_view, int> left;
    for (const text::Range word : text::words(reference)) ++left[text::part(reference, word)];
    std::vector<float> found;
    for (const text::Range word : words) {
        const auto known = left.find(text::part(text, word));
        found.push_back(known != left.end() && known->second-- > 0 ? 1.0f : 0.0f);
    }
    return found;
}

void judge_pairs(Translator& translator, const std::string& language, const std::string& from,
                 std::span<const Pair> pairs, std::vector<Judgement>& all) {
    std::vector<Text> texts;
    for (const Pair& pair : pairs) texts.push_back({pair.source, {}});
    const auto results = translator.translate_texts(texts,
                                                    {.split_sentences = false,
                                                     .source_language = from,
                                                     .target_language = language,
                                                     .return_tokens = false,
                                                     .return_quality = true},
                                                    {.beam_size = 1});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const TextHypothesis& best = results[i].hypotheses.front();
        if (best.sentences.empty()) continue;
        const Quality& quality = best.sentences.front().quality;
        if (quality.evidence.words.empty()) continue;  // the sentence was copied
        all.push_back({quality.evidence, find_words(best.text, quality.words, pairs[i].reference), quality.scores,
                       float(text::chrf(best.text, pairs[i].reference))});
    }
}

template <class Features>
Features fitted(const Examples& examples) {
    Features weights{};
    std::ranges::copy(fit_logistic(examples), weights.begin());
    return weights;
}

// Solves a x = b for a symmetric positive definite matrix, by Cholesky's decomposition, in place.
std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
        }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return b;
}

// Features minus their means, divided by their deviations; constant features are 0.
class Scaled {
public:
    explicit Scaled(const Examples& examples)
        : examples_(examples), means_(examples.width, 0.0), deviations_(examples.width, 0.0) {
        const double count = double(examples.count());
        const auto each = [&](auto&& look) {
            for (std::size_t i = 0; i < examples.features.size(); ++i)
                look(i % examples.width, double(examples.features[i]));
        };
        each([&](std::size_t f, double value) { means_[f] += value / count; });
        each([&](std::size_t f, double value) { deviations_[f] += (value - means_[f]) * (value - means_[f]) / count; });
        for (double& deviation : deviations_) deviation = std::sqrt(deviation);
        means_[0] = 0.0, deviations_[0] = 1.0;
    }
    std::vector<double> row(std::size_t example) const {
        std::vector<double> values(examples_.width);
        for (std::size_t f = 0; f < values.size(); ++f) {
            const double value = double(examples_.features[example * examples_.width + f]);
            values[f] = deviations_[f] > 1e-6 ? (value - means_[f]) / deviations_[f] : 0.0;
        }
        return values;
    }
    // Weights for the unscaled features.
    std::vector<float> undo(std::vector<double> weights) const {
        for (std::size_t f = 1; f < weights.size(); ++f) {
            weights[f] = deviations_[f] > 1e-6 ? weights[f] / deviations_[f] : 0.0;
            weights[0] -= weights[f] * means_[f];
        }
        return {weights.begin(), weights.end()};
    }

private:
    const Examples& examples_;
    std::vector<double> means_, deviations_;
};

}  // namespace

void Examples::add(std::span<const float> more, float score) {
    DRAGOMAN_ASSERT(more.size() == width);
    features.insert(features.end(), more.begin(), more.end());
    wanted.push_back(score);
}

std::vector<float> fit_logistic(const Examples& examples) {
    const std::size_t n = examples.width;
    const Scaled scaled(examples);
    std::vector<double> weights(n, 0.0);
    for (std::size_t step = 0; step < kMaxSteps; ++step) {
        std::vector<double> gradient(n, 0.0), curvature(n * n, 0.0);
        for (std::size_t f = 0; f < n; ++f) {
            gradient[f] = -kRidge * weights[f];
            curvature[f * n + f] = kRidge;
        }
        for (std::size_t i = 0; i < examples.count(); ++i) {
            const std::vector<double> row = scaled.row(i);
            double sum = 0.0;
            for (std::size_t f = 0; f < n; ++f) sum += weights[f] * row[f];
            const double score = 1.0 / (1.0 + std::exp(-sum)), slope = score * (1.0 - score);
            for (std::size_t f = 0; f < n; ++f) {
                gradient[f] += (double(examples.wanted[i]) - score) * row[f];
                for (std::size_t g = 0; g <= f; ++g) curvature[f * n + g] += slope * row[f] * row[g];
            }
        }
        const std::vector<double> change = solve(std::move(curvature), std::move(gradient));
        double largest = 0.0;
        for (std::size_t f = 0; f < n; ++f) {
            weights[f] += change[f];
            largest = std::max(largest, std::abs(change[f]));
        }
        if (largest < kDone) break;
    }
    return scaled.undo(std::move(weights));
}

spec::QualityWeights fit_quality(const std::shared_ptr<const Model>& model, const FitQuality& by) {
    const Pairs pairs = read_pairs(by);
    if (model->continues())
        fail(Status::unsupported, "quality pairs: expected a model that translates, {} continues texts",
             model->info().path);
    const auto translator = Translator::create(model);
    std::vector<Judgement> judgements;
    for (const auto& [language, of_language] : pairs)
        judge_pairs(*translator, language, by.source_language, of_language, judgements);
    if (judgements.empty())
        fail(Status::invalid_argument, "quality pairs: expected translations with words, got {} without",
             pairs.begin()->second.size());
    Examples words{.width = spec::kWordFeatures.size()}, sentences{.width = spec::kSentenceFeatures.size()};
    for (const Judgement& judgement : judgements)
        for (std::size_t w = 0; w < judgement.in_reference.size(); ++w)
            if (judgement.scores[w] < 1.0f) words.add(judgement.evidence.words[w], judgement.in_reference[w]);
    spec::QualityWeights weights;
    weights.word = fitted<spec::WordFeatures>(words);
    for (Judgement& judgement : judgements) {
        for (std::size_t w = 0; w < judgement.scores.size(); ++w)
            if (judgement.scores[w] < 1.0f) judgement.scores[w] = logistic(judgement.evidence.words[w], weights.word);
        add_scores(judgement.evidence.words, judgement.scores, judgement.evidence.sentence);
        sentences.add(judgement.evidence.sentence, judgement.chrf);
    }
    weights.sentence = fitted<spec::SentenceFeatures>(sentences);
    return weights;
}

}  // namespace dragoman::convert
