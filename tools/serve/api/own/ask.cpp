// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/ask.h"

#include <cstdint>
#include <utility>

#include "serve/work/detection.h"

namespace serve::api {
namespace {

constexpr std::int64_t kOwnMostPriority = 100;

std::string own_term(const Json& value, const char* field) {
    if (!value.is_string())
        throw Problem(Problem::Kind::bad_request,
                      std::string(field) + ": a term is " + value.type_name() + ", a string is expected", field);
    return value.get<std::string>();
}

std::vector<std::string> own_ids(const Json& given) {
    if (given.is_string()) return {given.get<std::string>()};
    std::vector<std::string> ids;
    for (const Json& id : given) ids.push_back(own_term(id, "glossary"));
    return ids;
}

// The language of texts, where terms need it before the translation begins.
void own_find_language(Services& services, OwnAsk& made, const std::string& to) {
    const std::string given = made.ask.from;
    if (!given.empty() && given != "auto") {
        made.ask.from = services.language(given);
        return;
    }
    const std::vector<work::Guess> guesses = work::detect(services.models, made.ask.texts);
    if (guesses.empty())
        throw Problem(Problem::Kind::missing, "from is missing: the texts do not tell their language, which terms need",
                      "from");
    const work::Guess best = work::source_of(services.models, guesses, to).value_or(guesses.front());
    made.ask.from = best.tag;
    made.detected = true;
    made.confidence = best.confidence;
}

void own_add_terms(Services& services, const Account& account, const Json& given, OwnAsk& made) {
    const std::string to = services.language(made.ask.to);
    own_find_language(services, made, to);
    const bool ids = given.is_string() || (given.is_array() && !given.empty() && given.front().is_string());
    made.ask.terms = ids ? services.glossaries.terms(account.owner, own_ids(given), made.ask.from, to)
                         : work::Glossaries::terms_of(own_entries(given, "glossary"), made.ask.from, to);
    made.wanted.sentences = true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> own_entries(const Json& given, const char* field) {
    std::vector<std::pair<std::string, std::string>> entries;
    if (given.is_object()) {
        for (const auto& [source, target] : given.items()) entries.emplace_back(source, own_term(target, field));
        return entries;
    }
    if (!given.is_array())
        throw Problem(Problem::Kind::bad_request,
                      std::string(field) + " is " + given.type_name() + ", an object or a list of pairs is expected",
                      field);
    for (const Json& pair : given) {
        if (!pair.is_array() || pair.size() != 2)
            throw Problem(Problem::Kind::bad_request,
                          std::string(field) + ": entry " + std::to_string(entries.size()) +
                              " is no pair of a source and a target",
                          field);
        entries.emplace_back(own_term(pair[0], field), own_term(pair[1], field));
    }
    return entries;
}

dragoman_markup own_markup(const Json& fields) {
    const std::string name = text(fields, "markup", "none");
    if (name == "none" || name == "text") return DRAGOMAN_MARKUP_NONE;
    if (name == "html") return DRAGOMAN_MARKUP_HTML;
    if (name == "xml") return DRAGOMAN_MARKUP_XML;
    throw Problem(Problem::Kind::bad_request, "markup is \"" + name + "\", \"none\", \"html\" or \"xml\" is expected",
                  "markup");
}

Json own_options(const Json& fields) {
    const Json* given = find(fields, "options");
    if (!given) return Json::object();
    Json options = given->is_string() ? parse_leniently(given->get_ref<const std::string&>()) : *given;
    if (!options.is_object())
        throw Problem(Problem::Kind::bad_request,
                      std::string("options is ") + options.type_name() + ", an object is expected", "options");
    return options;
}

OwnAsk own_ask(Services& services, const Account& account, const Json& fields) {
    OwnAsk made;
    work::Ask& ask = made.ask;
    OwnWanted& wanted = made.wanted;
    ask.texts = own_texts(fields, "text").values;
    ask.to = own_needed(fields, "to");
    ask.from = text(fields, "from", "auto");
    ask.model = text(fields, "model");
    ask.context = text(fields, "context");
    ask.markup = own_markup(fields);
    wanted.alternatives = ask.alternatives =
        std::uint32_t(integer_between(fields, "alternatives", 0, 0, services.translations.options().most_alternatives));
    ask.scores = wanted.scores = flag(fields, "scores", false);
    ask.quality = wanted.quality = flag(fields, "quality", false);
    ask.coverage = wanted.coverage = flag(fields, "coverage", false);
    ask.alignment = wanted.alignment = flag(fields, "alignment", false);
    ask.tokens = wanted.tokens = flag(fields, "tokens", false);
    ask.priority = std::int32_t(integer_between(fields, "priority", 0, -kOwnMostPriority, kOwnMostPriority));
    wanted.markup = ask.markup != DRAGOMAN_MARKUP_NONE;
    wanted.unit = own_unit(fields);
    const bool implied = ask.scores || ask.quality || ask.coverage || ask.alignment || ask.tokens;
    wanted.sentences = flag(fields, "sentences", implied) || implied;
    ask.options = own_options(fields);
    if (const Json* glossary = find(fields, "glossary")) own_add_terms(services, account, *glossary, made);
    if (has(fields, "memory")) {
        ask.memory = services.memories.open(account.owner, text(fields, "memory"));
        wanted.sentences = true;
    }
    return made;
}

}  // namespace serve::api
