// SPDX-License-Identifier: Apache-2.0
// A flight's job: from the way that was found to what the library says of its end.
#include <algorithm>
#include <string>
#include <string_view>

#include "serve/work/flight.h"

namespace serve::work {
namespace {

Problem problem_of(const dragoman::Error& error) {
    switch (error.status()) {
        case DRAGOMAN_INVALID_ARGUMENT:
        case DRAGOMAN_UNSUPPORTED: return {Problem::Kind::bad_request, error.what()};
        case DRAGOMAN_CANCELLED: return {Problem::Kind::cancelled, "cancelled"};
        case DRAGOMAN_OUT_OF_MEMORY:
            return {Problem::Kind::failed, "the device has not enough memory for this translation", "", 5};
        case DRAGOMAN_DEVICE_LOST: return {Problem::Kind::failed, "the device was lost twice", "", 5};
        default: return {Problem::Kind::failed, "the translation failed"};
    }
}

// As many beams as hypotheses need, and not fewer than the model has by itself.
void widen_beam(const dragoman::Translator& translator, dragoman::TranslateOptions& options) {
    if (options.sampling == DRAGOMAN_SAMPLING_ON) return;
    std::uint32_t own = 4;
    try {
        dragoman::TranslateOptions plain;
        plain.beam_size = options.beam_size;
        const std::string key = translator.key(plain);
        constexpr std::string_view kName = "\nbeam_size\t";
        if (const std::size_t at = key.find(kName); at != key.npos)
            own = static_cast<std::uint32_t>(std::stoul(key.substr(at + kName.size())));
    } catch (const std::exception&) {  // routes have no key
    }
    options.beam_size = std::max(own, options.num_hypotheses);
}

}  // namespace

void Flights::start(const std::shared_ptr<Flight>& flight) {
    models_.way(flight->from, flight->to, flight->model,
                [self = shared_from_this(), flight](std::variant<std::shared_ptr<Way>, Problem> found) {
                    if (auto* problem = std::get_if<Problem>(&found))
                        self->post([self, flight, problem = *problem] { self->hand_out(flight, problem); });
                    else self->submit(flight, std::move(std::get<std::shared_ptr<Way>>(found)));
                });
}

void Flights::submit(const std::shared_ptr<Flight>& flight, std::shared_ptr<Way> way) {
    dragoman::TranslateOptions options = flight->options;
    options.source_language = way->from.c_str();
    options.target_language = way->to.c_str();
    options.glossary = flight->terms ? flight->terms->get() : nullptr;
    options.memory = flight->memory ? flight->memory->get() : cache_ ? cache_->get() : nullptr;
    dragoman::JobOptions job_options;
    job_options.priority = flight->priority;
    job_options.events = DRAGOMAN_EVENTS_END;
    if (flight->events) job_options.events |= DRAGOMAN_EVENTS_SENTENCE;
    if (flight->partial) job_options.events |= DRAGOMAN_EVENTS_PARTIAL;
    const std::vector<std::string_view> texts(flight->texts.begin(), flight->texts.end());
    bool over = false;
    {
        const std::lock_guard lock(flight->mutex);
        flight->way = way;
        flight->used = way->models;
        flight->ended = false;
        over = flight->waiters.empty();
    }
    try {
        if (over) throw dragoman::Error(DRAGOMAN_CANCELLED, "nobody waits for it");
        if (flight->alternatives > 0) widen_beam(*way->translator, options);
        auto job = std::make_shared<dragoman::Job>(way->translator->submit(
            texts, options,
            [self = shared_from_this(), flight](const dragoman_event& event) { self->on_event(flight, event); },
            job_options));
        const std::lock_guard lock(flight->mutex);
        flight->job = std::move(job);
        over = flight->waiters.empty();
    } catch (const dragoman::Error& error) {
        const bool lost = error.status() == DRAGOMAN_DEVICE_LOST && flight->attempts++ == 0;
        if (lost) models_.lost(*way);
        post([self = shared_from_this(), flight, lost, problem = problem_of(error)] {
            if (lost) self->start(flight);
            else self->hand_out(flight, problem);
        });
        return;
    }
    std::shared_ptr<dragoman::Job> job;
    bool ended = false;
    {
        const std::lock_guard lock(flight->mutex);
        ended = flight->ended;
        job = flight->job;
    }
    if (over && job) job->cancel();
    // Jobs go on the thread that hands out, never in a callback of theirs.
    post([self = shared_from_this(), flight, ended, job = std::move(job)] {
        if (ended) self->finish(flight);
    });
}

void Flights::on_event(const std::shared_ptr<Flight>& flight, const dragoman_event& event) {
    if (event.kind == DRAGOMAN_EVENT_END) {
        bool submitted = false;
        {
            const std::lock_guard lock(flight->mutex);
            flight->ended = true;
            submitted = flight->job != nullptr;
        }
        if (submitted) post([self = shared_from_this(), flight] { self->finish(flight); });
        return;
    }
    std::shared_ptr<Waiter> waiter;
    {
        const std::lock_guard lock(flight->mutex);
        if (flight->waiters.empty()) return;
        waiter = flight->waiters.front();
    }
    const Event told{event.kind == DRAGOMAN_EVENT_PARTIAL,
                     event.input,
                     event.sentence,
                     event.done,
                     event.total,
                     event.source.begin,
                     event.source.end,
                     dragoman::view(event.text),
                     event.score};
    const std::lock_guard lock(waiter->mutex);
    if (waiter->done && !waiter->cancelled && waiter->on_event) waiter->on_event(told);
}

void Flights::finish(const std::shared_ptr<Flight>& flight) {
    std::shared_ptr<dragoman::Job> job;
    std::shared_ptr<Way> way;
    {
        const std::lock_guard lock(flight->mutex);
        job = std::move(flight->job);
        way = std::move(flight->way);
        flight->job = nullptr;
    }
    if (!job) return;
    Outcome outcome = Problem(Problem::Kind::failed, "the translation failed");
    try {
        outcome = std::make_shared<const dragoman::Result>(job->get());
    } catch (const dragoman::Error& error) {
        outcome = problem_of(error);
        if (error.status() == DRAGOMAN_DEVICE_LOST && flight->attempts++ == 0) {
            models_.lost(*way);
            job = nullptr;
            return start(flight);
        }
    } catch (const std::exception&) {  // what a callback threw
    }
    job = nullptr;
    hand_out(flight, outcome);
}

}  // namespace serve::work
