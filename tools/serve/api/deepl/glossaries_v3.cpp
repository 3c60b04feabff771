// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/api/deepl/glossary_form.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

Json deepl_v3_info(const work::Glossary& glossary) {
    Json dictionaries = Json::array();
    for (const work::Dictionary& dictionary : glossary.dictionaries)
        dictionaries.push_back(deepl_dictionary_info(dictionary));
    return {{"glossary_id", glossary.id},
            {"name", glossary.name},
            {"dictionaries", std::move(dictionaries)},
            {"creation_time", deepl_time(glossary.created)}};
}

// "dictionaries[0].source_lang", as forms of DeepL's library for JavaScript have it: a list of objects, by their numbers.
Json deepl_form_dictionaries(const Json& fields) {
    static constexpr std::string_view kBefore = "dictionaries[";
    std::map<std::uint32_t, Json> all;
    for (const auto& [name, value] : fields.items()) {
        if (!name.starts_with(kBefore)) continue;
        std::uint32_t number = 0;
        const char* const end = name.data() + name.size();
        const auto [rest, error] = std::from_chars(name.data() + kBefore.size(), end, number);
        const std::string_view field(rest, end);
        if (error != std::errc() || !field.starts_with("].") || field.size() == 2)
            throw Problem(Problem::Kind::bad_request, name + ": dictionaries[NUMBER].FIELD is expected",
                          "dictionaries");
        all[number][std::string(field.substr(2))] = value;
    }
    Json list = Json::array();
    for (auto& [number, dictionary] : all) list.push_back(std::move(dictionary));
    return list;
}

std::vector<work::Dictionary> deepl_v3_dictionaries(const Services& services, const Json& fields) {
    std::vector<work::Dictionary> dictionaries;
    const Json of_form = has(fields, "dictionaries") ? Json() : deepl_form_dictionaries(fields);
    const Json* given = of_form.is_null() ? find(fields, "dictionaries") : &of_form;
    if (!given->is_array())
        throw Problem(Problem::Kind::bad_request,
                      std::string("dictionaries is ") + given->type_name() + ", a list is expected", "dictionaries");
    for (const Json& each : *given) {
        if (!each.is_object())
            throw Problem(Problem::Kind::bad_request,
                          std::string("dictionaries has ") + each.type_name() + ", objects are expected",
                          "dictionaries");
        work::Dictionary dictionary = deepl_read_dictionary(services, each);
        for (const work::Dictionary& other : dictionaries)
            if (other.from == dictionary.from && other.to == dictionary.to)
                throw Problem(Problem::Kind::bad_request,
                              "dictionaries has " + other.from + " to " + other.to + " twice", "dictionaries");
        dictionaries.push_back(std::move(dictionary));
    }
    return dictionaries;
}

// The languages of the query.
struct DeeplPair {
    std::string from, to;
};
DeeplPair deepl_v3_pair(const Services& services, const Json& fields) {
    return {deepl_glossary_language(services, fields, "source_lang"),
            deepl_glossary_language(services, fields, "target_lang")};
}

const work::Dictionary& deepl_v3_find(const work::Glossary& glossary, const DeeplPair& pair) {
    const auto found = std::ranges::find_if(glossary.dictionaries, [&](const work::Dictionary& dictionary) {
        return dictionary.from == pair.from && dictionary.to == pair.to;
    });
    if (found == glossary.dictionaries.end())
        throw Problem(Problem::Kind::not_found,
                      "glossary " + glossary.id + " has no dictionary from " + pair.from + " to " + pair.to,
                      glossary.id);
    return *found;
}

void deepl_v3_create(Services& services, Call& call) {
    const std::string name = deepl_glossary_name(call.fields);
    std::vector<work::Dictionary> dictionaries = deepl_v3_dictionaries(services, call.fields);
    if (dictionaries.empty())
        throw Problem(Problem::Kind::missing, "Parameter 'dictionaries' not specified.", "dictionaries");
    call.exchange->send(
        json_response(deepl_v3_info(services.glossaries.add(call.account.owner, name, std::move(dictionaries))), 201));
}

void deepl_v3_list(Services& services, Call& call) {
    Json list = Json::array();
    for (const work::Glossary& glossary : services.glossaries.list(call.account.owner))
        list.push_back(deepl_v3_info(glossary));
    call.exchange->send(json_response({{"glossaries", std::move(list)}}));
}

// Entries are added to those of their pair.
void deepl_v3_change(Services& services, Call& call) {
    const std::string name = text(call.fields, "name");
    std::vector<work::Dictionary> dictionaries = deepl_v3_dictionaries(services, call.fields);
    if (name.empty() && dictionaries.empty())
        throw Problem(Problem::Kind::missing, "Neither 'name' nor 'dictionaries' specified.", "name");
    call.exchange->send(json_response(deepl_v3_info(services.glossaries.change(
        call.account.owner, call.parameters.at("id"), name, std::move(dictionaries), true))));
}

void deepl_v3_entries(Services& services, Call& call) {
    const DeeplPair pair = deepl_v3_pair(services, call.fields);
    const work::Glossary glossary = services.glossaries.get(call.account.owner, call.parameters.at("id"));
    Json dictionary{{"source_lang", pair.from},
                    {"target_lang", pair.to},
                    {"entries", work::write_tsv(deepl_v3_find(glossary, pair).entries)},
                    {"entries_format", "tsv"}};
    call.exchange->send(json_response({{"dictionaries", Json::array({std::move(dictionary)})}}));
}

void deepl_v3_replace(Services& services, Call& call) {
    const work::Dictionary dictionary = deepl_read_dictionary(services, call.fields);
    const work::Glossary changed = services.glossaries.change(call.account.owner, call.parameters.at("id"), "",
                                                              {dictionary}, false);
    call.exchange->send(json_response(deepl_dictionary_info(deepl_v3_find(changed, {dictionary.from, dictionary.to}))));
}

void deepl_v3_remove(Services& services, Call& call) {
    const DeeplPair pair = deepl_v3_pair(services, call.fields);
    services.glossaries.remove_dictionary(call.account.owner, call.parameters.at("id"), pair.from, pair.to);
    call.exchange->send(no_content());
}

}  // namespace

void deepl_add_glossaries_v3(Router& router, Services& services) {
    const auto add = [&](const char* method, const char* path, void (*handler)(Services&, Call&)) {
        deepl_add(router, {method, path, [&services, handler](Call& call) { handler(services, call); }});
    };
    add("POST", "/v3/glossaries", deepl_v3_create);
    add("GET", "/v3/glossaries", deepl_v3_list);
    add("PATCH", "/v3/glossaries/{id}", deepl_v3_change);
    add("GET", "/v3/glossaries/{id}/entries", deepl_v3_entries);
    add("PUT", "/v3/glossaries/{id}/dictionaries", deepl_v3_replace);
    add("DELETE", "/v3/glossaries/{id}/dictionaries", deepl_v3_remove);
    deepl_add(router,
              {"GET", "/v3/glossaries/{id}", [&services](Call& call) {
                   call.exchange->send(json_response(deepl_v3_info(services.glossaries.get(call.account.owner,
                                                                                           call.parameters.at("id")))));
               }});
    deepl_add(router, {"DELETE", "/v3/glossaries/{id}", [&services](Call& call) {
                           services.glossaries.remove(call.account.owner, call.parameters.at("id"));
                           call.exchange->send(no_content());
                       }});
}

}  // namespace serve::api
