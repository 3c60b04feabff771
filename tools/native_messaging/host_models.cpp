// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "native_messaging/host.h"
#include "native_messaging/offers.h"
#include "serve/work/published.h"

namespace native_messaging {
namespace {

constexpr std::chrono::milliseconds kTellEvery{100};  // of a download

}  // namespace

void Host::start(const Json& id, const ListModels& asked) {
    if (!asked.include_remote || options_.offline) return answer(id, list(false));
    network_.post([this, id] {
        try {
            answer(id, list(true));
        } catch (const std::exception& error) {
            fail(id, error.what());
        }
    });
}

Json Host::list(bool include_remote) const {
    Json models = Json::array();
    for (const serve::work::ModelInfo& model : models_.list())
        for (const Offer& offer : offers_of(model)) models.push_back(offer_json(offer));
    if (include_remote)
        for (const Offer& offer : published_offers([this] { return !ended_; }))
            if (!models_.find(offer.name)) models.push_back(offer_json(offer));
    return models;
}

void Host::start(const Json& id, const DownloadModel& asked) {
    if (const std::string name = name_and_target(asked.model).first; models_.find(name))
        return answer(id, {{"modelID", asked.model}});
    if (options_.offline) return fail(id, asked.model + " is not here, and --offline is set");
    if (!serve::work::is_published_name(asked.model)) return fail(id, asked.model + " is not known");
    network_.post([this, id, model = asked.model] {
        try {
            answer(id, download(id, model));
        } catch (const std::exception& error) {
            fail(id, error.what());
        }
    });
}

Json Host::download(const Json& id, const std::string& model) {
    auto told = std::chrono::steady_clock::time_point();
    const auto update = [&](std::uint64_t done, std::uint64_t total) {
        const auto now = std::chrono::steady_clock::now();
        if (now - told < kTellEvery && done != total) return !ended_;
        told = now;
        send({{"id", id}, {"update", true}, {"data", {{"id", model}, {"url", model}, {"read", done}, {"size", total}}}},
             false);
        return !ended_;
    };
    const std::vector<Offer> offers = offers_of(models_.add(model, update));
    return offers.empty() ? Json{{"modelID", model}} : offer_json(offers.front());
}

}  // namespace native_messaging
