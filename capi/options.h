// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <string>

#include "pipeline/run/translator.h"

// The options that several entry points take, checked. NULL: the defaults.
namespace dragoman::capi {

pipeline::ModelOptions model_options(const dragoman_model_options* given);
std::string model_path(const char* path);  // NULL: empty, for the default model

struct Options {
    pipeline::TranslateOptions decoding;
    pipeline::TextOptions text;
    pipeline::Progress progress;
};
Options read(const dragoman_translate_options* given);

// For texts; else throws unsupported.
void check_tokenizer(const pipeline::Model& model);

}  // namespace dragoman::capi
