// SPDX-License-Identifier: Apache-2.0
// hammer SECONDS [THREADS [SEED]]: threads that load, share, translate, submit, cancel, stream, trim and destroy in
// random order, through handles they share. Every result is compared; run it under a sanitizer.
#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "hammer.h"
#include "model_in_memory.h"

namespace {

using namespace dragoman::test;

constexpr std::array<const char*, 3> kSources = {"آتزمون", "آزا", "آتزمون\nآزا"};
constexpr std::array<const char*, 3> kTargets = {"atzmon", "azza", "atzmon\nazza"};

struct Shared {
    const ModelInMemory& files;
    std::array<Slot<dragoman_model>, 2> models;
    std::array<Slot<dragoman_translator>, 3> translators;
    std::array<Slot<dragoman_job>, 6> jobs;
    std::atomic<uint64_t> translations = 0, events = 0, cancelled = 0, loads = 0;
};

void check_text(dragoman_result* result, std::size_t which) {
    dragoman_string text{};
    expect_ok(dragoman_result_text(result, 0, 0, &text), "text");
    expect(std::string(text.data, text.size) == kTargets[which], "wrong translation");
}

class Worker {
public:
    Worker(Shared& shared, unsigned seed) : shared_(shared), random_(seed) {}

    void run(std::chrono::steady_clock::time_point end) {
        // On a busy machine the first translation may come after the time.
        while ((std::chrono::steady_clock::now() < end || shared_.translations == 0) && faults == 0) step();
    }

private:
    std::size_t any(std::size_t count) { return random_() % count; }
    template <class Slots>
    auto& one_of(Slots& slots) {
        return slots[any(slots.size())];
    }

    void step() {
        switch (any(32)) {
            case 0: return load();
            case 1:
            case 2: return create();
            case 3: return one_of(shared_.translators).set(nullptr);
            case 4:
            case 5: return trim_and_count();
            case 6: return score();
            case 7:
            case 8: return text();
            case 9: return log();
            case 10:
            case 11:
            case 12:
            case 13:
            case 14: return translate();
            case 15:
            case 16:
            case 17:
            case 18:
            case 19:
            case 20: return submit();
            case 21:
            case 22: return cancel();
            case 23:
            case 24:
            case 25: return one_of(shared_.jobs).set(nullptr);
            case 26:
            case 27: return poll();
            default: return take();
        }
    }

    void load() {
        dragoman_model* model = nullptr;
        expect_ok(shared_.files.load(&model), "load");
        ++shared_.loads;
        one_of(shared_.models).set(owned(model, dragoman_model_destroy));
    }
    void create() {
        const auto model = one_of(shared_.models).get();
        if (!model) return load();
        dragoman_translator* translator = nullptr;
        expect_ok(dragoman_translator_create(model.get(), &translator), "create");
        one_of(shared_.translators).set(owned(translator, dragoman_translator_destroy));
    }
    void trim_and_count() {
        const auto translator = one_of(shared_.translators).get();
        if (!translator) return create();
        dragoman_stats stats;
        dragoman_stats_init(&stats);
        if (any(2)) expect_ok(dragoman_translator_trim(translator.get()), "trim");
        else if (any(2)) expect_ok(dragoman_translator_stats(translator.get(), &stats), "stats");
        else expect_ok(dragoman_translator_reset_stats(translator.get()), "reset");
    }
    void translate() {
        const auto translator = one_of(shared_.translators).get();
        if (!translator) return create();
        const std::size_t which = any(kSources.size());
        const dragoman_string text = dragoman_str(kSources[which]);
        dragoman_translate_options options;
        dragoman_translate_options_init(&options);
        options.beam_size = 1 + uint32_t(any(2)) * 3;
        const bool stop = any(8) == 0;
        if (stop) options.progress = [](size_t, size_t, void*) -> int32_t { return 1; };
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_translate_texts(translator.get(), &text, 1, nullptr, &options, &result);
        expect(status == DRAGOMAN_OK || (stop && status == DRAGOMAN_CANCELLED), "translate", status);
        if (status == DRAGOMAN_OK) {
            check_text(result, which);
            ++shared_.translations;
        }
        dragoman_result_destroy(result);
    }
    void score() {
        const auto translator = one_of(shared_.translators).get();
        if (!translator) return create();
        const dragoman_string token = dragoman_str("a");
        const dragoman_tokens tokens{&token, 1};
        dragoman_scores* scores = nullptr;
        expect_ok(dragoman_score_tokens(translator.get(), &tokens, &tokens, 1, nullptr, &scores), "score");
        dragoman_scores_destroy(scores);
    }
    void text() {
        const auto model = one_of(shared_.models).get();
        if (!model) return load();
        const dragoman_string text = dragoman_str(kSources[0]);
        dragoman_token_lists* tokens = nullptr;
        expect_ok(dragoman_tokenize(model.get(), DRAGOMAN_SIDE_SOURCE, &text, 1, &tokens), "tokenize");
        dragoman_token_lists_destroy(tokens);
        dragoman_range_list* ranges = nullptr;
        expect_ok(dragoman_split_sentences(&text, "ar", 0, &ranges), "split");
        dragoman_range_list_destroy(ranges);
        dragoman_memory_info memory;
        dragoman_memory_info_init(&memory);
        expect_ok(dragoman_model_memory(model.get(), &memory), "memory");
        expect(dragoman_translator_trim(nullptr) == DRAGOMAN_INVALID_ARGUMENT, "NULL");
    }
    void log() {
        static std::atomic<int> lines = 0;
        dragoman_logger* logger = nullptr;
        expect_ok(dragoman_logger_create([](int32_t, const char*, void*) { ++lines; }, nullptr, DRAGOMAN_LOG_DEBUG,
                                         &logger),
                  "logger");
        load();
        dragoman_logger_destroy(logger);
    }

