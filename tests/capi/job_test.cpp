// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "text_model.h"

namespace job_test {

using namespace dragoman::test;

namespace {

using JobHandle = std::unique_ptr<dragoman_job, Destroyer<dragoman_job, dragoman_job_destroy>>;

dragoman_job_options job_options(dragoman_event_fn on_event = nullptr, void* user = nullptr) {
    dragoman_job_options options;
    require_ok(dragoman_job_options_init(&options));
    options.on_event = on_event;
    options.user = user;
    return options;
}

JobHandle submit(const TranslatorHandle& translator, const Sequences& sources,
                 const dragoman_job_options* how = nullptr, const dragoman_translate_options* options = nullptr) {
    dragoman_job* job = nullptr;
    require_ok(dragoman_submit_tokens(translator.get(), sources.data(), sources.size(), nullptr, options, how, &job));
    return JobHandle(job);
}

ResultHandle take(const JobHandle& job) {
    dragoman_result* result = nullptr;
    require_ok(dragoman_job_take_result(job.get(), &result));
    return ResultHandle(result);
}

dragoman_job_info poll(const JobHandle& job) {
    dragoman_job_info info;
    dragoman_job_info_init(&info);
    require_ok(dragoman_job_poll(job.get(), &info));
    return info;
}

// Collects what happens. doctest's checks stay on the test's thread.
struct Log {
    std::mutex mutex;
    std::vector<std::string> texts;
    std::vector<dragoman_range> sources;
    int ends = 0, wrong = 0;
    int32_t status = -1;
    std::string message;
    static void write(const dragoman_event* event, void* user) {
        auto& log = *static_cast<Log*>(user);
        const std::lock_guard lock(log.mutex);
        log.wrong += event->struct_size != sizeof *event || log.ends > 0;
        log.wrong += event->text.data == nullptr || event->text.data[event->text.size] != '\0';
        if (event->kind == DRAGOMAN_EVENT_END) {
            ++log.ends;
            log.status = event->status;
            log.message.assign(event->message.data, event->message.size);
        } else if (event->kind == DRAGOMAN_EVENT_SENTENCE) {
            log.texts.emplace_back(event->text.data, event->text.size);
            log.sources.push_back(event->source);
        } else {
            ++log.wrong;
        }
    }
};

// Keeps a translator's thread in a callback until it is opened.
struct Gate {
    std::promise<void> reached, open;
    static void hold(const dragoman_event*, void* user) {
        auto& gate = *static_cast<Gate*>(user);
        gate.reached.set_value();
        gate.open.get_future().wait();
    }
    JobHandle close(const TranslatorHandle& translator) {
        const dragoman_job_options how = job_options(hold, this);
        dragoman_job* job = nullptr;
        require_ok(dragoman_submit_tokens(translator.get(), nullptr, 0, nullptr, nullptr, &how, &job));
        reached.get_future().wait();
        return JobHandle(job);
    }
};

}  // namespace

TEST_CASE("jobs of tokens") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    const JobHandle job = submit(translator, Sequences{kSourceA, kSourceB});  // which are gone by the time it runs
    const ResultHandle result = take(job);
    CHECK(tokens_of(result, 0) == "a t z m o n");
    CHECK(tokens_of(result, 1) == "a z z a");
    const dragoman_job_info info = poll(job);
    CHECK(info.state == DRAGOMAN_JOB_DONE);
    CHECK(info.status == DRAGOMAN_OK);
    CHECK(info.done == 2);
    CHECK(info.total == 2);
    dragoman_result* again = reinterpret_cast<dragoman_result*>(1);
    check_error(dragoman_job_take_result(job.get(), &again), DRAGOMAN_INVALID_ARGUMENT, {"taken"});
    CHECK(again == nullptr);
    int32_t ended = 0;
    require_ok(dragoman_job_wait(job.get(), 0, &ended));
    CHECK(ended == 1);
}

