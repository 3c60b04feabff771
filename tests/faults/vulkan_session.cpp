// SPDX-License-Identifier: Apache-2.0
#include "faults/vulkan_session.h"

#include <cstdio>
#include <sstream>
#include <vector>

namespace dragoman::test {
namespace {

const std::string kData = DRAGOMAN_TEST_DATA "/";

std::vector<std::string> words(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

void add(std::string& answer, std::span<const float> numbers) {
    char text[32];
    for (const float number : numbers) {
        std::snprintf(text, sizeof text, " %a", double(number));
        answer += text;
    }
}

std::string joined(std::span<const dragoman_string> tokens) {
    std::string text;
    for (const dragoman_string& token : tokens) text += std::string(view(token)) + ' ';
    return text;
}

TranslateOptions options_of(const Family& family) {
    TranslateOptions options;
    options.source_language = family.source_language;
    options.target_language = family.target_language;
    options.max_decoding_length = 8;
    options.return_scores = 1;
    return options;
}

}  // namespace

const char* Session::name(Step step) {
    static constexpr const char* kNames[] = {"open", "load of another", "load",   "translate", "score", "embed",
                                             "trim", "another model",   "unload", "close"};
    return kNames[step];
}

bool Session::has(Step step) const {
    if (step == translate || step == score) return family_->translates;
    return step != embed || family_->embeds;
}

std::string Session::run_translate() {
    if (!translator_) translator_.emplace(*model_);
    std::string answer;
    for (const uint32_t beam : {1u, 3u}) {
        TranslateOptions options = options_of(*family_);
        options.beam_size = beam;
        const std::vector<std::vector<std::string>> tokens{words(family_->input), {words(family_->input).front()}};
        const std::string_view texts[] = {family_->input, "the"};
        const Result result = family_->has_tokenizer ? translator_->translate(texts, options)
                                                     : translator_->translate(TokenViews(tokens), options);
        for (std::size_t i = 0; i < result.size(); ++i) {
            answer += joined(result.tokens(i)) + "|";
            const float score = result.score(i);
            add(answer, {&score, 1});
        }
    }
    return answer;
}

std::string Session::run_score() {
    if (!translator_) translator_.emplace(*model_);
    ScoreOptions options;
    options.source_language = family_->source_language;
    options.target_language = family_->target_language;
    const std::vector<std::vector<std::string>> sources{words(family_->input)}, targets{{"t1", "t2"}};
    const Scores scores = family_->has_tokenizer
                              ? translator_->score(std::span(&family_->input, 1), std::span(&family_->input, 1),
                                                   options)
                              : translator_->score(TokenViews(sources), TokenViews(targets), options);
    std::string answer;
    add(answer, scores.log_probs(0));
    return answer;
}

std::string Session::run(Step step) {
    if (step >= translate && step <= embed && !model_) throw Error(DRAGOMAN_INVALID_ARGUMENT, "there is no model");
    switch (step) {
        case open: {
            DeviceOptions options;
            options.tune = family_->gpu_kernels ? DRAGOMAN_TUNE_ON : DRAGOMAN_TUNE_OFF;
            if (family_->fresh) options.cache_dir = "-";
            device_.emplace(options);
            break;
        }
        case load_other:
            other_.emplace(kData + "marian/untied", ModelOptions(*device_));
            other_translator_.emplace(*other_);
            break;
        case load: model_.emplace(kData + family_->path, ModelOptions(*device_)); break;
        case translate: return run_translate();
        case score: return run_score();
        case embed: {
            EmbedOptions options;
            options.source_language = family_->source_language;
            options.target_language = family_->target_language;
            const Vectors vectors(*model_, family_->input, options);
            std::string answer;
            add(answer, vectors[0]);
            return answer;
        }
        case trim: device_->trim(); break;
        case ask_other: {
            const std::vector<std::vector<std::string>> tokens{{"s1", "s2", "s3"}};
            TranslateOptions options;
            options.max_decoding_length = 8;
            return joined(other_translator_->translate(TokenViews(tokens), options).tokens(0));
        }
        case unload:
            translator_.reset();
            model_.reset();
            break;
        case close:
            translator_.reset();
            model_.reset();
            other_translator_.reset();
            other_.reset();
            device_.reset();
            break;
        case kSteps: break;
    }
    return {};
}

}  // namespace dragoman::test
