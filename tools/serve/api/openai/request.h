// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "serve/api/shapes/groups.h"

namespace serve::api {

inline constexpr char kOpenaiSeparator[] = "\n==WEBLATE_PART==\n";

// What a chat asks to be translated.
struct OpenaiRequest {
    enum class Form {
        text,       // the answer is the translations, joined as the texts were
        rephrased,  // several translations of one text, joined so
        list        // a list of JSON
    };
    Form form = Form::text;
    Texts texts{{}, true};
    ShapeLanguages languages;
    std::vector<std::pair<std::string, std::string>> terms;
    std::string model;   // a name of ours; empty: by the languages
    std::string called;  // as the client calls it
    bool placeholders = false;  // the texts have some, and travel as XML
    std::uint32_t choices = 1;
};

// {model, messages, n}: the instructions are in the system message, or before the text in the user's. Throws Problem.
OpenaiRequest read_openai_chat(const Services& services, const Json& fields);
// {model, prompt}: the languages are in the model's name, or before each text. Its `languages` are left empty.
struct OpenaiCompletion {
    OpenaiRequest request;
    std::vector<TextWay> ways;  // of each text
};
OpenaiCompletion read_openai_completion(const Services& services, const Json& fields);

}  // namespace serve::api
