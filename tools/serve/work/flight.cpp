// SPDX-License-Identifier: Apache-2.0
#include "serve/work/flight.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace serve::work {
namespace {

constexpr std::size_t kRemembered = 64;  // ends that tell how fast it goes

std::size_t hash_of(const Flight& flight) {
    std::size_t sum = std::hash<std::string>()(flight.key);
    for (const std::string& text : flight.texts) sum = sum * 1099511628211u + std::hash<std::string>()(text);
    return sum;
}

}  // namespace

Flights::Flights(Models& models, const TranslationsOptions& options) : models_(models), options_(options) {
    if (options.cache_bytes == 0) return;
    dragoman::MemoryOptions memory;
    memory.cache_bytes = options.cache_bytes;
    cache_ = std::make_unique<dragoman::TranslationMemory>(memory);
}

Flights::~Flights() = default;

void Flights::begin() {
    thread_ = std::thread([this] { work(); });
}

void Flights::cancel_all() {
    std::vector<std::shared_ptr<Waiter>> waiters;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& flight : all_) {
            const std::lock_guard inner(flight->mutex);
            waiters.insert(waiters.end(), flight->waiters.begin(), flight->waiters.end());
        }
    }
    for (const auto& waiter : waiters) cancel(waiter);
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return waiting_ == 0 && telling_ == 0; });
}

void Flights::end() {
    close(std::chrono::milliseconds(0));
    cancel_all();
    {
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [&] { return flying_ == 0 && waiting_ == 0 && telling_ == 0 && tasks_.empty(); });
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Flights::post(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
}

void Flights::work() {
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
        task = nullptr;
        const std::lock_guard lock(mutex_);
        if (tasks_.empty()) idle_.notify_all();
    }
}

int Flights::retry_after() const {
    if (ended_.size() < 2) return 1;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - ended_.front();
    const double rate = static_cast<double>(ended_.size()) / std::max(time.count(), 0.001);
    const double wait = static_cast<double>(waiting_) / 10 / rate;  // until a tenth of the queue is free
    return static_cast<int>(std::clamp(std::ceil(wait), 1.0, 5.0));
}

void Flights::admit(std::uint64_t bytes) const {
    if (closed_) throw Problem(Problem::Kind::busy, "the service ends", "", 5);
    const std::string now = std::to_string(waiting_) + " of " + std::to_string(options_.most_waiting) +
                            " translations wait, " + std::to_string(waiting_bytes_) + " of " +
                            std::to_string(options_.most_bytes) + " bytes";
    if (waiting_ >= options_.most_waiting || waiting_bytes_ + bytes > options_.most_bytes)
        throw Problem(Problem::Kind::busy, "the service is busy: " + now, "", retry_after());
}

void Flights::refused() {
    const std::lock_guard lock(mutex_);
    ++counts_.refused;
}

void Flights::add(const std::shared_ptr<Flight>& flight, const std::shared_ptr<Waiter>& waiter) {
    flight->hash = hash_of(*flight);
    {
        const std::lock_guard lock(mutex_);
        const auto [first, last] = joinable_.equal_range(flight->hash);
        const auto same = std::find_if(first, last, [&](const auto& other) {
            return !flight->events && other.second->key == flight->key && other.second->texts == flight->texts;
        });
        admit(same == last ? flight->bytes : 0);
        ++counts_.requests;
        counts_.texts += flight->texts.size();
        counts_.characters += waiter->answer.characters;
        ++waiting_;
        if (same != last) {
            const std::lock_guard inner(same->second->mutex);
            same->second->waiters.push_back(waiter);
            ++counts_.joined;
            return;
        }
        waiting_bytes_ += flight->bytes;
        ++flying_;
        flight->waiters.push_back(waiter);
        all_.push_back(flight);
        if (!flight->events) joinable_.emplace(flight->hash, flight);
    }
    start(flight);
}

