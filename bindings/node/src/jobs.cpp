// SPDX-License-Identifier: Apache-2.0
// Translations: jobs of the library, whose events come to JavaScript's thread.
#include <set>
#include <thread>

#include "addon.h"
#include "watch.h"

namespace addon {
namespace {

constexpr int32_t kResult = -1;  // kind of an event: of a job that is fed, some of its translations

// A copy of what a dragoman_event lends, or what came of a job that is fed.
struct Event {
    int32_t kind;
    float score = 0;
    std::size_t input = 0, sentence = 0, done = 0, total = 0;
    dragoman_range source{};
    std::string text;
    std::vector<std::string> tokens;
    Shared<dragoman_result> result;
    std::optional<Failure> failed;

    explicit Event(int32_t which) : kind(which) {}

    explicit Event(const dragoman_event& event)
        : kind(event.kind), score(event.score), input(event.input), sentence(event.sentence), done(event.done),
          total(event.total), source(event.source), text(event.text.data ? event.text.data : "", event.text.size) {
        for (std::size_t i = 0; i < event.tokens.count; ++i)
            tokens.emplace_back(event.tokens.data[i].data, event.tokens.data[i].size);
    }
};

struct Job {
    Shared<dragoman_translator> translator;
    dragoman_job* job = nullptr;
    napi_threadsafe_function events = nullptr;
    bool fed = false;
    std::thread results;  // of a job that is fed: hands them over, and its end
    Shared<Job> self;     // until Node has ended the queue of its events

    ~Job() {
        leave();
        dragoman_job_destroy(job);
    }
    // Nothing comes any more when this returns.
    void leave() {
        if (job) dragoman_job_cancel(job);
        if (job) dragoman_job_wait(job, -1, nullptr);
        if (results.joinable()) results.join();
    }
    void post(std::unique_ptr<Event> event) {
        if (napi_call_threadsafe_function(events, event.get(), napi_tsfn_nonblocking) == napi_ok) event.release();
    }
};

// Jobs of one program or worker whose end was not delivered, and other long work. They have to stop before it ends: it
// takes the event queue away, and the process whatever else the translator's thread needs.
struct Running {
    std::set<Job*> jobs;
    std::set<std::shared_ptr<Watch>> watches;

