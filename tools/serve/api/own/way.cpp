// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/way.h"

#include <utility>
#include <variant>

namespace serve::api {
namespace {

struct OwnChoice {
    std::string from, to, model;
};

// A language of a model other than `not_this`, where it has one.
std::string own_first(Services& services, const std::vector<dragoman::Language>& languages,
                      const std::string& not_this) {
    std::string found;
    for (const dragoman::Language& language : languages) {
        const std::string tag = services.models.language(language.tag);
        if (tag.empty()) continue;
        if (tag != not_this) return tag;
        found = tag;
    }
    return found;
}

OwnChoice own_choice(Services& services, const Json& fields) {
    OwnChoice choice{text(fields, "from"), text(fields, "to"), text(fields, "model")};
    if (!choice.from.empty()) choice.from = services.language(choice.from);
    if (!choice.to.empty()) choice.to = services.language(choice.to);
    if (!choice.from.empty() && !choice.to.empty()) return choice;
    for (const work::ModelInfo& model : services.models.list()) {
        if (!choice.model.empty() && model.name != choice.model) continue;
        choice.model = model.name;
        if (choice.from.empty()) choice.from = own_first(services, model.from, choice.to);
        if (choice.to.empty()) choice.to = own_first(services, model.to, choice.from);
        return choice;
    }
    throw Problem(Problem::Kind::not_found,
                  choice.model.empty() ? "the service has no model" : "there is no model " + choice.model, "model");
}

void own_work(const Services& services, http::Exchange& exchange, const work::Way& way, const OwnWork& work) {
    services.answered(exchange, own_error, [&] {
        if (exchange.gone()) return;
        if (way.loaded.size() != 1)
            throw Problem(Problem::Kind::unsupported_pair, "there is no single model for these languages");
        try {
            exchange.send(json_response(work(way)));
        } catch (const dragoman::Error& error) {
            throw own_problem(error);
        }
    });
}

}  // namespace

void own_with_model(const OwnParts& parts, Call& call, OwnWork work) {
    Services& services = parts.services;
    const OwnChoice choice = own_choice(services, call.fields);
    services.models.way(choice.from, choice.to, choice.model,
                        [&services, exchange = call.exchange, worker = std::weak_ptr(parts.worker),
                         work = std::move(work)](std::variant<std::shared_ptr<work::Way>, Problem> found) {
                            if (const Problem* problem = std::get_if<Problem>(&found))
                                return send_problem(*exchange, *problem, own_error);
                            const auto alive = worker.lock();
                            if (!alive) return;
                            try {
                                alive->post([&services, exchange, work,
                                             way = std::get<std::shared_ptr<work::Way>>(found)] {
                                    own_work(services, *exchange, *way, work);
                                });
                            } catch (const Problem& problem) {
                                send_problem(*exchange, problem, own_error);
                            }
                        });
}

}  // namespace serve::api