void Flights::answer(const std::shared_ptr<Waiter>& waiter) {
    {
        const std::lock_guard lock(mutex_);
        admit(0);
        ++counts_.requests;
        counts_.texts += waiter->answer.copies.size();
        counts_.characters += waiter->answer.characters;
        ++waiting_;
    }
    post([this, waiter] { tell(waiter, waiter->answer); });
}

void Flights::leave(const std::shared_ptr<Flight>& flight) {
    const auto [first, last] = joinable_.equal_range(flight->hash);
    const auto at = std::find_if(first, last, [&](const auto& other) { return other.second == flight; });
    if (at != last) joinable_.erase(at);
}

void Flights::hand_out(const std::shared_ptr<Flight>& flight, const Outcome& outcome) {
    std::vector<std::shared_ptr<Waiter>> waiters;
    {
        const std::lock_guard lock(mutex_);
        leave(flight);
        std::erase(all_, flight);
        waiting_bytes_ -= flight->bytes;
        const std::lock_guard inner(flight->mutex);
        waiters.swap(flight->waiters);
    }
    for (const auto& waiter : waiters) {
        if (const auto* problem = std::get_if<Problem>(&outcome)) {
            tell(waiter, *problem);
            continue;
        }
        Answer answer = waiter->answer;
        answer.models = flight->used;
        answer.result = std::get<std::shared_ptr<const dragoman::Result>>(outcome);
        tell(waiter, std::move(answer));
    }
    const std::lock_guard lock(mutex_);
    --flying_;
    idle_.notify_all();
}

void Flights::tell(const std::shared_ptr<Waiter>& waiter, std::variant<Answer, Problem> answer) {
    Translations::Done done;
    {
        const std::lock_guard lock(waiter->mutex);
        done.swap(waiter->done);
    }
    if (!done) return;
    const auto* problem = std::get_if<Problem>(&answer);
    {
        const std::lock_guard lock(mutex_);
        if (problem) ++(problem->kind == Problem::Kind::cancelled ? counts_.cancelled : counts_.failed);
        ended_.push_back(std::chrono::steady_clock::now());
        if (ended_.size() > kRemembered) ended_.pop_front();
        --waiting_;  // who asks again at once has room
        ++telling_;
    }
    done(std::move(answer));
    done = nullptr;
    const std::lock_guard lock(mutex_);
    if (--telling_ == 0) idle_.notify_all();
}

void Flights::cancel(const std::shared_ptr<Waiter>& waiter) {
    {
        const std::lock_guard lock(waiter->mutex);
        if (!waiter->done) return;
        waiter->cancelled = true;
    }
    post([self = shared_from_this(), waiter] {
        std::shared_ptr<Flight> alone;
        {
            const std::lock_guard lock(self->mutex_);
            for (const auto& flight : self->all_) {
                const std::lock_guard inner(flight->mutex);
                if (std::erase(flight->waiters, waiter) == 0) continue;
                if (flight->waiters.empty()) alone = flight;
                break;
            }
            if (alone) self->leave(alone);
        }
        if (alone) {
            std::shared_ptr<dragoman::Job> job;
            {
                const std::lock_guard lock(alone->mutex);
                job = alone->job;
            }
            if (job) job->cancel();
        }
        self->tell(waiter, Problem(Problem::Kind::cancelled, "cancelled"));
    });
}

TranslationCounts Flights::counts() const {
    TranslationCounts counts;
    {
        const std::lock_guard lock(mutex_);
        counts = counts_;
        counts.waiting = waiting_;
        counts.waiting_bytes = waiting_bytes_;
    }
    if (cache_) counts.cache_hits = cache_->stats().hits;
    const dragoman_stats stats = models_.stats();
    counts.sentences = stats.sentences;
    counts.source_tokens = stats.source_tokens;
    counts.target_tokens = stats.target_tokens;
    return counts;
}

bool Flights::close(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    closed_ = true;
    return idle_.wait_for(lock, limit, [&] { return waiting_ == 0 && telling_ == 0; });
}

}  // namespace serve::work