    void leave() {
        for (Job* job : jobs) dragoman_job_cancel(job->job);
        for (const auto& watch : watches) watch->stop();
        for (Job* job : jobs) job->leave();
        for (const auto& watch : watches) watch->wait();
    }
};

Running& running(napi_env env) {
    void* data = nullptr;
    check(env, napi_get_instance_data(env, &data));
    return *static_cast<Running*>(data);
}

// At the end of a worker, and of a program whose work is done; before Node ends the event queue.
void leave_job(void* data) { static_cast<Job*>(data)->leave(); }

void leave_watch(void* data) {
    auto* watch = static_cast<Watch*>(data);
    watch->stop();
    watch->wait();
}

// leave(): for process.exit() and uncaught exceptions, which skip the above
napi_value leave(napi_env env, napi_callback_info) {
    return guard(env, [&] {
        running(env).leave();
        return undefined(env);
    });
}

// On the translator's thread.
void on_event(const dragoman_event* event, void* user) {
    auto* job = static_cast<Job*>(user);
    const bool last = event->kind == DRAGOMAN_EVENT_END;
    job->post(std::make_unique<Event>(*event));
    if (last) napi_release_threadsafe_function(job->events, napi_tsfn_release);
}

// The thread of a job that is fed.
void hand_results(Job& job) {
    for (;;) {
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_job_next_result(job.job, -1, &result);
        auto event = std::make_unique<Event>(result ? kResult : DRAGOMAN_EVENT_END);
        if (result) event->result = own(result);
        if (status != DRAGOMAN_OK) event->failed = failure(status);
        job.post(std::move(event));
        if (!result) break;
    }
    napi_release_threadsafe_function(job.events, napi_tsfn_release);
}

void set_end(napi_env env, napi_value value, const Event& event, Job& job) {
    set(env, value, "kind", string(env, std::string_view("end")));
    if (event.failed) set(env, value, "error", error(env, *event.failed));
    if (job.fed) return;
    dragoman_result* result = nullptr;
    const dragoman_status status = dragoman_job_take_result(job.job, &result);
    if (status == DRAGOMAN_OK) {
        set(env, value, "result", external(env, own(result)));
    } else {
        set(env, value, "error", error(env, failure(status)));
    }
}

napi_value event_value(napi_env env, Event& event, Job& job) {
    const napi_value value = object(env);
    if (event.kind == DRAGOMAN_EVENT_END) {
        set_end(env, value, event, job);
        return value;
    }
    if (event.kind == kResult) {
        set(env, value, "kind", string(env, std::string_view("result")));
        set(env, value, "result", external(env, std::move(event.result)));
        return value;
    }
    const bool partial = event.kind == DRAGOMAN_EVENT_PARTIAL;
    set(env, value, "kind", string(env, std::string_view(partial ? "partial" : "sentence")));
    set(env, value, "input", number(env, static_cast<double>(event.input)));
    set(env, value, "sentence", number(env, static_cast<double>(event.sentence)));
    set(env, value, "sourceBegin", number(env, static_cast<double>(event.source.begin)));
    set(env, value, "sourceEnd", number(env, static_cast<double>(event.source.end)));
    set(env, value, "text", string(env, event.text));
    napi_value tokens;
    check(env, napi_create_array_with_length(env, event.tokens.size(), &tokens));
    for (std::size_t i = 0; i < event.tokens.size(); ++i)
        check(env, napi_set_element(env, tokens, static_cast<uint32_t>(i), string(env, event.tokens[i])));
    set(env, value, "tokens", tokens);
    set(env, value, "score", number(env, event.score));
    set(env, value, "done", number(env, static_cast<double>(event.done)));
    set(env, value, "total", number(env, static_cast<double>(event.total)));
    return value;
}

// On JavaScript's thread.
void deliver(napi_env env, napi_value callback, void* context, void* data) {
    const std::unique_ptr<Event> event(static_cast<Event*>(data));
    auto* job = static_cast<Job*>(context);
    if (!env) return;  // the program ends
    guard(env, [&] {
        if (event->kind == DRAGOMAN_EVENT_END) {
            napi_remove_env_cleanup_hook(env, leave_job, job);
            running(env).jobs.erase(job);
        }
        napi_value value = event_value(env, *event, *job);
        napi_value receiver = undefined(env), result;
        check(env, napi_call_function(env, receiver, callback, 1, &value, &result));
        return nullptr;
    });
}

void forget(napi_env, void* data, void*) { const Shared<Job> last = std::move(static_cast<Job*>(data)->self); }

struct JobHolder : Holder {
    static constexpr std::string_view kName = "job";
    std::weak_ptr<Job> job;
    explicit JobHolder(const Shared<Job>& shared) : Holder(kName), job(shared) {}
};

// submit(translator, texts or null, sources or null, prefixes or null, options, job options, on event): a job
napi_value submit(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<7> arguments(env, info);
        const Shared<Job> job = std::make_shared<Job>();
        job->translator = handle<dragoman_translator>(env, arguments[0]);
        const TranslateOptions options(env, arguments[4]);
        Sequences prefixes;
        if (!absent(env, arguments[3])) prefixes = Sequences(env, arguments[3], "prefixes");

        dragoman_job_options job_options;
        check(dragoman_job_options_init(&job_options));
        job_options.on_event = on_event;
        job_options.user = job.get();
        job->fed = !absent(env, get(env, arguments[5], "fed"));
        job_options.fed = job->fed;
        job_options.events = static_cast<uint32_t>(read_number(env, get(env, arguments[5], "events"), "events"));
        if (!job->fed) job_options.events |= DRAGOMAN_EVENTS_END;
        job_options.priority =
            static_cast<int32_t>(integer(env, get(env, arguments[5], "priority"), "priority", INT32_MIN, INT32_MAX));

        const napi_value name = string(env, std::string_view("dragoman"));
        check(env, napi_create_threadsafe_function(env, arguments[6], nullptr, name, 0, 1, job.get(), forget, job.get(),
                                                   deliver, &job->events));
        job->self = job;
        const auto require_pairs = [&](std::size_t count) {
            if (prefixes.size() != 0 && prefixes.size() != count)
                throw Failure{"invalid_argument", "prefixes: " + std::to_string(prefixes.size()) + " for " +
                                                      std::to_string(count) + " inputs"};
        };
        try {
            if (!absent(env, arguments[1])) {
                const Texts texts(env, arguments[1], "texts");
                require_pairs(texts.size());
                check(dragoman_submit_texts(job->translator.get(), texts.data(), texts.size(), prefixes.data(),
                                            &options.value, &job_options, &job->job));
            } else {
                const Sequences sources(env, arguments[2], "sources");
                require_pairs(sources.size());
                check(dragoman_submit_tokens(job->translator.get(), sources.data(), sources.size(), prefixes.data(),
                                             &options.value, &job_options, &job->job));
            }
        } catch (...) {
            napi_release_threadsafe_function(job->events, napi_tsfn_abort);
            throw;
        }
        if (job->fed) job->results = std::thread([&job = *job] { hand_results(job); });
        check(env, napi_add_env_cleanup_hook(env, leave_job, job.get()));
        running(env).jobs.insert(job.get());
        auto made = std::make_unique<JobHolder>(job);
        napi_value value;
        check(env, napi_create_external(
                       env, static_cast<Holder*>(made.get()),
                       [](napi_env, void* data, void*) { delete static_cast<Holder*>(data); }, nullptr, &value));
        made.release();
        return value;
    });
}

