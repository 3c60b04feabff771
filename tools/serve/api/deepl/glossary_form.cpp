// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/glossary_form.h"

#include <string>

#include "serve/api/deepl/form.h"
#include "serve/ascii.h"
#include "serve/fields.h"

namespace serve::api {

std::string deepl_glossary_language(const Services& services, const Json& fields, const char* field) {
    return in_small_letters(deepl_base(deepl_language(services, fields, field)));
}

work::Dictionary deepl_read_dictionary(const Services& services, const Json& fields) {
    work::Dictionary dictionary;
    dictionary.from = deepl_glossary_language(services, fields, "source_lang");
    dictionary.to = deepl_glossary_language(services, fields, "target_lang");
    if (dictionary.from == dictionary.to)
        throw Problem(Problem::Kind::bad_request, "source_lang and target_lang are both " + dictionary.from,
                      "target_lang");
    const std::string format = in_small_letters(text(fields, "entries_format", "tsv"));
    if (format != "tsv" && format != "csv")
        throw Problem(Problem::Kind::bad_request, "Value for 'entries_format' not supported: " + format + " (tsv, csv)",
                      "entries_format");
    const std::string entries = text(fields, "entries");
    if (entries.empty()) throw Problem(Problem::Kind::missing, "Parameter 'entries' not specified.", "entries");
    try {
        dictionary.entries = work::read_entries(entries, format == "csv");
    } catch (const Problem& problem) {
        throw Problem(Problem::Kind::bad_request, "Invalid glossary entries provided", problem.what());
    }
    if (dictionary.entries.empty())
        throw Problem(Problem::Kind::bad_request, "Invalid glossary entries provided", "there is no entry");
    return dictionary;
}

Json deepl_dictionary_info(const work::Dictionary& dictionary) {
    return {{"source_lang", dictionary.from},
            {"target_lang", dictionary.to},
            {"entry_count", dictionary.entries.size()}};
}

std::string deepl_glossary_name(const Json& fields) {
    std::string name = text(fields, "name");
    if (name.empty()) throw Problem(Problem::Kind::missing, "Parameter 'name' not specified.", "name");
    return name;
}

}  // namespace serve::api
