// SPDX-License-Identifier: Apache-2.0
#pragma once

// dragoman.h for C++20: handles that clean up, spans, exceptions. What a call does is said there.
// Views and spans are borrowed from the Result or Scores they come from.

#include <dragoman/dragoman.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

class Error : public std::runtime_error {
public:
    Error(dragoman_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    dragoman_status status() const noexcept { return status_; }

private:
    dragoman_status status_;
};

inline void check(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw Error(status, dragoman_last_error());
}

inline dragoman_string view(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view view(dragoman_string text) { return {text.data, text.size}; }
inline std::span<const dragoman_string> view(dragoman_tokens tokens) { return {tokens.data, tokens.count}; }

template <auto Destroy>
struct Destroyer {
    void operator()(auto* handle) const noexcept { Destroy(handle); }
};

// Options with their defaults; dragoman_* functions take them by address.
struct ModelOptions : dragoman_model_options {
    ModelOptions() { check(dragoman_model_options_init(this)); }
};
struct TranslateOptions : dragoman_translate_options {
    TranslateOptions() { check(dragoman_translate_options_init(this)); }
};
struct ScoreOptions : dragoman_score_options {
    ScoreOptions() { check(dragoman_score_options_init(this)); }
};
struct BenchOptions : dragoman_bench_options {
    BenchOptions() { check(dragoman_bench_options_init(this)); }
};

// Sequences of tokens as the C functions take them. They point into the strings they were made from.
class TokenViews {
public:
    TokenViews() = default;
    explicit TokenViews(std::span<const std::vector<std::string>> sequences) {
        for (const auto& sequence : sequences) {
            for (const std::string& token : sequence) strings_.push_back(view(token));
        }
        std::size_t begin = 0;
        for (const auto& sequence : sequences) {
            tokens_.push_back({strings_.data() + begin, sequence.size()});
            begin += sequence.size();
        }
    }
    TokenViews(TokenViews&&) = default;
    TokenViews& operator=(TokenViews&&) = default;
    const dragoman_tokens* data() const { return tokens_.empty() ? nullptr : tokens_.data(); }
    std::size_t size() const { return tokens_.size(); }

private:
    std::vector<dragoman_string> strings_;
    std::vector<dragoman_tokens> tokens_;
};

inline std::vector<dragoman_device_info> devices() {
    uint32_t count = 0;
    check(dragoman_device_count(&count));
    std::vector<dragoman_device_info> result(count);
    for (uint32_t i = 0; i < count; ++i) {
        dragoman_device_info_init(&result[i]);
        check(dragoman_device_describe(i, &result[i]));
    }
    return result;
}

/// `path` NULL: the default model.
inline dragoman_model_info describe_model(const char* path) {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    check(dragoman_model_describe(path, &info));
    return info;
}
inline dragoman_model_info describe_model(const std::string& path) { return describe_model(path.c_str()); }

class Model {
public:
    /// The default model.
    explicit Model(const ModelOptions& options = {}) : Model(nullptr, options) {}
    explicit Model(const std::string& path, const ModelOptions& options = {}) : Model(path.c_str(), options) {}
    Model(const char* path, const ModelOptions& options) {
        dragoman_model* model = nullptr;
        check(dragoman_model_load(path, &options, &model));
        handle_.reset(model);
    }
    dragoman_model_info info() const {
        dragoman_model_info info;
        dragoman_model_info_init(&info);
        check(dragoman_model_get_info(get(), &info));
        return info;
    }
    dragoman_device_info device() const {
        dragoman_device_info info;
        dragoman_device_info_init(&info);
        check(dragoman_model_device(get(), &info));
        return info;
    }
    const dragoman_model* get() const { return handle_.get(); }

private:
    std::unique_ptr<dragoman_model, Destroyer<dragoman_model_destroy>> handle_;
};

class Result {
public:
    explicit Result(dragoman_result* handle) : handle_(handle) {}
    std::size_t size() const { return dragoman_result_count(get()); }
    std::size_t hypotheses(std::size_t input) const { return dragoman_result_hypothesis_count(get(), input); }
    std::string_view text(std::size_t input, std::size_t hypothesis = 0) const {
        return view(read<dragoman_string>(dragoman_result_text, input, hypothesis));
    }
    std::span<const dragoman_string> tokens(std::size_t input, std::size_t hypothesis = 0) const {
        return view(read<dragoman_tokens>(dragoman_result_tokens, input, hypothesis));
    }
    std::span<const dragoman_string> source_tokens(std::size_t input) const {
        return view(read<dragoman_tokens>(dragoman_result_source_tokens, input));
    }
    float score(std::size_t input, std::size_t hypothesis = 0) const {
        return read<float>(dragoman_result_score, input, hypothesis);
    }
    dragoman_matrix attention(std::size_t input, std::size_t hypothesis = 0) const {
        return read<dragoman_matrix>(dragoman_result_attention, input, hypothesis);
    }
    std::size_t sentences(std::size_t input) const { return dragoman_result_sentence_count(get(), input); }
    dragoman_sentence sentence(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        dragoman_sentence value;
        dragoman_sentence_init(&value);
        check(dragoman_result_sentence(get(), input, hypothesis, sentence, &value));
        return value;
    }
    dragoman_matrix sentence_attention(std::size_t input, std::size_t hypothesis, std::size_t sentence) const {
        return read<dragoman_matrix>(dragoman_result_sentence_attention, input, hypothesis, sentence);
    }
    const dragoman_result* get() const { return handle_.get(); }

private:
    template <class T>
    T read(auto function, auto... place) const {
        T value{};
        check(function(get(), place..., &value));
        return value;
    }
    std::unique_ptr<dragoman_result, Destroyer<dragoman_result_destroy>> handle_;
};

class Scores {
public:
    explicit Scores(dragoman_scores* handle) : handle_(handle) {}
    std::size_t size() const { return dragoman_scores_count(get()); }
    std::span<const dragoman_string> tokens(std::size_t pair) const {
        dragoman_tokens tokens{};
        check(dragoman_scores_tokens(get(), pair, &tokens));
        return view(tokens);
    }
    std::span<const float> log_probs(std::size_t pair) const {
        dragoman_matrix matrix{};
        check(dragoman_scores_log_probs(get(), pair, &matrix));
        return {matrix.data, matrix.cols};
    }
    const dragoman_scores* get() const { return handle_.get(); }

private:
    std::unique_ptr<dragoman_scores, Destroyer<dragoman_scores_destroy>> handle_;
};

class Report {
public:
    explicit Report(dragoman_report* handle) : handle_(handle) {}
    std::string_view json() const {
        dragoman_string json{};
        check(dragoman_report_json(handle_.get(), &json));
        return view(json);
    }

private:
    std::unique_ptr<dragoman_report, Destroyer<dragoman_report_destroy>> handle_;
};

// Without inputs: random words. `path` NULL: the default model.
inline Report bench(const char* path, std::span<const std::string_view> texts,
                    const ModelOptions& model_options = {}, const TranslateOptions& options = {},
                    const BenchOptions& bench_options = {}) {
    std::vector<dragoman_string> views;
    for (std::string_view text : texts) views.push_back(view(text));
    dragoman_report* report = nullptr;
    check(dragoman_bench_texts(path, &model_options, views.data(), views.size(), &options, &bench_options,
                               &report));
    return Report(report);
}
inline Report bench(const char* path, const TokenViews& sources, const ModelOptions& model_options = {},
                    const TranslateOptions& options = {}, const BenchOptions& bench_options = {}) {
    dragoman_report* report = nullptr;
    check(dragoman_bench_tokens(path, &model_options, sources.data(), sources.size(), &options,
                                &bench_options, &report));
    return Report(report);
}

class Translator {
public:
    explicit Translator(const Model& model) {
        dragoman_translator* translator = nullptr;
        check(dragoman_translator_create(model.get(), &translator));
        handle_.reset(translator);
    }
    // No prefixes, or one for each input.
    Result translate(std::span<const std::string_view> texts, const TranslateOptions& options = {},
                     const TokenViews& prefixes = {}) {
        std::vector<dragoman_string> views;
        for (std::string_view text : texts) views.push_back(view(text));
        require_pairs(prefixes, views.size());
        dragoman_result* result = nullptr;
        check(dragoman_translate_texts(get(), views.data(), views.size(), prefixes.data(), &options, &result));
        return Result(result);
    }
    Result translate(const TokenViews& sources, const TranslateOptions& options = {}, const TokenViews& prefixes = {}) {
        require_pairs(prefixes, sources.size());
        dragoman_result* result = nullptr;
        check(dragoman_translate_tokens(get(), sources.data(), sources.size(), prefixes.data(), &options, &result));
        return Result(result);
    }
    std::string translate(std::string_view text, const TranslateOptions& options = {}) {
        return std::string(translate(std::span(&text, 1), options).text(0));
    }
    Scores score(const TokenViews& sources, const TokenViews& targets, const ScoreOptions& options = {}) {
        if (targets.size() != sources.size()) throw Error(DRAGOMAN_INVALID_ARGUMENT, "targets: not one per source");
        dragoman_scores* scores = nullptr;
        check(dragoman_score_tokens(get(), sources.data(), targets.data(), sources.size(), &options, &scores));
        return Scores(scores);
    }
    dragoman_stats stats() const {
        dragoman_stats stats;
        dragoman_stats_init(&stats);
        check(dragoman_translator_stats(get(), &stats));
        return stats;
    }
    void reset_stats() { check(dragoman_translator_reset_stats(get())); }
    void trim() { check(dragoman_translator_trim(get())); }
    dragoman_translator* get() const { return handle_.get(); }

private:
    static void require_pairs(const TokenViews& prefixes, std::size_t inputs) {
        if (prefixes.size() != 0 && prefixes.size() != inputs) {
            throw Error(DRAGOMAN_INVALID_ARGUMENT, "prefixes: not one per input");
        }
    }
    std::unique_ptr<dragoman_translator, Destroyer<dragoman_translator_destroy>> handle_;
};

}  // namespace v1
}  // namespace dragoman
