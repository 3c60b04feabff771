// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Measuring a model, and checking a device. Part of dragoman.hpp.

#include <dragoman/model.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// What dragoman_bench_texts() measured, or dragoman_device_check() found.
class Report {
public:
    /// Takes the handle over.
    explicit Report(dragoman_report* handle) : handle_(handle) {}
    /// The report as a JSON object, see docs/bench.md and docs/devices.md.
    std::string_view json() const { return view(detail::read<dragoman_string>(dragoman_report_json, handle_.get())); }

private:
    detail::Handle<dragoman_report, dragoman_report_destroy> handle_;
};

/// Without inputs: random words. `path` NULL: the default model.
inline Report bench(const char* path, std::span<const std::string_view> texts, const ModelOptions& model_options = {},
                    const TranslateOptions& options = {}, const BenchOptions& bench_options = {}) {
    const std::vector<dragoman_string> given = views(texts);
    return Report(detail::read<dragoman_report*>(dragoman_bench_texts, path, &model_options, given.data(), given.size(),
                                                 &options, &bench_options));
}
/// The same with sequences of source tokens.
inline Report bench(const char* path, const TokenViews& sources, const ModelOptions& model_options = {},
                    const TranslateOptions& options = {}, const BenchOptions& bench_options = {}) {
    return Report(detail::read<dragoman_report*>(dragoman_bench_tokens, path, &model_options, sources.data(),
                                                 sources.size(), &options, &bench_options));
}

/// Which kernels give wrong results on a device, see dragoman_device_check().
inline Report check_kernels(const Device& device) {
    return Report(detail::read<dragoman_report*>(dragoman_device_check, device.get()));
}

}  // namespace v1
}  // namespace dragoman