TEST_CASE("jobs of texts, with their sentences as they come") {
    const TextModel files;
    const ModelHandle model = files.load();
    const TranslatorHandle translator = create_translator(model);
    const std::string text = "آتزمون\nآزا\nآتزمون";
    const dragoman_string given[] = {{text.data(), text.size()}, {nullptr, 0}};
    Log log;
    const dragoman_job_options how = job_options(Log::write, &log);
    dragoman_job* raw = nullptr;
    require_ok(dragoman_submit_texts(translator.get(), given, 2, nullptr, nullptr, &how, &raw));
    const JobHandle job(raw);
    const ResultHandle result = take(job);
    CHECK(text_of(result.get(), 0) == "atzmon\nazza\natzmon");
    CHECK(text_of(result.get(), 1).empty());
    CHECK(log.wrong == 0);
    CHECK(log.ends == 1);
    CHECK(log.status == DRAGOMAN_OK);
    REQUIRE(log.texts.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string source = text.substr(log.sources[i].begin, log.sources[i].end - log.sources[i].begin);
        CHECK(log.texts[i] == (source == "آزا" ? "azza" : "atzmon"));
    }
    CHECK(poll(job).total == 3);
}

TEST_CASE("only the events that were asked for") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    for (const uint32_t events : {0u, DRAGOMAN_EVENTS_END, DRAGOMAN_EVENTS_SENTENCE}) {
        Log log;
        dragoman_job_options how = job_options(Log::write, &log);
        how.events = events;
        take(submit(translator, Sequences{kSourceA}, &how));
        CHECK(log.texts.size() == (events == DRAGOMAN_EVENTS_SENTENCE));
        CHECK(log.ends == (events == DRAGOMAN_EVENTS_END));
    }
}

TEST_CASE("a job that is cancelled, or whose handle goes, ends; the next one works") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    Gate gate;
    const JobHandle blocker = gate.close(translator);
    Log cancelled_log, gone_log;
    dragoman_job_options how = job_options(Log::write, &cancelled_log);
    const JobHandle cancelled = submit(translator, Sequences{kSourceA}, &how);
    how.user = &gone_log;
    JobHandle gone = submit(translator, Sequences{kSourceA}, &how);
    const JobHandle next = submit(translator, Sequences{kSourceB});
    CHECK(poll(cancelled).state == DRAGOMAN_JOB_WAITING);
    int32_t ended = 1;
    require_ok(dragoman_job_wait(cancelled.get(), 1, &ended));
    CHECK(ended == 0);
    require_ok(dragoman_job_cancel(cancelled.get()));
    gone.reset();
    gate.open.set_value();
    dragoman_result* none = reinterpret_cast<dragoman_result*>(1);
    check_error(dragoman_job_take_result(cancelled.get(), &none), DRAGOMAN_CANCELLED, {"cancelled"});
    CHECK(none == nullptr);
    CHECK(poll(cancelled).state == DRAGOMAN_JOB_CANCELLED);
    CHECK(cancelled_log.ends == 1);
    CHECK(cancelled_log.status == DRAGOMAN_CANCELLED);
    CHECK(!cancelled_log.message.empty());
    CHECK(tokens_of(take(next), 0) == "a z z a");
    CHECK(gone_log.ends == 0);
}

TEST_CASE("cancelled while it is at work, also while the source is encoded") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    for (int round = 0; round < 6; ++round) {
        const JobHandle job = submit(translator, Sequences{kSourceA, kSourceB, kSourceA, kSourceB});
        if (round > 0) std::this_thread::sleep_for(std::chrono::milliseconds(round));
        require_ok(dragoman_job_cancel(job.get()));
        require_ok(dragoman_job_wait(job.get(), -1, nullptr));
        const dragoman_job_info info = poll(job);
        const bool expected = info.state == DRAGOMAN_JOB_DONE || info.state == DRAGOMAN_JOB_CANCELLED;
        CHECK(expected);
    }
    // By the progress callback.
    dragoman_translate_options options = default_options();
    options.progress = [](size_t, size_t, void*) { return 1; };
    const JobHandle job = submit(translator, Sequences{kSourceA}, nullptr, &options);
    dragoman_result* none = nullptr;
    check_error(dragoman_job_take_result(job.get(), &none), DRAGOMAN_CANCELLED, {});
    CHECK(tokens_of(take(submit(translator, Sequences{kSourceB})), 0) == "a z z a");
}

