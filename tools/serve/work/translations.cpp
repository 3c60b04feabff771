// SPDX-License-Identifier: Apache-2.0
#include "serve/work/translations.h"

#include <algorithm>
#include <optional>
#include <set>

#include "serve/ascii.h"
#include "serve/work/decoding.h"
#include "serve/work/detection.h"
#include "serve/work/flight.h"

namespace serve::work {
namespace {

// Cancels when nobody holds it any more.
class OwnTicket : public Ticket {
public:
    OwnTicket(std::weak_ptr<Flights> flights, std::shared_ptr<Waiter> waiter)
        : flights_(std::move(flights)), waiter_(std::move(waiter)) {}
    ~OwnTicket() override { cancel(); }
    void cancel() override {
        if (const auto flights = flights_.lock()) flights->cancel(waiter_);
    }

private:
    std::weak_ptr<Flights> flights_;
    std::shared_ptr<Waiter> waiter_;
};

std::uint64_t characters_of(std::string_view text) {
    return static_cast<std::uint64_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

// Number of characters of all texts; throws where a text is no UTF-8 or too long.
std::uint64_t check_texts(const std::vector<std::string>& texts, const TranslationsOptions& options) {
    if (texts.size() > options.most_texts)
        throw Problem(Problem::Kind::too_large, std::to_string(texts.size()) + " texts; at most " +
                                                    std::to_string(options.most_texts) + " are taken at a time");
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t whole = dragoman_utf8_prefix(texts[i].data(), texts[i].size());
        if (whole < texts[i].size())
            throw Problem(Problem::Kind::bad_request,
                          "text " + std::to_string(i + 1) + ": invalid UTF-8 at byte " + std::to_string(whole));
        const std::uint64_t here = characters_of(texts[i]);
        if (options.most_characters && here > options.most_characters)
            throw Problem(Problem::Kind::too_large, "text " + std::to_string(i + 1) + ": " + std::to_string(here) +
                                                        " characters; at most " +
                                                        std::to_string(options.most_characters) + " are taken");
        sum += here;
    }
    return sum;
}

constexpr std::size_t kMostMarkup = 65536;  // of each text, which tells its language as well as all of it

// What a reader of markup sees of it, about: names of elements are no words of a language.
std::vector<std::string> without_tags(const std::vector<std::string>& texts) {
    std::vector<std::string> plain;
    for (const std::string& text : texts) {
        std::string& out = plain.emplace_back();
        bool inside = false;
        for (const char c : std::string_view(text).substr(0, kMostMarkup)) {
            if (c == '<') inside = true;
            if (!inside) out += c;
            if (c == '>' && inside) inside = false, out += ' ';
        }
        out.resize(dragoman_utf8_prefix(out.data(), out.size()));  // the last character may have been cut
    }
    return plain;
}

std::string served(const Models& models, const std::string& given) {
    std::string tag = models.language(given);
    if (!tag.empty()) return tag;
    const bool is_text = given.size() <= 64 && dragoman_utf8_prefix(given.data(), given.size()) == given.size();
    const std::string shown = is_text ? given : "the language";
    throw Problem(Problem::Kind::unsupported_language, shown + " is not supported", shown);
}

bool is_auto(const std::string& given) { return given.empty() || in_small_letters(given) == "auto"; }

// Fills in `from` and what it was found by. False: nothing in the texts tells it.
bool find_source(const Models& models, const Ask& ask, Answer& answer) {
    answer.detected = true;
    const bool plain = ask.markup == DRAGOMAN_MARKUP_NONE;
    const std::vector<Guess> guesses = detect(models, plain ? ask.texts : without_tags(ask.texts));
    if (const std::optional<Guess> best = source_of(models, guesses, answer.to)) {
        answer.from = best->tag;
        answer.confidence = best->confidence;
        return true;
    }
    if (!guesses.empty())
        throw Problem(Problem::Kind::unsupported_pair,
                      "no model leads from " + guesses.front().tag + ", which was detected, to " + answer.to,
                      guesses.front().tag + "-" + answer.to);
    answer.from = answer.to;
    for (const ServedLanguage& language : models.languages())
        if (language.tag != answer.to && models.translates(language.tag, answer.to)) {
            answer.from = language.tag;
            break;
        }
    return false;
}

std::shared_ptr<Flight> flight_of(Ask&& ask, const Answer& answer, const TranslationsOptions& limits, bool events) {
    auto flight = std::make_shared<Flight>();
    flight->from = answer.from;
    flight->to = answer.to;
    flight->model = ask.model;
    if (ask.alternatives > limits.most_alternatives)
        throw Problem(Problem::Kind::bad_request,
                      "alternatives: " + std::to_string(ask.alternatives) + "; at most " +
                          std::to_string(limits.most_alternatives) + " are given",
                      "alternatives");
    dragoman::TranslateOptions& options = flight->options;
    options.discard_tokens = !ask.tokens;
    set_options(ask.options, options, limits.most_alternatives + 1);
    if (ask.alternatives > 0) options.num_hypotheses = std::max(options.num_hypotheses, ask.alternatives + 1);
    options.markup = ask.markup;
    options.return_scores |= ask.scores;
    options.return_quality |= ask.quality;
    options.return_coverage |= ask.coverage;
    options.return_alignment |= ask.alignment;
    flight->alternatives = options.num_hypotheses - 1;
    flight->priority = ask.priority;
    flight->terms = std::move(ask.terms);
    flight->memory = std::move(ask.memory);
    flight->events = events;
    flight->partial = events && ask.partial;
    const auto add = [&](const std::string& part) { flight->key += std::to_string(part.size()) + ':' + part; };
    for (const std::string& part : {flight->from, flight->to, flight->model, ask.context}) add(part);
    add(ask.options.dump(-1, ' ', false, Json::error_handler_t::replace));
    for (const auto number : {std::int64_t(ask.markup), std::int64_t(ask.alternatives), std::int64_t(ask.priority),
                              std::int64_t(ask.scores), std::int64_t(ask.quality), std::int64_t(ask.coverage),
                              std::int64_t(ask.alignment), std::int64_t(ask.tokens)})
        add(std::to_string(number));
    add(flight->terms ? flight->terms->key() : std::string());
    add(flight->memory ? flight->memory->id() : std::string());
    flight->texts = std::move(ask.texts);
    for (const std::string& text : flight->texts) flight->bytes += text.size() + sizeof text;
    return flight;
}

}  // namespace

std::size_t Answer::size() const { return result ? result->size() : copies.size(); }

std::string Answer::text(std::size_t input) const {
    return result ? std::string(result->text(input)) : copies.at(input);
}

std::vector<std::string> Answer::alternatives(std::size_t input) const {
    std::vector<std::string> others;
    if (!result) return others;
    const std::string_view best = result->text(input);
    for (std::size_t i = 1; i < result->hypotheses(input); ++i) {
        const std::string_view text = result->text(input, i);
        if (text != best && std::ranges::find(others, text) == others.end()) others.emplace_back(text);
    }
    return others;
}

struct Translations::Impl {
    Models& models;
    std::shared_ptr<Flights> flights;
};

Translations::Translations(Models& models, const TranslationsOptions& options)
    : options_(options), impl_(std::make_unique<Impl>(Impl{models, std::make_shared<Flights>(models, options)})) {
    impl_->flights->begin();
}

Translations::~Translations() { impl_->flights->end(); }

std::shared_ptr<Ticket> Translations::translate(Ask ask, Done done, OnEvent on_event) {
    auto waiter = std::make_shared<Waiter>();
    auto ticket = std::make_shared<OwnTicket>(impl_->flights, waiter);
    waiter->on_event = std::move(on_event);
    Answer& answer = waiter->answer;
    try {
        answer.characters = check_texts(ask.texts, options_);
        const Models& models = impl_->models;
        if (ask.to.empty()) throw Problem(Problem::Kind::missing, "the target language is missing", "to");
        answer.to = served(models, ask.to);
        bool tells = true;
        if (is_auto(ask.from)) tells = find_source(models, ask, answer);
        else answer.from = served(models, ask.from);
        const bool copied = !tells || answer.from == answer.to || ask.texts.empty();
        if (copied) answer.copies = ask.texts;
        auto flight = flight_of(std::move(ask), answer, options_, waiter->on_event != nullptr);
        waiter->done = std::move(done);
        if (copied) impl_->flights->answer(waiter);
        else impl_->flights->add(flight, waiter);
    } catch (const Problem&) {
        waiter->done = nullptr;
        impl_->flights->refused();
        throw;
    } catch (const dragoman::Error& error) {
        waiter->done = nullptr;
        impl_->flights->refused();
        throw Problem(Problem::Kind::bad_request, error.what());
    }
    return ticket;
}

TranslationCounts Translations::counts() const { return impl_->flights->counts(); }

void Translations::drain(std::chrono::milliseconds limit) {
    if (!impl_->flights->close(limit)) impl_->flights->cancel_all();
}

}  // namespace serve::work
