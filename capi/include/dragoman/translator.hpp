// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Translating, at once and in the background. Part of dragoman.hpp.

#include <dragoman/model.hpp>
#include <dragoman/result.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

namespace detail {

// `prefixes`: none, or one for each input.
inline const dragoman_tokens* matching(const TokenViews& prefixes, std::size_t inputs) {
    if (prefixes.size() == 0 || prefixes.size() == inputs) return prefixes.data();
    throw Error(DRAGOMAN_INVALID_ARGUMENT, "prefixes: not one per input");
}

}  // namespace detail

/// A translation in the background, used like a std::future. Its destructor cancels it; not for use in a callback.
/// One that Translator::feed_texts() or feed_tokens() began is fed: feed() and finish() give it inputs while next()
/// takes results, from one thread or several.
class Job {
public:
    /// Receives events; the rules of dragoman_event_fn hold, but it may throw: get() or next() throws that again.
    using OnEvent = std::function<void(const dragoman_event&)>;
    /// How long to wait; none: without limit.
    using Limit = std::optional<std::chrono::milliseconds>;

    /// Waits until it has ended; rethrows what the callback threw. Once.
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
    /// How many of the first of `texts` it took, see dragoman_job_feed_texts().
    std::size_t feed(std::span<const std::string_view> texts, Limit limit = {}, const TokenViews& prefixes = {}) {
        const std::vector<dragoman_string> given = views(texts);
        return detail::read<std::size_t>(dragoman_job_feed_texts, get_handle(), given.data(), given.size(),
                                         detail::matching(prefixes, given.size()), milliseconds(limit));
    }
    /// The same with sequences of source tokens.
    std::size_t feed(const TokenViews& sources, Limit limit = {}, const TokenViews& prefixes = {}) {
        return detail::read<std::size_t>(dragoman_job_feed_tokens, get_handle(), sources.data(), sources.size(),
                                         detail::matching(prefixes, sources.size()), milliseconds(limit));
    }
    /// It gets no more.
    void finish() { check(dragoman_job_finish(get_handle())); }
    /// The results that are there and were not taken, in order; none: it has ended, or the time has passed. See
    /// dragoman_job_next_result().
    std::optional<Result> next(Limit limit = {}) {
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_job_next_result(get_handle(), milliseconds(limit), &result);
        if (result) return Result(result);
        const Error error(status, dragoman_last_error());
        const auto& listener = handle_.get_deleter().kept;
        if (listener && poll().state >= DRAGOMAN_JOB_DONE) {
            wait();
            if (listener->failure) std::rethrow_exception(listener->failure);
        }
        if (status != DRAGOMAN_OK) throw error;
        return {};
    }
    /// Waits until it has ended, however it did.
    void wait() const { check(dragoman_job_wait(get_handle(), -1, nullptr)); }
    /// false: it has not ended.
    bool wait_for(std::chrono::milliseconds limit) const {
        return detail::read<int32_t>(dragoman_job_wait, get_handle(), milliseconds(limit));
    }
    /// What has become of it so far.
    dragoman_job_info poll() const { return detail::read<dragoman_job_info>(dragoman_job_poll, get_handle()); }
    /// Asks it to stop soon; get() then throws DRAGOMAN_CANCELLED.
    void cancel() { check(dragoman_job_cancel(get_handle())); }
    /// For C functions; still this object's.
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
    static int64_t milliseconds(Limit limit) { return !limit ? -1 : limit->count() < 0 ? 0 : limit->count(); }
    Job(JobOptions options, OnEvent on_event, auto&& submit) {
        if (on_event) {
            auto& listener = handle_.get_deleter().kept;
            listener = std::make_unique<Listener>(Listener{std::move(on_event), nullptr});
            options.on_event = Listener::call;
            options.user = listener.get();
        }
        handle_.reset(detail::read<dragoman_job*>(submit, &options));
    }
    std::unique_ptr<dragoman_job, detail::KeepingDestroyer<dragoman_job_destroy, Listener>> handle_;
};