TEST_CASE("the translator goes while its jobs wait and run; results and handles stay") {
    ModelHandle model = load_model();
    TranslatorHandle translator = create_translator(model);
    std::vector<JobHandle> jobs;
    jobs.push_back(submit(translator, Sequences{kSourceB}));
    require_ok(dragoman_job_wait(jobs[0].get(), -1, nullptr));
    for (int i = 0; i < 10; ++i) jobs.push_back(submit(translator, Sequences{kSourceA, kSourceB}));
    translator.reset();
    model.reset();
    for (const JobHandle& job : jobs) {
        int32_t ended = 0;
        require_ok(dragoman_job_wait(job.get(), 0, &ended));
        CHECK(ended == 1);
    }
    CHECK(tokens_of(take(jobs[0]), 0) == "a z z a");
}

TEST_CASE("a callback may end its own job and its translator, and must not wait") {
    const ModelHandle model = load_model();
    struct Handles {
        std::promise<void> ready, over;
        TranslatorHandle translator;
        JobHandle job;
        std::vector<dragoman_status> statuses;
    } handles;
    handles.translator = create_translator(model);
    const auto on_event = [](const dragoman_event* event, void* user) {
        auto& h = *static_cast<Handles*>(user);
        if (event->kind != DRAGOMAN_EVENT_END) return;
        h.ready.get_future().wait();
        const Sequences sources{kSourceA};
        dragoman_translator* translator = h.translator.get();
        dragoman_job* other = nullptr;
        dragoman_result* result = nullptr;
        dragoman_scores* scores = nullptr;
        dragoman_stats stats;
        dragoman_stats_init(&stats);
        h.statuses = {dragoman_submit_tokens(translator, sources.data(), 1, nullptr, nullptr, nullptr, &other),
                      dragoman_job_wait(other, -1, nullptr),
                      dragoman_job_take_result(other, &result),
                      dragoman_translate_tokens(translator, sources.data(), 1, nullptr, nullptr, &result),
                      dragoman_score_tokens(translator, sources.data(), sources.data(), 1, nullptr, &scores),
                      dragoman_translator_stats(translator, &stats),
                      dragoman_translator_reset_stats(translator),
                      dragoman_translator_trim(translator)};
        dragoman_job_destroy(other);
        h.statuses.push_back(dragoman_job_take_result(h.job.get(), &result));
        dragoman_result_destroy(result);
        h.job.reset();
        h.translator.reset();
        h.over.set_value();
    };
    const dragoman_job_options how = job_options(on_event, &handles);
    handles.job = submit(handles.translator, Sequences{kSourceB}, &how);
    handles.ready.set_value();
    handles.over.get_future().wait();
    REQUIRE(handles.statuses.size() == 9);
    CHECK(handles.statuses.front() == DRAGOMAN_OK);
    for (std::size_t i = 1; i < 8; ++i) CHECK(handles.statuses[i] == DRAGOMAN_INVALID_ARGUMENT);
    CHECK(handles.statuses.back() == DRAGOMAN_OK);
}

TEST_CASE("a progress callback that uses its translator is told so") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    struct Seen {
        dragoman_translator* translator;
        dragoman_status status = DRAGOMAN_OK;
    } seen{translator.get()};
    dragoman_translate_options options = default_options();
    options.max_batch_size = 1;
    options.progress_user = &seen;
    options.progress = [](size_t, size_t, void* user) {
        auto& s = *static_cast<Seen*>(user);
        s.status = dragoman_translator_trim(s.translator);
        return 0;
    };
    translate(translator, Sequences{kSourceA, kSourceB}, &options);
    CHECK(seen.status == DRAGOMAN_INVALID_ARGUMENT);
}

TEST_CASE("priority") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    Gate gate;
    const JobHandle blocker = gate.close(translator);
    struct Mark {
        std::string* order;
        char name;
    };
    std::string order;
    Mark marks[] = {{&order, 'l'}, {&order, 'n'}, {&order, 'h'}};
    std::vector<JobHandle> jobs;
    for (int i = 0; i < 3; ++i) {
        dragoman_job_options how = job_options(
            [](const dragoman_event* event, void* user) {
                const auto& mark = *static_cast<Mark*>(user);
                if (event->kind == DRAGOMAN_EVENT_END) *mark.order += mark.name;
            },
            &marks[i]);
        how.priority = i == 0 ? INT32_MIN : i == 2 ? INT32_MAX : 0;
        jobs.push_back(submit(translator, Sequences{kSourceB}, &how));
    }
    gate.open.set_value();
    for (const JobHandle& job : jobs) require_ok(dragoman_job_wait(job.get(), -1, nullptr));
    CHECK(order == "hnl");
}

