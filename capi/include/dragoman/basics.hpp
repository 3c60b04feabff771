// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Errors, views, options, tokens, logging. Part of dragoman.hpp.

#include <dragoman/dragoman.h>

#include <cstddef>
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

/// A status other than DRAGOMAN_OK, with the message of dragoman_last_error().
class Error : public std::runtime_error {
public:
    /// What failed and why; check() throws these.
    Error(dragoman_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    /// What a caller can act on; what() is for people.
    dragoman_status status() const noexcept { return status_; }

private:
    dragoman_status status_;
};

/// Throws an Error unless all is well.
inline void check(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw Error(status, dragoman_last_error());
}

/// A text as the C functions take it, borrowed.
inline dragoman_string view(std::string_view text) { return {text.data(), text.size()}; }
/// A text as the C functions give it, borrowed.
inline std::string_view view(dragoman_string text) { return {text.data, text.size}; }
/// The tokens of a sequence; view() makes each of them a text.
inline std::span<const dragoman_string> view(dragoman_tokens tokens) { return {tokens.data, tokens.count}; }
/// Ranges as the C functions give them, borrowed.
inline std::span<const dragoman_range> view(dragoman_ranges ranges) { return {ranges.data, ranges.count}; }
/// Several texts as the C functions take them, borrowed.
inline std::vector<dragoman_string> views(const auto& texts) {
    std::vector<dragoman_string> result;
    for (std::string_view text : texts) result.push_back(view(text));
    return result;
}

namespace detail {

// What a C function gives through its last parameter.
template <class T>
T read(auto&& function, auto... arguments) {
    T value{};
    if constexpr (requires { value.struct_size; }) value.struct_size = sizeof value;
    check(function(arguments..., &value));
    return value;
}

template <auto Destroy>
struct Destroyer {
    void operator()(auto* handle) const noexcept { Destroy(handle); }
};
template <class T, auto Destroy>
using Handle = std::unique_ptr<T, Destroyer<Destroy>>;

// With something of ours that the handle uses and that goes after it.
template <auto Destroy, class Kept>
struct KeepingDestroyer {
    std::unique_ptr<Kept> kept;
    void operator()(auto* handle) const noexcept { Destroy(handle); }
};

template <class Struct, auto Init>
struct Options : Struct {
    Options() { check(Init(this, sizeof(Struct))); }
};

}  // namespace detail

// Options with their defaults; the C functions take them by address.
/// See dragoman_device_options.
using DeviceOptions = detail::Options<dragoman_device_options, dragoman_device_options_init_sized>;
/// See dragoman_translate_options.
using TranslateOptions = detail::Options<dragoman_translate_options, dragoman_translate_options_init_sized>;
/// See dragoman_score_options.
using ScoreOptions = detail::Options<dragoman_score_options, dragoman_score_options_init_sized>;
/// See dragoman_job_options; `on_event` and `user` are Job's own.
using JobOptions = detail::Options<dragoman_job_options, dragoman_job_options_init_sized>;
/// See dragoman_convert_options.
using ConvertOptions = detail::Options<dragoman_convert_options, dragoman_convert_options_init_sized>;
/// See dragoman_bench_options.
using BenchOptions = detail::Options<dragoman_bench_options, dragoman_bench_options_init_sized>;

/// Sequences of tokens as the C functions take them. They point into the strings they were made from.
class TokenViews {
public:
    TokenViews() = default;  ///< no sequences
    /// Of `sequences`, which must live as long.
    explicit TokenViews(std::span<const std::vector<std::string>> sequences) {
        for (const auto& sequence : sequences) strings_.push_back(views(sequence));
        for (const auto& strings : strings_) tokens_.push_back({strings.data(), strings.size()});
    }
    /// Moves; what it points to stays where it is.
    TokenViews(TokenViews&&) = default;
    /// Moves likewise.
    TokenViews& operator=(TokenViews&&) = default;
    /// One per sequence; NULL when there are none.
    const dragoman_tokens* data() const { return tokens_.empty() ? nullptr : tokens_.data(); }
    /// Number of sequences.
    std::size_t size() const { return tokens_.size(); }

private:
    std::vector<std::vector<dragoman_string>> strings_;
    std::vector<dragoman_tokens> tokens_;
};

/// Receives log lines while it lives.
class Logger {
public:
    /// Receives a line; the rules of dragoman_log_fn hold, and it must not throw.
    using Function = std::function<void(int32_t level, const char* line)>;
    /// Lines up to `max_level`, a dragoman_log_level; see dragoman_logger_create().
    Logger(Function function, int32_t max_level) {
        auto& kept = handle_.get_deleter().kept = std::make_unique<Function>(std::move(function));
        constexpr auto call = [](int32_t level, const char* line, void* user) {
            (*static_cast<Function*>(user))(level, line);
        };
        handle_.reset(detail::read<dragoman_logger*>(dragoman_logger_create, call, kept.get(), max_level));
    }

private:
    std::unique_ptr<dragoman_logger, detail::KeepingDestroyer<dragoman_logger_destroy, Function>> handle_;
};

}  // namespace v1
}  // namespace dragoman
