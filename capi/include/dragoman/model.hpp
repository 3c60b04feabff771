// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Devices, models, what they do with text. Part of dragoman.hpp.

#include <dragoman/basics.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// Describes all devices.
inline std::vector<dragoman_device_info> devices() {
    std::vector<dragoman_device_info> result(detail::read<uint32_t>(dragoman_device_count));
    for (uint32_t i = 0; i < result.size(); ++i) {
        result[i] = detail::read<dragoman_device_info>(dragoman_device_describe, i);
    }
    return result;
}

/// Memory of a device, `index` being that of its description.
inline dragoman_memory_info device_memory(uint32_t index) {
    return detail::read<dragoman_memory_info>(dragoman_device_memory, index);
}

/// Sentences of a text; `language` NULL: unknown.
inline std::vector<dragoman_range> split_sentences(std::string_view text, const char* language = nullptr,
                                                   bool join_lines = false) {
    const dragoman_string given = view(text);
    const detail::Handle<dragoman_range_list, dragoman_range_list_destroy> list(
        detail::read<dragoman_range_list*>(dragoman_split_sentences, &given, language, join_lines));
    const dragoman_range* data = dragoman_range_list_data(list.get());
    return {data, data + dragoman_range_list_count(list.get())};
}

/// A file in memory; `name` and `bytes` must last until the model is loaded.
inline dragoman_file file(const char* name, std::span<const std::byte> bytes) {
    return {name, bytes.data(), bytes.size(), nullptr, nullptr};
}

/// Describes a model from its files alone; `path` NULL: the default model.
inline dragoman_model_info describe_model(const char* path) {
    return detail::read<dragoman_model_info>(dragoman_model_describe, path);
}
/// The same for the model at `path`.
inline dragoman_model_info describe_model(const std::string& path) { return describe_model(path.c_str()); }

/// Writes one GGUF file; `path` NULL: the default model.
inline void convert_model(const char* path, const std::string& out_path, const ConvertOptions& options = {}) {
    check(dragoman_model_convert(path, out_path.c_str(), &options));
}

/// Weights and vocabularies on a device.
class Model {
public:
    /// The default model.
    explicit Model(const ModelOptions& options = {}) : Model(nullptr, options) {}
    /// The model at `path`, see dragoman_model_load().
    explicit Model(const std::string& path, const ModelOptions& options = {}) : Model(path.c_str(), options) {}
    /// The same; `path` NULL: the default model.
    Model(const char* path, const ModelOptions& options)
        : handle_(detail::read<dragoman_model*>(dragoman_model_load, path, &options)) {}
    /// Files in memory or read by callbacks, see dragoman_model_load_files().
    explicit Model(std::span<const dragoman_file> files, const ModelOptions& options = {})
        : handle_(detail::read<dragoman_model*>(dragoman_model_load_files, files.data(), files.size(), &options)) {}
    /// See dragoman_model_get_info().
    dragoman_model_info info() const { return detail::read<dragoman_model_info>(dragoman_model_get_info, get()); }
    /// The device it is on.
    dragoman_device_info device() const { return detail::read<dragoman_device_info>(dragoman_model_device, get()); }
    /// Memory of that device, and what the model and its translators hold.
    dragoman_memory_info memory() const { return detail::read<dragoman_memory_info>(dragoman_model_memory, get()); }
    /// The tokens of a text, see dragoman_tokenize().
    std::vector<std::string> tokenize(std::string_view text, dragoman_side side = DRAGOMAN_SIDE_SOURCE) const {
        const dragoman_string given = view(text);
        const detail::Handle<dragoman_token_lists, dragoman_token_lists_destroy> lists(
            detail::read<dragoman_token_lists*>(dragoman_tokenize, get(), side, &given, std::size_t(1)));
        std::vector<std::string> result;
        const auto tokens = detail::read<dragoman_tokens>(dragoman_token_lists_get, lists.get(), std::size_t(0));
        for (const dragoman_string& token : view(tokens)) result.emplace_back(view(token));
        return result;
    }
    /// The text of tokens, see dragoman_detokenize().
    std::string detokenize(std::span<const std::string> tokens, dragoman_side side = DRAGOMAN_SIDE_TARGET) const {
        const std::vector<dragoman_string> strings = views(tokens);
        const dragoman_tokens given{strings.data(), strings.size()};
        const detail::Handle<dragoman_text_list, dragoman_text_list_destroy> list(
            detail::read<dragoman_text_list*>(dragoman_detokenize, get(), side, &given, std::size_t(1)));
        return std::string(view(detail::read<dragoman_string>(dragoman_text_list_get, list.get(), std::size_t(0))));
    }
    /// For C functions; still this object's.
    const dragoman_model* get() const { return handle_.get(); }

private:
    detail::Handle<dragoman_model, dragoman_model_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
