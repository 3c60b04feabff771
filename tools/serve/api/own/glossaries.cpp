// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "serve/api/own/ask.h"
#include "serve/api/own/kept.h"
#include "serve/ascii.h"
#include "serve/work/glossaries.h"
#include "serve/work/glossary_entries.h"

namespace serve::api {
namespace {

// {"from": "en", "to": "de", "entries": {...}, [[...]] or text in "format" tsv or csv}
work::Dictionary own_dictionary(const Json& given) {
    if (!given.is_object())
        throw Problem(Problem::Kind::bad_request,
                      std::string("dictionaries: one is ") + given.type_name() + ", an object is expected",
                      "dictionaries");
    work::Dictionary dictionary{in_small_letters(own_needed(given, "from")),
                                in_small_letters(own_needed(given, "to")),
                                {}};
    const Json* entries = find(given, "entries");
    if (!entries) throw Problem(Problem::Kind::missing, "entries is missing", "entries");
    if (entries->is_string()) {
        const std::string format = text(given, "format", "tsv");
        if (format != "tsv" && format != "csv")
            throw Problem(Problem::Kind::bad_request, "format is \"" + format + "\", \"tsv\" or \"csv\" is expected",
                          "format");
        dictionary.entries = work::read_entries(entries->get_ref<const std::string&>(), format == "csv");
    } else {
        // Through the text, so that it keeps the same rules.
        const auto pairs = own_entries(*entries, "entries");
        for (const auto& [source, target] : pairs)
            if ((source + target).find_first_of("\t\r\n") != std::string::npos)
                throw Problem(Problem::Kind::bad_request, "entries: a term has a tab or a line break", "entries");
        dictionary.entries = work::read_entries(work::write_tsv(pairs), false);
    }
    return dictionary;
}

// "dictionaries", or one in the fields themselves; none where there is neither.
std::vector<work::Dictionary> own_dictionaries(const Json& fields) {
    std::vector<work::Dictionary> made;
    const Json* list = find(fields, "dictionaries");
    if (!list) {
        if (has(fields, "entries")) made.push_back(own_dictionary(fields));
        return made;
    }
    if (!list->is_array())
        throw Problem(Problem::Kind::bad_request,
                      std::string("dictionaries is ") + list->type_name() + ", a list is expected", "dictionaries");
    for (const Json& given : *list) made.push_back(own_dictionary(given));
    return made;
}

Json own_glossary_json(const work::Glossary& glossary, bool entries) {
    Json json{{"id", glossary.id}, {"name", glossary.name}, {"created", own_time(glossary.created)}};
    json["dictionaries"] = Json::array();
    for (const work::Dictionary& dictionary : glossary.dictionaries) {
        Json one{{"from", dictionary.from}, {"to", dictionary.to}, {"count", dictionary.entries.size()}};
        if (entries) {
            one["entries"] = Json::array();
            for (const auto& [source, target] : dictionary.entries)
                one["entries"].push_back(Json::array({source, target}));
        }
        json["dictionaries"].push_back(std::move(one));
    }
    return json;
}

void own_add_glossary(work::Glossaries& glossaries, Call& call) {
    auto dictionaries = own_dictionaries(call.fields);
    if (dictionaries.empty()) throw Problem(Problem::Kind::missing, "dictionaries is missing", "dictionaries");
    const work::Glossary made = glossaries.add(call.account.owner, own_needed(call.fields, "name"),
                                               std::move(dictionaries));
    call.exchange->send(json_response(own_glossary_json(made, false), 201));
}

// PUT: the dictionaries that are given, and no others. PATCH: the others stay, and "merge" adds entries.
void own_change_glossary(work::Glossaries& glossaries, Call& call, bool replace) {
    const std::string& owner = call.account.owner;
    const std::string& id = call.parameters.at("id");
    auto given = own_dictionaries(call.fields);
    if (replace && given.empty()) throw Problem(Problem::Kind::missing, "dictionaries is missing", "dictionaries");
    const std::string name = text(call.fields, "name");
    const work::Glossary changed = replace ? glossaries.replace(owner, id, name, std::move(given))
                                           : glossaries.change(owner, id, name, std::move(given),
                                                               flag(call.fields, "merge", false));
    call.exchange->send(json_response(own_glossary_json(changed, false)));
}

}  // namespace

void add_own_glossaries(Router& router, const OwnParts& parts) {
    work::Glossaries& glossaries = parts.services.glossaries;
    router.add(own_route("POST", "/v1/glossaries", [&](Call& call) { own_add_glossary(glossaries, call); }));
    own_add_kept(router, "glossaries", glossaries, own_glossary_json);
    router.add(own_route("PUT", "/v1/glossaries/{id}",
                         [&](Call& call) { own_change_glossary(glossaries, call, true); }));
    router.add(own_route("PATCH", "/v1/glossaries/{id}",
                         [&](Call& call) { own_change_glossary(glossaries, call, false); }));
}

}  // namespace serve::api