// Empty for one that has ended.
Shared<Job> read_job(napi_env env, napi_value value) {
    void* data = nullptr;
    if (type_of(env, value) != napi_external) wrong_type("job", "a job");
    check(env, napi_get_value_external(env, value, &data));
    if (static_cast<Holder*>(data)->name != JobHolder::kName) wrong_type("job", "a job");
    return static_cast<JobHolder*>(static_cast<Holder*>(data))->job.lock();
}

// cancel(job): nothing happens to one that has ended
napi_value cancel(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Shared<Job> job = read_job(env, Arguments<1>(env, info)[0]);
        if (job && job->job) check(dragoman_job_cancel(job->job));
        return undefined(env);
    });
}

// hold(job, whether): whether its events keep the program alive, as they do at first
napi_value hold(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        bool whether = false;
        check(env, napi_get_value_bool(env, arguments[1], &whether));
        if (const Shared<Job> job = read_job(env, arguments[0])) {
            const auto function = whether ? napi_ref_threadsafe_function : napi_unref_threadsafe_function;
            check(env, function(env, job->events));
        }
        return undefined(env);
    });
}

// feed(job, texts, prefixes or undefined): how many of the texts it took
napi_value feed(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        const Texts texts(env, arguments[1], "texts");
        const Sequences prefixes = absent(env, arguments[2]) ? Sequences() : Sequences(env, arguments[2], "prefixes");
        std::size_t taken = 0;
        if (const Shared<Job> job = read_job(env, arguments[0]))
            check(dragoman_job_feed_texts(job->job, texts.data(), texts.size(), prefixes.data(), 0, &taken));
        return number(env, static_cast<double>(taken));
    });
}

// finish(job): it gets no more
napi_value finish(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        if (const Shared<Job> job = read_job(env, Arguments<1>(env, info)[0])) check(dragoman_job_finish(job->job));
        return undefined(env);
    });
}

}  // namespace

void enter(napi_env env, const std::shared_ptr<Watch>& watch) {
    check(env, napi_add_env_cleanup_hook(env, leave_watch, watch.get()));
    running(env).watches.insert(watch);
}

void leave(napi_env env, const std::shared_ptr<Watch>& watch) {
    napi_remove_env_cleanup_hook(env, leave_watch, watch.get());
    running(env).watches.erase(watch);
}

void add_jobs(napi_env env, napi_value exports) {
    add(env, exports, "submit", submit);
    add(env, exports, "cancel", cancel);
    add(env, exports, "hold", hold);
    add(env, exports, "feed", feed);
    add(env, exports, "finish", finish);
    add(env, exports, "leave", leave);
    auto data = std::make_unique<Running>();
    check(env, napi_set_instance_data(
                   env, data.get(), [](napi_env, void* data, void*) { delete static_cast<Running*>(data); }, nullptr));
    data.release();
}

}  // namespace addon
