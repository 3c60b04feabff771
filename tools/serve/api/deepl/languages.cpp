// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

struct DeeplLanguage {
    std::string tag, name;
    bool source = false, target = false;
};

// Variants that DeepL's clients ask for. Where only the language is served, they mean that.
constexpr std::pair<const char*, const char*> kDeeplVariants[][2] = {
    {{"en-GB", "English (British)"}, {"en-US", "English (American)"}},
    {{"pt-BR", "Portuguese (Brazilian)"}, {"pt-PT", "Portuguese (European)"}},
};

bool deepl_translates(const work::ServedLanguage& language) {
    return std::ranges::any_of(language.targets, [&](const std::string& target) { return target != language.tag; });
}

// Sources are languages alone, targets as they are served, with the variants that clients insist on.
std::vector<DeeplLanguage> deepl_languages(const Services& services) {
    std::map<std::string, DeeplLanguage> found;
    const auto add = [&](const std::string& tag, const std::string& name) -> DeeplLanguage& {
        DeeplLanguage& language = found[tag];
        if (language.tag.empty()) language.tag = tag, language.name = name;
        return language;
    };
    std::set<std::string> targets;
    const std::vector<work::ServedLanguage> served = services.models.languages();
    for (const work::ServedLanguage& language : served)
        for (const std::string& target : language.targets)
            if (target != language.tag) targets.insert(target);
    for (const work::ServedLanguage& language : served) {
        if (deepl_translates(language)) add(deepl_base(language.tag), deepl_name(language.name)).source = true;
        if (targets.count(language.tag)) add(language.tag == "no" ? "nb" : language.tag, language.name).target = true;
    }
    for (const auto& variants : kDeeplVariants)
        if (targets.count(deepl_base(variants[0].first)))
            for (const auto& [tag, name] : variants) add(tag, name).target = true;
    std::vector<DeeplLanguage> list;
    for (auto& [tag, language] : found) list.push_back(std::move(language));
    return list;
}

void deepl_v2_languages(Services& services, Call& call) {
    const std::string type = text(call.fields, "type", "source");
    if (type != "source" && type != "target")
        throw Problem(Problem::Kind::bad_request, "Value for 'type' not supported: " + type + " (source, target)",
                      "type");
    Json list = Json::array();
    for (const DeeplLanguage& language : deepl_languages(services)) {
        if (!(type == "source" ? language.source : language.target)) continue;
        Json item{{"language", deepl_code(language.tag)}, {"name", language.name}};
        if (type == "target") item["supports_formality"] = false;
        list.push_back(std::move(item));
    }
    call.exchange->send(json_response(list));
}

void deepl_glossary_pairs(Services& services, Call& call) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const work::ServedLanguage& language : services.models.languages())
        for (const std::string& target : language.targets)
            if (deepl_base(target) != deepl_base(language.tag))
                pairs.emplace(deepl_base(language.tag), deepl_base(target));
    Json list = Json::array();
    for (const auto& [from, to] : pairs) list.push_back({{"source_lang", from}, {"target_lang", to}});
    call.exchange->send(json_response({{"supported_languages", std::move(list)}}));
}

struct DeeplFeature {
    const char* name;
    bool source, target;  // which of the two languages must have it
};
struct DeeplResource {
    const char* name;
    std::vector<DeeplFeature> features;
    bool served = true;
};

const std::vector<DeeplResource>& deepl_resources() {
    static const std::vector<DeeplResource> resources = {
        {"translate_text",
         {{"tag_handling", true, true},
          {"glossary", true, true},
          {"auto_detection", true, false},
          {"translation_memory", true, true}}},
        {"translate_document",
         {{"glossary", true, true}, {"auto_detection", true, false}, {"translation_memory", true, true}}},
        {"glossary", {}},
        {"translation_memory", {}},
        {"voice", {}, false},
        {"write", {}, false},
        {"style_rules", {}, false},
    };
    return resources;
}

void deepl_v3_resources(Call& call) {
    Json list = Json::array();
    for (const DeeplResource& resource : deepl_resources()) {
        if (!resource.served) continue;
        Json features = Json::array();
        for (const DeeplFeature& feature : resource.features) {
            Json item{{"name", feature.name}};
            if (feature.source) item["needs_source_support"] = true;
            if (feature.target) item["needs_target_support"] = true;
            features.push_back(std::move(item));
        }
        list.push_back({{"name", resource.name}, {"features", std::move(features)}});
    }
    call.exchange->send(json_response(list));
}

// Languages of a resource that is not served are none: an empty list.
void deepl_v3_languages(Services& services, Call& call) {
    const std::string name = text(call.fields, "resource", text(call.fields, "product"));
    if (name.empty()) throw Problem(Problem::Kind::missing, "Parameter 'resource' not specified.", "resource");
    const auto resource = std::ranges::find(deepl_resources(), name, &DeeplResource::name);
    if (resource == deepl_resources().end())
        throw Problem(Problem::Kind::bad_request, "Value for 'resource' not supported: " + name, "resource");
    Json list = Json::array();
    if (resource->served)
        for (const DeeplLanguage& language : deepl_languages(services)) {
            Json features = Json::object();
            for (const DeeplFeature& feature : resource->features)
                if ((feature.source && language.source) || (feature.target && language.target))
                    features[feature.name] = {{"status", "stable"}};
            list.push_back({{"lang", language.tag},
                            {"name", language.name},
                            {"usable_as_source", language.source},
                            {"usable_as_target", language.target},
                            {"status", "stable"},
                            {"features", std::move(features)}});
        }
    call.exchange->send(json_response(list));
}

}  // namespace

void deepl_add_languages(Router& router, Services& services) {
    const auto add = [&](const char* path, std::function<void(Call&)> handler) {
        for (const char* method : {"GET", "POST"})
            deepl_add(router, {method, path, handler, Access::key, Body::memory, false});
    };
    add("/v2/languages", [&services](Call& call) { deepl_v2_languages(services, call); });
    add("/v2/glossary-language-pairs", [&services](Call& call) { deepl_glossary_pairs(services, call); });
    add("/v3/languages/resources", [](Call& call) { deepl_v3_resources(call); });
    add("/v3/languages", [&services](Call& call) { deepl_v3_languages(services, call); });
}

}  // namespace serve::api
