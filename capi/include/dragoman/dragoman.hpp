// SPDX-License-Identifier: Apache-2.0
#pragma once

// dragoman.h for C++20: handles that clean up, spans, exceptions. What a call does is said there.
// Views and spans are borrowed from the Result or Scores they come from.

#include <dragoman/dragoman.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
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
inline std::vector<dragoman_string> views(std::span<const std::string_view> texts) {
    std::vector<dragoman_string> result;
    for (std::string_view text : texts) result.push_back(view(text));
    return result;
}

template <auto Destroy>
struct Destroyer {
    void operator()(auto* handle) const noexcept { Destroy(handle); }
};

// With something of ours that the handle uses and that goes after it.
template <auto Destroy, class Kept>
struct KeepingDestroyer {
    std::unique_ptr<Kept> kept;
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
struct JobOptions : dragoman_job_options {
    JobOptions() { check(dragoman_job_options_init(this)); }
};
struct ConvertOptions : dragoman_convert_options {
    ConvertOptions() { check(dragoman_convert_options_init(this)); }
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

inline dragoman_memory_info device_memory(uint32_t index) {
    dragoman_memory_info info;
    dragoman_memory_info_init(&info);
    check(dragoman_device_memory(index, &info));
    return info;
}

// Receives log lines while it lives.
class Logger {
public:
    using Function = std::function<void(int32_t level, const char* line)>;
    Logger(Function function, int32_t max_level) {
        handle_.get_deleter().kept = std::make_unique<Function>(std::move(function));
        dragoman_logger* logger = nullptr;
        check(dragoman_logger_create(
            [](int32_t level, const char* line, void* user) { (*static_cast<Function*>(user))(level, line); },
            handle_.get_deleter().kept.get(), max_level, &logger));
        handle_.reset(logger);
    }

private:
    std::unique_ptr<dragoman_logger, KeepingDestroyer<dragoman_logger_destroy, Function>> handle_;
};

/// Sentences of a text; `language` NULL: unknown.
inline std::vector<dragoman_range> split_sentences(std::string_view text, const char* language = nullptr,
                                                   bool join_lines = false) {
    dragoman_range_list* list = nullptr;
    const dragoman_string given = view(text);
    check(dragoman_split_sentences(&given, language, join_lines, &list));
    const std::unique_ptr<dragoman_range_list, Destroyer<dragoman_range_list_destroy>> handle(list);
    const dragoman_range* data = dragoman_range_list_data(list);
    return {data, data + dragoman_range_list_count(list)};
}

/// A file in memory; `name` and `bytes` must last until the model is loaded.
inline dragoman_file file(const char* name, std::span<const std::byte> bytes) {
    return {name, bytes.data(), bytes.size(), nullptr, nullptr};
}

/// `path` NULL: the default model.
inline dragoman_model_info describe_model(const char* path) {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    check(dragoman_model_describe(path, &info));
    return info;
}
inline dragoman_model_info describe_model(const std::string& path) { return describe_model(path.c_str()); }

/// `path` NULL: the default model. Writes one GGUF file.
inline void convert_model(const char* path, const std::string& out_path, const ConvertOptions& options = {}) {
    check(dragoman_model_convert(path, out_path.c_str(), &options));
}

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
    /// Files in memory or read by callbacks, see dragoman_model_load_files().
    explicit Model(std::span<const dragoman_file> files, const ModelOptions& options = {}) {
        dragoman_model* model = nullptr;
        check(dragoman_model_load_files(files.data(), files.size(), &options, &model));
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
    dragoman_memory_info memory() const {
        dragoman_memory_info info;
        dragoman_memory_info_init(&info);
        check(dragoman_model_memory(get(), &info));
        return info;
    }
    std::vector<std::string> tokenize(std::string_view text, dragoman_side side = DRAGOMAN_SIDE_SOURCE) const {
        dragoman_token_lists* lists = nullptr;
        const dragoman_string given = view(text);
        check(dragoman_tokenize(get(), side, &given, 1, &lists));
        const std::unique_ptr<dragoman_token_lists, Destroyer<dragoman_token_lists_destroy>> handle(lists);
        dragoman_tokens tokens{};
        check(dragoman_token_lists_get(lists, 0, &tokens));
        std::vector<std::string> result;
        for (const dragoman_string& token : view(tokens)) result.emplace_back(view(token));
        return result;
    }
    std::string detokenize(std::span<const std::string> tokens, dragoman_side side = DRAGOMAN_SIDE_TARGET) const {
        std::vector<dragoman_string> strings;
        for (const std::string& token : tokens) strings.push_back(view(token));
        const dragoman_tokens given{strings.data(), strings.size()};
        dragoman_text_list* list = nullptr;
        check(dragoman_detokenize(get(), side, &given, 1, &list));
        const std::unique_ptr<dragoman_text_list, Destroyer<dragoman_text_list_destroy>> handle(list);
        dragoman_string text{};
        check(dragoman_text_list_get(list, 0, &text));
        return std::string(view(text));
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
    const std::vector<dragoman_string> given = views(texts);
    dragoman_report* report = nullptr;
    check(dragoman_bench_texts(path, &model_options, given.data(), given.size(), &options, &bench_options,
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

// A translation in the background, used like a std::future. Its destructor cancels it; not for use in a callback.
class Job {
public:
    using OnEvent = std::function<void(const dragoman_event&)>;

    /// Until it has ended; rethrows what the callback threw. Once.
    Result get() {
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_job_take_result(handle_.get(), &result);
        const auto& listener = handle_.get_deleter().kept;
        if (listener && listener->failure) {
            dragoman_result_destroy(result);
            std::rethrow_exception(listener->failure);
        }
        check(status);
        return Result(result);
    }
    void wait() const { check(dragoman_job_wait(get_handle(), -1, nullptr)); }
    /// false: it has not ended.
    bool wait_for(std::chrono::milliseconds limit) const {
        int32_t ended = 0;
        check(dragoman_job_wait(get_handle(), limit.count() < 0 ? 0 : limit.count(), &ended));
        return ended;
    }
    dragoman_job_info poll() const {
        dragoman_job_info info;
        dragoman_job_info_init(&info);
        check(dragoman_job_poll(get_handle(), &info));
        return info;
    }
    void cancel() { check(dragoman_job_cancel(handle_.get())); }
    dragoman_job* get_handle() const { return handle_.get(); }

private:
    friend class Translator;
    struct Listener {
        OnEvent on_event;
        std::exception_ptr failure;
        static void call(const dragoman_event* event, void* user) {
            auto& self = *static_cast<Listener*>(user);
            try {
                if (!self.failure) self.on_event(*event);
            } catch (...) {
                self.failure = std::current_exception();
            }
        }
    };
    Job(JobOptions options, OnEvent on_event, auto&& submit) {
        if (on_event) {
            auto& listener = handle_.get_deleter().kept;
            listener = std::make_unique<Listener>(Listener{std::move(on_event), nullptr});
            options.on_event = Listener::call;
            options.user = listener.get();
        }
        dragoman_job* job = nullptr;
        check(submit(&options, &job));
        handle_.reset(job);
    }
    std::unique_ptr<dragoman_job, KeepingDestroyer<dragoman_job_destroy, Listener>> handle_;
};

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
        const std::vector<dragoman_string> given = views(texts);
        require_pairs(prefixes, given.size());
        dragoman_result* result = nullptr;
        check(dragoman_translate_texts(get(), given.data(), given.size(), prefixes.data(), &options, &result));
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
    // In the background; `on_event` runs on a thread of the translator's.
    Job submit(std::span<const std::string_view> texts, const TranslateOptions& options = {},
               Job::OnEvent on_event = {}, const JobOptions& job_options = {}) {
        const std::vector<dragoman_string> given = views(texts);
        return Job(job_options, std::move(on_event), [&](const dragoman_job_options* how, dragoman_job** job) {
            return dragoman_submit_texts(get(), given.data(), given.size(), nullptr, &options, how, job);
        });
    }
    Job submit(std::string_view text, const TranslateOptions& options = {}, Job::OnEvent on_event = {},
               const JobOptions& job_options = {}) {
        return submit(std::span(&text, 1), options, std::move(on_event), job_options);
    }
    Job submit(const TokenViews& sources, const TranslateOptions& options = {}, Job::OnEvent on_event = {},
               const JobOptions& job_options = {}) {
        return Job(job_options, std::move(on_event), [&](const dragoman_job_options* how, dragoman_job** job) {
            return dragoman_submit_tokens(get(), sources.data(), sources.size(), nullptr, &options, how, job);
        });
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
