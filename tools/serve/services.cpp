// SPDX-License-Identifier: Apache-2.0
#include "serve/services.h"

#include <exception>
#include <mutex>
#include <utility>
#include <variant>

#include "serve/fields.h"

namespace serve {
namespace {

// Runs what a handler does; problems become answers.
template <class Work>
void answered(http::Exchange& exchange, ErrorForm form, watch::Log& log, Work&& work) {
    try {
        work();
    } catch (const Problem& problem) {
        send_problem(exchange, problem, form);
    } catch (const std::exception& error) {
        log.write(watch::LogLevel::error, "a handler failed",
                  {{"request", exchange.request().id}, {"why", error.what()}});
        send_problem(exchange, Problem(Problem::Kind::failed, "the service failed; its log says why"), form);
    }
}

}  // namespace

void Services::translate(const Call& call, work::Ask ask, ErrorForm form, Done done) {
    std::uint64_t characters = 0;
    for (std::size_t i = 0; i < ask.texts.size(); ++i) {
        const std::size_t count = count_characters(ask.texts[i], "text " + std::to_string(i));
        const std::uint64_t most = call.account.max_characters;
        if (most > 0 && count > most)
            throw Problem(Problem::Kind::bad_request,
                          "Invalid request: request (" + std::to_string(count) + ") exceeds text limit (" +
                              std::to_string(most) + ")",
                          "characters");
        characters += count;
    }
    guard.charge(call.account, characters);
    if (log_texts) log.write(watch::LogLevel::info, "texts", {{"request", call.request().id}, {"texts", ask.texts}});
    auto shared = std::make_shared<Call>();
    shared->exchange = call.exchange;
    shared->parameters = call.parameters;
    shared->account = call.account;
    // `done` may translate again. Its ticket must not be replaced by this one, so it waits until this one has its place.
    auto placing = std::make_shared<std::mutex>();
    const std::lock_guard lock(*placing);
    auto finish = [this, shared, form, placing, done = std::move(done)](std::variant<work::Answer, Problem> outcome) {
        auto told = std::make_shared<std::variant<work::Answer, Problem>>(std::move(outcome));
        post([this, shared, form, placing, done, told] {
            { const std::lock_guard placed(*placing); }
            answered(*shared->exchange, form, log, [&] {
                if (const Problem* problem = std::get_if<Problem>(told.get())) throw *problem;
                done(*shared, std::get<work::Answer>(*told));
            });
        });
    };
    std::shared_ptr<work::Ticket> ticket = translations.translate(std::move(ask), std::move(finish));
    // The exchange keeps the ticket, and with it the translation, until it is answered.
    shared->exchange->on_gone([ticket] { ticket->cancel(); });
}

std::string Services::url_of(const std::string& path) const {
    return (public_url.empty() ? own_address : public_url) + path;
}

}  // namespace serve