/// Translates with one model. `prefixes` holds none, or one for each input; `on_event` runs on a thread of the
/// translator.
class Translator {
public:
    /// See dragoman_translator_create().
    explicit Translator(const Model& model)
        : handle_(detail::read<dragoman_translator*>(dragoman_translator_create, model.get())) {}
    /// One over several models, see dragoman_translator_create_route().
    Translator(std::span<const Model* const> models, const char* source_language, const char* target_language)
        : handle_(route(models, source_language, target_language)) {}
    /// See dragoman_translate_texts().
    Result translate(std::span<const std::string_view> texts, const TranslateOptions& options = {},
                     const TokenViews& prefixes = {}) {
        const std::vector<dragoman_string> given = views(texts);
        return Result(detail::read<dragoman_result*>(dragoman_translate_texts, get(), given.data(), given.size(),
                                                     detail::matching(prefixes, given.size()), &options));
    }
    /// See dragoman_translate_tokens().
    Result translate(const TokenViews& sources, const TranslateOptions& options = {}, const TokenViews& prefixes = {}) {
        return Result(detail::read<dragoman_result*>(dragoman_translate_tokens, get(), sources.data(), sources.size(),
                                                     detail::matching(prefixes, sources.size()), &options));
    }
    /// The best translation of one text.
    std::string translate(std::string_view text, const TranslateOptions& options = {}) {
        return std::string(translate(std::span(&text, 1), options).text(0));
    }
    /// See dragoman_submit_texts(); the texts are copied.
    Job submit(std::span<const std::string_view> texts, const TranslateOptions& options = {},
               Job::OnEvent on_event = {}, const JobOptions& job_options = {}, const TokenViews& prefixes = {}) {
        const std::vector<dragoman_string> given = views(texts);
        return Job(job_options, std::move(on_event), [&](const dragoman_job_options* how, dragoman_job** job) {
            return dragoman_submit_texts(get(), given.data(), given.size(), detail::matching(prefixes, given.size()),
                                         &options, how, job);
        });
    }
    /// The same for one text.
    Job submit(std::string_view text, const TranslateOptions& options = {}, Job::OnEvent on_event = {},
               const JobOptions& job_options = {}) {
        return submit(std::span(&text, 1), options, std::move(on_event), job_options);
    }
    /// See dragoman_submit_tokens(); the tokens are copied.
    Job submit(const TokenViews& sources, const TranslateOptions& options = {}, Job::OnEvent on_event = {},
               const JobOptions& job_options = {}, const TokenViews& prefixes = {}) {
        return Job(job_options, std::move(on_event), [&](const dragoman_job_options* how, dragoman_job** job) {
            return dragoman_submit_tokens(get(), sources.data(), sources.size(),
                                          detail::matching(prefixes, sources.size()), &options, how, job);
        });
    }
    /// A job of texts that come later, see Job::feed().
    Job feed_texts(const TranslateOptions& options = {}, Job::OnEvent on_event = {}, JobOptions job_options = {}) {
        job_options.fed = 1;
        return submit(std::span<const std::string_view>(), options, std::move(on_event), job_options);
    }
    /// The same for sequences of source tokens.
    Job feed_tokens(const TranslateOptions& options = {}, Job::OnEvent on_event = {}, JobOptions job_options = {}) {
        job_options.fed = 1;
        return submit(TokenViews(), options, std::move(on_event), job_options);
    }
    /// How likely each of `targets` is as a translation, see dragoman_score_tokens().
    Scores score(const TokenViews& sources, const TokenViews& targets, const ScoreOptions& options = {}) {
        if (targets.size() != sources.size()) throw Error(DRAGOMAN_INVALID_ARGUMENT, "targets: not one per source");
        return Scores(detail::read<dragoman_scores*>(dragoman_score_tokens, get(), sources.data(), targets.data(),
                                                     sources.size(), &options));
    }
    /// The same of texts, see dragoman_score_texts().
    Scores score(std::span<const std::string_view> sources, std::span<const std::string_view> targets,
                 const ScoreOptions& options = {}) {
        if (targets.size() != sources.size()) throw Error(DRAGOMAN_INVALID_ARGUMENT, "targets: not one per source");
        const std::vector<dragoman_string> given = views(sources), wanted = views(targets);
        return Scores(detail::read<dragoman_scores*>(dragoman_score_texts, get(), given.data(), wanted.data(),
                                                     given.size(), &options));
    }
    /// What translations of texts, or of tokens, with these options depend on, see dragoman_translation_key().
    std::string key(const TranslateOptions& options = {}, bool tokens = false) const {
        const detail::Handle<dragoman_text_list, dragoman_text_list_destroy> made(detail::read<dragoman_text_list*>(
            dragoman_translation_key, get(), &options, int32_t(tokens), static_cast<const dragoman_string*>(nullptr),
            static_cast<const dragoman_string*>(nullptr)));
        return std::string(view(detail::read<dragoman_string>(dragoman_text_list_get, made.get(), std::size_t(0))));
    }
    /// See dragoman_stats.
    dragoman_stats stats() const { return detail::read<dragoman_stats>(dragoman_translator_stats, get()); }
    /// Sets the counters to 0.
    void reset_stats() { check(dragoman_translator_reset_stats(get())); }
    /// Gives back device memory that the next call can take again.
    void trim() { check(dragoman_translator_trim(get())); }
    /// For C functions; still this object's.
    dragoman_translator* get() const { return handle_.get(); }

private:
    static dragoman_translator* route(std::span<const Model* const> models, const char* from, const char* to) {
        std::vector<const dragoman_model*> handles;
        for (const Model* model : models) handles.push_back(model->get());
        return detail::read<dragoman_translator*>(dragoman_translator_create_route, handles.data(), handles.size(),
                                                  from, to);
    }
    detail::Handle<dragoman_translator, dragoman_translator_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
