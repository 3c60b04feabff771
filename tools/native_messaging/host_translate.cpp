// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "native_messaging/host.h"
#include "native_messaging/offers.h"

namespace native_messaging {

using serve::work::Answer;
using serve::work::Ask;

// A translation under way: of the text, or by the second of two models.
struct Host::Step {
    Json id;
    Translate asked;
    Ask ask;
    bool last = true;                           // no second model comes behind it
    std::shared_ptr<serve::work::Ticket> ticket;
};

void Host::start(const Json& id, const Translate& asked) {
    auto step = std::make_shared<Step>();
    step->id = id;
    step->asked = asked;
    step->ask = ask_of(asked);
    step->last = asked.pivot.empty();
    submit(std::move(step));
}

Ask Host::ask_of(const Translate& asked) const {
    Ask ask;
    ask.texts = {asked.text};
    ask.from = asked.from;
    ask.to = asked.to;
    if (asked.html) ask.markup = DRAGOMAN_MARKUP_HTML;
    ask.quality = asked.quality;
    ask.alignment = asked.alignments;
    if (!asked.model.empty()) name_languages(ask, asked.model);
    return ask;
}

// A model of this protocol leads from its languages to one.
void Host::name_languages(Ask& ask, const std::string& id) const {
    auto [name, target] = name_and_target(id);
    const auto model = models_.find(name);
    if (!model) throw std::runtime_error(fmt::format("model {} is not here", id));
    ask.model = name;
    for (const Offer& offer : offers_of(*model)) {
        if (!target.empty() ? offer.to != target : offer.id != id) continue;
        ask.to = offer.to;
        if (ask.from.empty()) ask.from = offer.from.size() == 1 ? offer.from.front().first : "auto";
        return;
    }
    if (ask.to.empty())
        throw std::runtime_error(fmt::format("model {} has several targets: {}#CODE names one", id, name));
}

void Host::submit(std::shared_ptr<Step> step) {
    {
        const std::lock_guard lock(mutex_);
        steps_[step.get()] = step;
    }
    const auto forget = [this](const Step* which) {
        std::shared_ptr<Step> gone;  // its ticket goes without the lock
        const std::lock_guard lock(mutex_);
        if (const auto found = steps_.find(which); found != steps_.end()) {
            gone = std::move(found->second);
            steps_.erase(found);
        }
        return gone;
    };
    const Step* key = step.get();
    try {
        auto ticket = translations_.translate(step->ask,
                                              [this, key, forget](std::variant<Answer, serve::Problem> told) {
                                                  const std::shared_ptr<Step> ended = forget(key);
                                                  try {
                                                      if (const auto* problem = std::get_if<serve::Problem>(&told))
                                                          fail(ended->id, problem->what());
                                                      else done(ended, std::get<Answer>(told));
                                                  } catch (const std::exception& error) {
                                                      fail(ended->id, error.what());
                                                  }
                                              });
        const std::lock_guard lock(mutex_);
        if (steps_.contains(key)) step->ticket = std::move(ticket);
    } catch (...) {
        forget(key);
        throw;
    }
}

void Host::done(const std::shared_ptr<Step>& step, const Answer& given) {
    if (!step->last) {
        auto next = std::make_shared<Step>();
        next->id = step->id;
        next->asked = step->asked;
        next->ask = step->ask;
        next->ask.texts = {given.text(0)};
        next->ask.from = given.to;
        next->ask.to.clear();
        name_languages(next->ask, step->asked.pivot);
        return submit(std::move(next));
    }
    Json data{{"target", {{"text", given.text(0)}}}};
    if (step->asked.quality && given.result) data["quality"] = given.result->quality(0);  // copies have neither
    if (step->asked.alignments && given.result) data["alignments"] = std::string(given.result->pharaoh(0));
    answer(step->id, std::move(data));
}

}  // namespace native_messaging