TEST_CASE("jobs: arguments") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    const Sequences sources{kSourceB};
    const dragoman_string text = dragoman_str("text"), bad = dragoman_str("\xff");
    const auto tokens = [&](dragoman_translator* t, const dragoman_tokens* s, size_t count,
                            const dragoman_translate_options* options, const dragoman_job_options* how) {
        dragoman_job* job = reinterpret_cast<dragoman_job*>(1);
        const dragoman_status status = dragoman_submit_tokens(t, s, count, nullptr, options, how, &job);
        CHECK(job == nullptr);
        return status;
    };
    dragoman_job* job = nullptr;
    check_error(dragoman_submit_texts(translator.get(), &text, 1, nullptr, nullptr, nullptr, &job),
                DRAGOMAN_UNSUPPORTED, {"tokenizer"});
    check_error(tokens(nullptr, sources.data(), 1, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"translator"});
    check_error(tokens(translator.get(), nullptr, 1, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"sources"});
    check_error(tokens(translator.get(), sources.data(), DRAGOMAN_MAX_INPUTS + 1, nullptr, nullptr),
                DRAGOMAN_INVALID_ARGUMENT, {"count"});
    check_error(dragoman_submit_tokens(translator.get(), sources.data(), 1, nullptr, nullptr, nullptr, nullptr),
                DRAGOMAN_INVALID_ARGUMENT, {"job"});
    dragoman_translate_options options = default_options();
    options.beam_size = 100;
    check_error(tokens(translator.get(), sources.data(), 1, &options, nullptr), DRAGOMAN_INVALID_ARGUMENT,
                {"beam_size"});
    dragoman_job_options how = job_options();
    how.fed = 2;
    check_error(tokens(translator.get(), sources.data(), 1, nullptr, &how), DRAGOMAN_INVALID_ARGUMENT, {"fed", "2"});
    how = job_options();
    how.events = 8;
    check_error(tokens(translator.get(), sources.data(), 1, nullptr, &how), DRAGOMAN_INVALID_ARGUMENT, {"events"});
    how = job_options();
    how.struct_size = 1;
    check_error(tokens(translator.get(), sources.data(), 1, nullptr, &how), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    check_error(dragoman_job_options_init_sized(nullptr, sizeof how), DRAGOMAN_INVALID_ARGUMENT, {"options"});

    const TextModel files;
    const ModelHandle with_text = files.load();
    const TranslatorHandle of_text = create_translator(with_text);
    check_error(dragoman_submit_texts(of_text.get(), &bad, 1, nullptr, nullptr, nullptr, &job),
                DRAGOMAN_INVALID_ARGUMENT, {"texts[0]"});
    options = default_options();
    options.target_language = "de";
    check_error(dragoman_submit_texts(of_text.get(), &text, 1, nullptr, &options, nullptr, &job),
                DRAGOMAN_INVALID_ARGUMENT, {"target_language"});

    dragoman_job_info info;
    dragoman_job_info_init(&info);
    check_error(dragoman_job_poll(nullptr, &info), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    check_error(dragoman_job_wait(nullptr, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    check_error(dragoman_job_cancel(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    dragoman_result* result = nullptr;
    check_error(dragoman_job_take_result(nullptr, &result), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    const JobHandle sound = submit(translator, sources);
    check_error(dragoman_job_poll(sound.get(), nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info"});
    info.struct_size = 7;
    check_error(dragoman_job_poll(sound.get(), &info), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    check_error(dragoman_job_take_result(sound.get(), nullptr), DRAGOMAN_INVALID_ARGUMENT, {"result"});
    require_ok(dragoman_job_wait(sound.get(), INT64_MAX, nullptr));
    take(sound);
    dragoman_job_destroy(nullptr);
}

}  // namespace job_test
