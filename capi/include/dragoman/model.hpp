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

/// A device that is in use; models are loaded onto it, and keep it.
class Device {
public:
    /// See dragoman_device_open().
    explicit Device(const DeviceOptions& options = {})
        : handle_(detail::read<dragoman_device*>(dragoman_device_open, &options)) {}
    /// A VkDevice of the program's own, see dragoman_device_adopt().
    explicit Device(const dragoman_vulkan_device& adopted, const DeviceOptions& options = {})
        : handle_(detail::read<dragoman_device*>(dragoman_device_adopt, &adopted, &options)) {}
    /// See dragoman_device_get_info().
    dragoman_device_info info() const { return detail::read<dragoman_device_info>(dragoman_device_get_info, get()); }
    /// Those that work together behind this one; see dragoman_device_options::name.
    std::vector<dragoman_device_info> members() const {
        std::vector<dragoman_device_info> result(dragoman_device_member_count(get()));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = detail::read<dragoman_device_info>(dragoman_device_member_info, get(), i);
        return result;
    }
    /// Its memory, and what everything on it holds.
    dragoman_memory_info memory() const {
        return detail::read<dragoman_memory_info>(dragoman_device_get_memory, get());
    }
    /// Gives back device memory that nothing uses now.
    void trim() { check(dragoman_device_trim(handle_.get())); }
    /// For C functions; still this object's.
    const dragoman_device* get() const { return handle_.get(); }

private:
    detail::Handle<dragoman_device, dragoman_device_close> handle_;
};

/// What a VkDevice should be made with, see dragoman_vulkan_wanted().
class WantedDevice {
public:
    /// Of `device` the instance, its version and loader and the physical device are read.
    explicit WantedDevice(const dragoman_vulkan_device& device)
        : handle_(detail::read<dragoman_wanted_device*>(dragoman_vulkan_wanted, &device)) {}
    /// Names of extensions.
    std::span<const char* const> extensions() const {
        return {dragoman_wanted_extensions(handle_.get()), dragoman_wanted_extension_count(handle_.get())};
    }
    /// A VkPhysicalDeviceFeatures2 with its chain.
    const void* features() const { return dragoman_wanted_features(handle_.get()); }

private:
    detail::Handle<dragoman_wanted_device, dragoman_wanted_device_destroy> handle_;
};

/// See dragoman_model_options.
struct ModelOptions : detail::Options<dragoman_model_options, dragoman_model_options_init_sized> {
    /// On the device that all such models of the process share.
    ModelOptions() = default;
    /// On `on`, which must last until the model is loaded.
    ModelOptions(const Device& on) { device = on.get(); }
};

/// See dragoman_language.
struct Language {
    std::string tag;   ///< as BCP 47 has it
    std::string code;  ///< as the model's files spell it
    std::string name;  ///< in English
};

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

namespace detail {

inline std::vector<Language> languages(dragoman_language_list* handle) {
    const Handle<dragoman_language_list, dragoman_language_list_destroy> list(handle);
    std::vector<Language> result;
    for (const dragoman_language& from :
         std::span(dragoman_language_list_data(handle), dragoman_language_list_count(handle))) {
        result.push_back({from.tag, from.code, from.name});
    }
    return result;
}

}  // namespace detail

/// A model's languages from its files alone; `path` NULL: the default model.
inline std::vector<Language> describe_languages(const char* path, dragoman_side side) {
    return detail::languages(detail::read<dragoman_language_list*>(dragoman_model_describe_languages, path, side));
}
/// The same for the model at `path`.
inline std::vector<Language> describe_languages(const std::string& path, dragoman_side side) {
    return describe_languages(path.c_str(), side);
}

/// What a model's files say about it.
struct Description {
    dragoman_model_info info;       ///< facts, as of dragoman_model_describe()
    std::vector<Language> sources;  ///< languages that it translates from
    std::vector<Language> targets;  ///< and to
};

/// Facts and languages of a model while its files are read once; `path` NULL: the default model.
inline Description describe(const char* path) {
    dragoman_language_list *sources = nullptr, *targets = nullptr;
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    check(dragoman_model_describe_all(path, &info, &sources, &targets));
    detail::Handle<dragoman_language_list, dragoman_language_list_destroy> kept(targets);
    std::vector<Language> from = detail::languages(sources);
    return {info, std::move(from), detail::languages(kept.release())};
}
/// The same for the model at `path`.
inline Description describe(const std::string& path) { return describe(path.c_str()); }

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
    /// The languages it translates from or to, see dragoman_model_languages().
    std::vector<Language> languages(dragoman_side side) const {
        return detail::languages(detail::read<dragoman_language_list*>(dragoman_model_languages, get(), side));
    }
    /// The device it is on.
    dragoman_device_info device() const { return detail::read<dragoman_device_info>(dragoman_model_device, get()); }
    /// Memory of that device, and what everything on it holds.
    dragoman_memory_info memory() const { return detail::read<dragoman_memory_info>(dragoman_model_memory, get()); }
    /// The tokens of a text, see dragoman_tokenize().
    std::vector<std::string> tokenize(std::string_view text, dragoman_side side = DRAGOMAN_SIDE_SOURCE) const {
        const TokenLists lists = cut(text, side);
        std::vector<std::string> result;
        const auto tokens = detail::read<dragoman_tokens>(dragoman_token_lists_get, lists.get(), std::size_t(0));
        for (const dragoman_string& token : view(tokens)) result.emplace_back(view(token));
        return result;
    }
    /// The bytes of the text that each of these tokens stands for, see dragoman_token_lists_ranges().
    std::vector<dragoman_range> token_ranges(std::string_view text, dragoman_side side = DRAGOMAN_SIDE_SOURCE) const {
        const TokenLists lists = cut(text, side);
        const auto ranges = detail::read<dragoman_ranges>(dragoman_token_lists_ranges, lists.get(), std::size_t(0));
        return {ranges.data, ranges.data + ranges.count};
    }
    /// Whether its vocabulary has a token, see dragoman_model_has_token().
    bool has_token(const std::string& token, dragoman_side side = DRAGOMAN_SIDE_TARGET) const {
        int32_t known = 0;
        check(dragoman_model_has_token(get(), side, token.c_str(), &known));
        return known == 1;
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
    using TokenLists = detail::Handle<dragoman_token_lists, dragoman_token_lists_destroy>;
    TokenLists cut(std::string_view text, dragoman_side side) const {
        const dragoman_string given = view(text);
        return TokenLists(detail::read<dragoman_token_lists*>(dragoman_tokenize, get(), side, &given, std::size_t(1)));
    }
    detail::Handle<dragoman_model, dragoman_model_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
