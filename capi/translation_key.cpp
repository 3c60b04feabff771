// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <memory>
#include <string>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"
#include "tm/kept_key.h"

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_translation_key(const dragoman_translator* translator,
                                         const dragoman_translate_options* options, int32_t tokens,
                                         const dragoman_string* own, const dragoman_string* kept,
                                         dragoman_text_list** key) {
    return guard([&] {
        required(key, "key") = nullptr;
        const pipeline::Translator& used = *at_home(translator, "translator").translator;
        const bool of_texts = !flag(tokens, "tokens");
        Options checked = read(options);
        std::string made = fmt::format("library\t{}\n", dragoman_version_string());
        made += used.key(of_texts, checked.text, checked.decoding);
        if (own) made += capi::text(*own, {"own"});
        if (kept && capi::text(*kept, {"kept"}) != made)
            fail(Status::invalid_argument, "kept translations were made with other settings: {}",
                 dragoman::tm::differences(capi::text(*kept, {"kept"}), made));
        auto list = std::make_unique<dragoman_text_list>();
        list->texts.push_back(std::move(made));
        *key = list.release();
    });
}
