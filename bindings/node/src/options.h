// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of the C API from JavaScript objects; enumerations are numbers.

#include "fields.h"
#include "handle.h"

namespace addon {

template <class Struct, auto Init>
struct Options {
    Struct value;
    std::deque<std::string> texts;  // what `value` points to
    Options(napi_env env, napi_value given) {
        check(Init(&value, sizeof value));
        fill(env, given, fields<Struct>(), &value, texts);
    }
    Options(Options&&) = default;  // texts keep their places
};
using DeviceOptions = Options<dragoman_device_options, dragoman_device_options_init_sized>;
using ScoreOptions = Options<dragoman_score_options, dragoman_score_options_init_sized>;
using ConvertOptions = Options<dragoman_convert_options, dragoman_convert_options_init_sized>;
using EmbedOptions = Options<dragoman_embed_options, dragoman_embed_options_init_sized>;
using MemoryOptions = Options<dragoman_memory_options, dragoman_memory_options_init_sized>;
using BenchOptions = Options<dragoman_bench_options, dragoman_bench_options_init_sized>;

struct ModelOptions : Options<dragoman_model_options, dragoman_model_options_init_sized> {
    Texts models;
    std::vector<float> weights;
    ModelOptions(napi_env env, napi_value options);
};

struct TranslateOptions : Options<dragoman_translate_options, dragoman_translate_options_init_sized> {
    Sequences suppress;
    Texts ends;
    Shared<dragoman_glossary> glossary;
    Shared<dragoman_memory> memory;
    TranslateOptions(napi_env env, napi_value options);
};

// {translate: [name], model: [name], ...}: what the functions above look for.
napi_value option_names(napi_env env);

}  // namespace addon
