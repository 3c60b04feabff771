// SPDX-License-Identifier: Apache-2.0
#include "native_messaging/offers.h"

#include <fmt/format.h>

#include <cstdio>

#ifndef DRAGOMAN_WITHOUT_MODELS
#include <dragoman/models.hpp>
#endif

namespace native_messaging {
namespace {

constexpr char kBeforeTarget = '#';

}  // namespace

std::vector<Offer> offers_of(const serve::work::ModelInfo& model) {
    std::vector<Offer> offers;
    for (const dragoman::Language& to : model.to) {
        Offer offer{model.name, model.name, to.tag, to.name, {}, true};
        if (model.to.size() > 1) offer.id += kBeforeTarget + to.tag;
        for (const dragoman::Language& from : model.from)
            if (from.tag != to.tag) offer.from.emplace_back(from.tag, from.name);
        if (!offer.from.empty()) offers.push_back(std::move(offer));
    }
    return offers;
}

Json offer_json(const Offer& offer) {
    std::string sources;
    Json tags = Json::object();
    for (const auto& [tag, name] : offer.from) {
        sources += (sources.empty() ? "" : ", ") + name;
        tags[tag] = name;
    }
    return {{"id", offer.id},
            {"shortname", offer.id},
            {"modelName", fmt::format("{} - {} ({})", sources, offer.to_name, offer.name)},
            {"src", sources},
            {"trg", offer.to_name},
            {"srcTags", std::move(tags)},
            {"trgTag", offer.to},
            {"type", "tiny"},
            {"repository", "dragoman"},
            {"local", offer.local}};
}

std::pair<std::string, std::string> name_and_target(const std::string& id) {
    const std::size_t at = id.rfind(kBeforeTarget);
    if (at == std::string::npos) return {id, ""};
    return {id.substr(0, at), id.substr(at + 1)};
}

#ifndef DRAGOMAN_WITHOUT_MODELS

std::vector<Offer> published_offers(const std::function<bool()>& goes_on) {
    dragoman::ModelsOptions options;
    options.registries = {"firefox", "translatelocally"};  // small ones, which fit beside a browser
    options.progress = [&](const dragoman_download&) { return goes_on(); };
    const dragoman::ModelList found = dragoman::search_models("", "", options);
    if (const std::string problems = found.problems(); !problems.empty()) fmt::print(stderr, "{}\n", problems);
    std::vector<Offer> offers;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const dragoman_published_model& model = found[i];
        const std::string from = model.from, to = model.to;
        if (from.empty() || to.empty() || (from + to).find(',') != std::string::npos) continue;
        offers.push_back({model.name, model.name, to, to, {{from, from}}, false});
    }
    return offers;
}

#else

std::vector<Offer> published_offers(const std::function<bool()>&) { return {}; }

#endif

}  // namespace native_messaging