    // Runs on translators' threads. Rarely a listener ends jobs itself.
    static void listen(const dragoman_event* event, void* user) {
        auto& shared = *static_cast<Shared*>(user);
        const uint64_t number = ++shared.events;
        if (event->kind == DRAGOMAN_EVENT_SENTENCE)
            expect(event->text.size == 6 || event->text.size == 4, "event's text");
        else if (event->kind == DRAGOMAN_EVENT_END)
            expect(event->status == DRAGOMAN_OK || event->status == DRAGOMAN_CANCELLED, event->message.data);
        if (number % 31 == 0) shared.jobs[number % shared.jobs.size()].set(nullptr);
        if (number % 37 == 0)
            if (const auto job = shared.jobs[number % shared.jobs.size()].get()) dragoman_job_cancel(job.get());
    }
    void submit() {
        const auto translator = one_of(shared_.translators).get();
        if (!translator) return create();
        const dragoman_string text = dragoman_str(kSources[2]);
        dragoman_job_options how;
        dragoman_job_options_init(&how);
        how.priority = int32_t(any(3));
        how.events |= DRAGOMAN_EVENTS_PARTIAL;
        if (any(4)) how.on_event = listen;
        how.user = &shared_;
        dragoman_job* job = nullptr;
        expect_ok(dragoman_submit_texts(translator.get(), &text, 1, nullptr, nullptr, &how, &job), "submit");
        one_of(shared_.jobs).set(owned(job, dragoman_job_destroy));
    }
    void cancel() {
        if (const auto job = one_of(shared_.jobs).get()) expect_ok(dragoman_job_cancel(job.get()), "cancel");
    }
    void poll() {
        const auto job = one_of(shared_.jobs).get();
        if (!job) return;
        dragoman_job_info info;
        dragoman_job_info_init(&info);
        expect_ok(dragoman_job_poll(job.get(), &info), "poll");
        expect(info.done <= info.total && info.state <= DRAGOMAN_JOB_CANCELLED, "job's numbers");
        expect_ok(dragoman_job_wait(job.get(), int64_t(any(20)), nullptr), "wait");
    }
    void take() {
        const auto job = one_of(shared_.jobs).get();
        if (!job) return submit();
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_job_take_result(job.get(), &result);
        // Another thread may have cancelled it, or taken the result.
        expect(status == DRAGOMAN_OK || status == DRAGOMAN_CANCELLED || status == DRAGOMAN_INVALID_ARGUMENT, "take",
               status);
        if (status == DRAGOMAN_OK) {
            check_text(result, 2);
            ++shared_.translations;
        }
        shared_.cancelled += status == DRAGOMAN_CANCELLED;
        dragoman_result_destroy(result);
    }

    Shared& shared_;
    std::mt19937 random_;
};

// A sanitizer's report on a driver that is unloaded has no name that a suppression could match.
void pin_drivers(const ModelInMemory& files) {
    dragoman_model* model = nullptr;
    expect_ok(files.load(&model), "load");
    dl_iterate_phdr(
        [](dl_phdr_info* library, size_t, void*) {
            if (library->dlpi_name[0]) dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
            return 0;
        },
        nullptr);
    dragoman_model_destroy(model);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: hammer SECONDS [THREADS [SEED]]\n");
        return 2;
    }
    const HammerOptions options(argc, argv, 4);
    const ModelInMemory files(DRAGOMAN_TEST_DATA);
    pin_drivers(files);
    Shared shared{files, {}, {}, {}, {}, {}, {}, {}};
    run_workers<Worker>(shared, options);
    // Translators first: their threads may still touch the jobs.
    for (auto& slot : shared.translators) slot.set(nullptr);
    for (auto& slot : shared.jobs) slot.set(nullptr);
    for (auto& slot : shared.models) slot.set(nullptr);
    std::printf("%llu translations, %llu events, %llu cancelled, %llu models loaded, %d faults\n",
                static_cast<unsigned long long>(shared.translations.load()),
                static_cast<unsigned long long>(shared.events.load()),
                static_cast<unsigned long long>(shared.cancelled.load()),
                static_cast<unsigned long long>(shared.loads.load()), faults.load());
    return faults == 0 && shared.translations > 0 ? 0 : 1;
}
