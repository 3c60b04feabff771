// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <dragoman/dragoman.h>

#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::test {

inline const char* const kModel = DRAGOMAN_TEST_DATA "/aren-transliteration";
inline const char* const kSourceA = "آ ت ز م و ن";
inline const char* const kSourceB = "آ ز ا";

template <class T, void (*Destroy)(T*)>
struct Destroyer {
    void operator()(T* handle) const { Destroy(handle); }
};
using ModelHandle = std::unique_ptr<dragoman_model, Destroyer<dragoman_model, dragoman_model_destroy>>;
using DeviceHandle = std::unique_ptr<dragoman_device, Destroyer<dragoman_device, dragoman_device_close>>;
using TranslatorHandle =
    std::unique_ptr<dragoman_translator, Destroyer<dragoman_translator, dragoman_translator_destroy>>;
using ResultHandle = std::unique_ptr<dragoman_result, Destroyer<dragoman_result, dragoman_result_destroy>>;
using ScoresHandle = std::unique_ptr<dragoman_scores, Destroyer<dragoman_scores, dragoman_scores_destroy>>;

inline void require_ok(dragoman_status status) {
    INFO(dragoman_last_error());
    REQUIRE(status == DRAGOMAN_OK);
}

// The status and words that the message must hold.
inline void check_error(dragoman_status status, dragoman_status expected, std::initializer_list<const char*> words) {
    const std::string message = dragoman_last_error();
    CAPTURE(message);
    CHECK(status == expected);
    for (const char* word : words) {
        CAPTURE(word);
        CHECK(message.find(word) != std::string::npos);
    }
}

inline ModelHandle load_model() {
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load(kModel, nullptr, &model));
    return ModelHandle(model);
}

inline DeviceHandle open_device(const dragoman_device_options& options) {
    dragoman_device* device = nullptr;
    require_ok(dragoman_device_open(&options, &device));
    return DeviceHandle(device);
}

inline ModelHandle load_model(const DeviceHandle& device) {
    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    options.device = device.get();
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load(kModel, &options, &model));
    return ModelHandle(model);
}

// Computed in float32 on every device, to be compared with recorded scores; by itself a model takes float16 on GPUs.
inline ModelHandle load_exact_model() {
    dragoman_model_options options;
    dragoman_model_options_init(&options);
    options.compute_type = DRAGOMAN_COMPUTE_F32;
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load(kModel, &options, &model));
    return ModelHandle(model);
}

inline TranslatorHandle create_translator(const ModelHandle& model) {
    dragoman_translator* translator = nullptr;
    require_ok(dragoman_translator_create(model.get(), &translator));
    return TranslatorHandle(translator);
}

// Sequences of space-separated tokens in the shape of the C API.
class Sequences {
public:
    Sequences(std::initializer_list<std::string_view> texts) {
        for (std::string_view text : texts) {
            std::vector<std::string>& words = words_.emplace_back();
            std::string word;
            for (std::istringstream stream{std::string(text)}; std::getline(stream, word, ' ');) words.push_back(word);
        }
        for (const auto& words : words_) {
            std::vector<dragoman_string>& views = views_.emplace_back();
            for (const std::string& word : words) views.push_back({word.data(), word.size()});
        }
        for (const auto& views : views_) tokens_.push_back({views.data(), views.size()});
    }
    Sequences(const Sequences&) = delete;
    const dragoman_tokens* data() const { return tokens_.data(); }
    std::size_t size() const { return tokens_.size(); }

private:
    std::vector<std::vector<std::string>> words_;
    std::vector<std::vector<dragoman_string>> views_;
    std::vector<dragoman_tokens> tokens_;
};

inline std::string join(dragoman_tokens tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens.count; ++i) {
        if (i) text += ' ';
        text.append(tokens.data[i].data, tokens.data[i].size);
    }
    return text;
}

inline std::string tokens_of(const ResultHandle& result, std::size_t input, std::size_t hypothesis = 0) {
    dragoman_tokens tokens{};
    require_ok(dragoman_result_tokens(result.get(), input, hypothesis, &tokens));
    return join(tokens);
}

inline ResultHandle translate(const TranslatorHandle& translator, const Sequences& sources,
                              const dragoman_translate_options* options = nullptr,
                              const Sequences* prefixes = nullptr) {
    dragoman_result* result = nullptr;
    require_ok(dragoman_translate_tokens(translator.get(), sources.data(), sources.size(),
                                         prefixes ? prefixes->data() : nullptr, options, &result));
    return ResultHandle(result);
}

inline dragoman_translate_options default_options() {
    dragoman_translate_options options;
    require_ok(dragoman_translate_options_init(&options));
    return options;
}

}  // namespace dragoman::test
