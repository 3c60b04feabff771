// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <string>

#include "translate/text_translator.h"
#include "translate/translator.h"

// The options that several entry points take, checked. NULL: the defaults.
namespace dragoman::capi {

translate::ModelOptions model_options(const dragoman_model_options* given);
std::string model_path(const char* path);  // NULL: empty, for the default model

struct Options {
    translate::TranslateOptions decoding;
    translate::TextOptions text;
    translate::Progress progress;
};
Options read(const dragoman_translate_options* given);

// For texts; else throws unsupported.
void check_tokenizer(const translate::Model& model);

}  // namespace dragoman::capi
