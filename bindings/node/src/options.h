// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of the C API from JavaScript objects: names in camelCase, enumerations as numbers.

#include <deque>

#include "value.h"

namespace addon {

struct TranslateOptions {
    dragoman_translate_options value;
    std::deque<std::string> texts;  // what `value` points to
    Sequences suppress;
    Texts ends;
    TranslateOptions(napi_env env, napi_value options);
    TranslateOptions(const TranslateOptions&) = delete;
};

struct ModelOptions {
    dragoman_model_options value;
    std::deque<std::string> texts;
    ModelOptions(napi_env env, napi_value options);
    ModelOptions(const ModelOptions&) = delete;
};

struct ScoreOptions {
    dragoman_score_options value;
    ScoreOptions(napi_env env, napi_value options);
};

// {translate: [name], model: [name], score: [name]}: what the functions above look for.
napi_value option_names(napi_env env);

}  // namespace addon
