// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/api/deepl/glossary_form.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

Json deepl_v2_info(const work::Glossary& glossary) {
    Json info{{"glossary_id", glossary.id}, {"name", glossary.name}, {"ready", true}};
    info.update(deepl_dictionary_info(glossary.dictionaries.front()));
    info["creation_time"] = deepl_time(glossary.created);
    return info;
}

// v2 sees those of one pair only.
work::Glossary deepl_v2_get(Services& services, const Call& call) {
    work::Glossary glossary = services.glossaries.get(call.account.owner, call.parameters.at("id"));
    if (glossary.dictionaries.size() != 1)
        throw Problem(Problem::Kind::not_found,
                      fmt::format("glossary {} has {} dictionaries; /v3/glossaries has it", glossary.id,
                                  glossary.dictionaries.size()),
                      glossary.id);
    return glossary;
}

void deepl_v2_create(Services& services, Call& call) {
    const std::string name = deepl_glossary_name(call.fields);
    std::vector<work::Dictionary> dictionaries;
    dictionaries.push_back(deepl_read_dictionary(services, call.fields));
    const work::Glossary made = services.glossaries.add(call.account.owner, name, std::move(dictionaries));
    call.exchange->send(json_response(deepl_v2_info(made), 201));
}

void deepl_v2_list(Services& services, Call& call) {
    Json list = Json::array();
    for (const work::Glossary& glossary : services.glossaries.list(call.account.owner))
        if (glossary.dictionaries.size() == 1) list.push_back(deepl_v2_info(glossary));
    call.exchange->send(json_response({{"glossaries", std::move(list)}}));
}

void deepl_v2_entries(Services& services, Call& call) {
    http::Response response;
    response.content_type = "text/tab-separated-values; charset=utf-8";
    response.body = work::write_tsv(deepl_v2_get(services, call).dictionaries.front().entries);
    call.exchange->send(std::move(response));
}

}  // namespace

void deepl_add_glossaries(Router& router, Services& services) {
    deepl_add(router, {"POST", "/v2/glossaries", [&services](Call& call) { deepl_v2_create(services, call); }});
    deepl_add(router, {"GET", "/v2/glossaries", [&services](Call& call) { deepl_v2_list(services, call); }});
    deepl_add(router, {"GET", "/v2/glossaries/{id}", [&services](Call& call) {
                           call.exchange->send(json_response(deepl_v2_info(deepl_v2_get(services, call))));
                       }});
    deepl_add(router,
              {"GET", "/v2/glossaries/{id}/entries", [&services](Call& call) { deepl_v2_entries(services, call); }});
    deepl_add(router, {"DELETE", "/v2/glossaries/{id}", [&services](Call& call) {
                           services.glossaries.remove(call.account.owner, call.parameters.at("id"));
                           call.exchange->send(no_content());
                       }});
}

}  // namespace serve::api
