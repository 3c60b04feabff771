// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "serve/work/glossaries.h"
#include "serve/work/memories.h"
#include "serve/work/models.h"
#include "serve/work/translations.h"

namespace serve::work {

class Flights;

// Somebody who waits for a translation.
struct Waiter {
    std::recursive_mutex mutex;  // held while `on_event` runs, which may cancel
    Translations::Done done;     // empty: it was told
    Translations::OnEvent on_event;
    bool cancelled = false;      // hears no more events
    Answer answer;               // all of it but the result
};

// A translation at work, for all who asked the same.
struct Flight {
    std::string from, to, model;      // the way
    std::string key;                  // all besides the texts that the result depends on
    std::vector<std::string> texts;
    dragoman::TranslateOptions options;  // without languages, glossary and memory
    std::uint32_t alternatives = 0;
    std::int32_t priority = 0;
    std::shared_ptr<const Terms> terms;
    std::shared_ptr<const Memory> memory;
    bool events = false, partial = false;  // for one who waits alone
    std::uint64_t bytes = 0;
    std::size_t hash = 0;

    std::mutex mutex;  // of what follows; nothing of the library is called with it
    std::vector<std::shared_ptr<Waiter>> waiters;
    std::shared_ptr<Way> way;
    std::vector<std::string> used;  // models of the way
    std::shared_ptr<dragoman::Job> job;
    bool ended = false;  // the job's last event was there
    int attempts = 0;
};

// Translations under way. Results are handed out on a thread of its own, so that no job waits for who reads them.
class Flights : public std::enable_shared_from_this<Flights> {
public:
    Flights(Models& models, const TranslationsOptions& options);
    ~Flights();
    void begin();  // when it is in a shared_ptr
    void end();    // cancels all and waits

    // Joins an equal one, or starts. Throws Problem (busy).
    void add(const std::shared_ptr<Flight>& flight, const std::shared_ptr<Waiter>& waiter);
    // Answers without a model.
    void answer(const std::shared_ptr<Waiter>& waiter);
    void cancel(const std::shared_ptr<Waiter>& waiter);
    void cancel_all();  // and waits until they have been told
    TranslationCounts counts() const;
    void refused();
    // Takes nothing more; false: the time was over.
    bool close(std::chrono::milliseconds limit);

private:
    using Outcome = std::variant<std::shared_ptr<const dragoman::Result>, Problem>;
    void admit(std::uint64_t bytes) const;  // with `mutex_` held
    void start(const std::shared_ptr<Flight>& flight);
    void submit(const std::shared_ptr<Flight>& flight, std::shared_ptr<Way> way);
    void on_event(const std::shared_ptr<Flight>& flight, const dragoman_event& event);
    void finish(const std::shared_ptr<Flight>& flight);
    void leave(const std::shared_ptr<Flight>& flight);  // nobody can join any more
    void hand_out(const std::shared_ptr<Flight>& flight, const Outcome& outcome);
    void tell(const std::shared_ptr<Waiter>& waiter, std::variant<Answer, Problem> answer);
    void post(std::function<void()> task);
    void work();
    int retry_after() const;  // with `mutex_` held

    Models& models_;
    const TranslationsOptions options_;
    std::unique_ptr<dragoman::TranslationMemory> cache_;
    mutable std::mutex mutex_;
    std::condition_variable changed_, idle_;
    std::unordered_multimap<std::size_t, std::shared_ptr<Flight>> joinable_;
    std::vector<std::shared_ptr<Flight>> all_;
    std::deque<std::function<void()>> tasks_;
    std::size_t waiting_ = 0, flying_ = 0;
    std::size_t telling_ = 0;  // callbacks that run; their places are free
    std::uint64_t waiting_bytes_ = 0;
    TranslationCounts counts_;
    std::deque<std::chrono::steady_clock::time_point> ended_;  // the last ones that were told
    bool closed_ = false, stopping_ = false;
    std::thread thread_;
};

}  // namespace serve::work
