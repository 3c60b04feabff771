// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/parameters.h"

#include <fmt/format.h>

#include <cstddef>

#include "serve/api/deepl/form.h"
#include "serve/ascii.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

constexpr std::size_t kDeeplMostGlossaries = 5;

void deepl_check_formality(const Json& fields) {
    const std::string given = in_small_letters(text(fields, "formality"));
    if (given.empty() || given == "default" || given == "prefer_more" || given == "prefer_less") return;
    if (given != "more" && given != "less")
        throw Problem(Problem::Kind::bad_request, "Value for 'formality' not supported: " + given, "formality");
    throw Problem(Problem::Kind::unsupported,
                  fmt::format("formality: {} is not supported for any target language; prefer_{} is", given, given),
                  "formality");
}

void deepl_refuse(const Json& fields, const char* name) {
    const Json* value = find(fields, name);
    if (!value || value->empty() || (value->is_string() && value->get_ref<const std::string&>().empty())) return;
    throw Problem(Problem::Kind::unsupported, fmt::format("{}: not supported by this service", name), name);
}

}  // namespace

DeeplParameters deepl_parameters(const Services& services, const Json& fields) {
    DeeplParameters read;
    read.to = deepl_language(services, fields, "target_lang");
    read.from = deepl_optional_language(services, fields, "source_lang");
    read.source_code = deepl_upper(text(fields, "source_lang"));
    deepl_check_formality(fields);
    deepl_refuse(fields, "style_id");
    deepl_refuse(fields, "custom_instructions");

    read.glossaries = deepl_list(fields, "glossary_ids");
    if (const std::string one = text(fields, "glossary_id"); !one.empty()) {
        if (!read.glossaries.empty())
            throw Problem(Problem::Kind::bad_request, "glossary_id and glossary_ids cannot be used together",
                          "glossary_ids");
        read.glossaries.push_back(one);
    }
    if (read.glossaries.size() > kDeeplMostGlossaries)
        throw Problem(Problem::Kind::bad_request,
                      fmt::format("glossary_ids: {} glossaries exceed the limit of {}", read.glossaries.size(),
                                  kDeeplMostGlossaries),
                      "glossary_ids");
    if (!read.glossaries.empty() && read.from.empty())
        throw Problem(Problem::Kind::bad_request, "Parameter 'source_lang' is required with a glossary.",
                      "source_lang");

    read.memory = text(fields, "translation_memory_id");
    integer_between(fields, "translation_memory_threshold", 100, 0, 100);
    return read;
}

}  // namespace serve::api
