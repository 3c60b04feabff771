// SPDX-License-Identifier: Apache-2.0
#include "serve/services.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "serve/charge.h"
#include "serve/fields.h"

namespace serve {
namespace {

using Kind = Problem::Kind;

// In LibreTranslate's words, which say the same for numbers of texts and of characters.
void check_limit(std::uint64_t size, std::uint64_t limit, std::string_view field) {
    if (size > limit)
        throw Problem(Kind::bad_request,
                      fmt::format("Invalid request: request ({}) exceeds text limit ({})", size, limit),
                      std::string(field));
}

}  // namespace

std::uint64_t Services::check_texts(const Account& account, const std::vector<std::string>& texts,
                                    std::string_view field) const {
    if (max_texts >= 0 && texts.size() > 1) check_limit(texts.size(), std::uint64_t(max_texts), field);
    std::uint64_t characters = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string name = texts.size() == 1 ? std::string(field) : fmt::format("{}[{}]", field, i);
        const std::uint64_t count = count_characters(texts[i], name);
        if (account.max_characters > 0) check_limit(count, account.max_characters, field);
        characters += count;
    }
    return characters;
}

void Services::charge(const Call& call, const std::vector<std::string>& texts, std::string_view field) {
    call.charge->add(call.account, check_texts(call.account, texts, field));
    if (log_texts) log.write(watch::LogLevel::info, "texts", {{"request", call.request().id}, {"texts", texts}});
}

void Services::translate(const Call& call, work::Ask ask, ErrorForm form, Done done) {
    auto shared = std::make_shared<Call>();
    shared->exchange = call.exchange;
    shared->parameters = call.parameters;
    shared->account = call.account;
    shared->charge = call.charge;
    // `done` may translate again. Its ticket must not be replaced by this one, so it waits until this one has its
    // place.
    auto placing = std::make_shared<std::mutex>();
    const std::lock_guard lock(*placing);
    auto finish = [this, shared, form, placing, done = std::move(done)](std::variant<work::Answer, Problem> outcome) {
        auto told = std::make_shared<std::variant<work::Answer, Problem>>(std::move(outcome));
        post([this, shared, form, placing, done, told] {
            { const std::lock_guard placed(*placing); }
            answered(*shared->exchange, form, [&] {
                if (const Problem* problem = std::get_if<Problem>(told.get())) throw *problem;
                done(*shared, std::get<work::Answer>(*told));
            });
        });
    };
    std::shared_ptr<work::Ticket> ticket = translations.translate(std::move(ask), std::move(finish));
    // The exchange keeps the ticket, and with it the translation, until it is answered.
    shared->exchange->on_gone([ticket] { ticket->cancel(); });
}

void Services::answered(http::Exchange& exchange, ErrorForm form, const std::function<void()>& handler) const {
    try {
        handler();
    } catch (const Problem& problem) {
        send_problem(exchange, problem, form);
    } catch (const std::exception& error) {
        send_problem(exchange, failure(exchange.request().id, error), form);
    }
}

Problem Services::failure(const std::string& request, const std::exception& error) const {
    log.write(watch::LogLevel::error, "a handler failed", {{"request", request}, {"why", error.what()}});
    return Problem(Kind::failed, "the service failed; its log says why");
}

std::string Services::language(const std::string& given) const {
    std::string tag = models.language(given);
    if (tag.empty()) throw Problem(Kind::unsupported_language, given + " is not supported", given);
    return tag;
}

std::string Services::url_of(const std::string& path) const {
    return (public_url.empty() ? own_address : public_url) + path;
}

}  // namespace serve
