// SPDX-License-Identifier: Apache-2.0
// A process that has used the library forks. What hangs in the child ends by a signal of its alarm clock.
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <execinfo.h>
#endif

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>
#include <thread>

#include "fixture.h"

namespace fork_test {

using namespace dragoman::test;

namespace {

constexpr unsigned kPatienceSeconds = 20;
constexpr unsigned kLoadSeconds = 300;  // kernels may have to be compiled

// The child hangs: says where, and ends as the signal would have ended it.
void tell_where(int signal) {
#ifdef __GLIBC__
    void* frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
#endif
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// The exit status of the child, in which `body` ran; 1000 and more for a signal.
int in_child(const std::function<int()>& body, unsigned seconds = kPatienceSeconds) {
    std::fflush(nullptr);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGALRM, tell_where);
        alarm(seconds);
        _exit(body());
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

// 0: the call was refused with a message that names the handle and says what to do.
int refused(dragoman_status status, const char* handle) {
    const std::string message = dragoman_last_error();
    if (status != DRAGOMAN_INVALID_ARGUMENT) return 1;
    if (!message.starts_with(std::string(handle) + ": ")) return 2;
    return message.find("forked") == std::string::npos || message.find("spawn") == std::string::npos ? 3 : 0;
}

std::string translate(dragoman_translator* translator) {
    const Sequences sources{kSourceA};
    dragoman_result* raw = nullptr;
    if (dragoman_translate_tokens(translator, sources.data(), 1, nullptr, nullptr, &raw) != DRAGOMAN_OK) return {};
    const ResultHandle result(raw);
    dragoman_tokens tokens{};
    dragoman_result_tokens(raw, 0, 0, &tokens);
    return join(tokens);
}

// All handles of a process that has used them.
struct Used {
    Used() {
        dragoman_device_options options;
        dragoman_device_options_init(&options);
        dragoman_device_open(&options, &device);
        dragoman_model_options on_device;
        dragoman_model_options_init(&on_device);
        on_device.device = device;
        require_ok(dragoman_model_load(kModel, &on_device, &model));
        require_ok(dragoman_translator_create(model, &translator));
        require_ok(dragoman_memory_create(nullptr, &memory));
        CHECK(translate(translator) == "a t z m o n");
        const Sequences sources{kSourceA};
        require_ok(dragoman_submit_tokens(translator, sources.data(), 1, nullptr, nullptr, nullptr, &job));
        require_ok(dragoman_job_wait(job, -1, nullptr));
    }
    ~Used() { destroy(); }
    void destroy() {
        dragoman_job_destroy(std::exchange(job, nullptr));
        dragoman_memory_destroy(std::exchange(memory, nullptr));
        dragoman_translator_destroy(std::exchange(translator, nullptr));
        dragoman_model_destroy(std::exchange(model, nullptr));
        dragoman_device_close(std::exchange(device, nullptr));
    }
    dragoman_device* device = nullptr;
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_memory* memory = nullptr;
    dragoman_job* job = nullptr;
};

// The first call that was not refused as it should be, with what was wrong; 0: none.
int refuses_all(const Used& used) {
    const Sequences sources{kSourceA};
    const dragoman_string text = dragoman_str("a");
    dragoman_result* result = nullptr;
    dragoman_scores* scores = nullptr;
    dragoman_job* job = nullptr;
    dragoman_report* report = nullptr;
    dragoman_vectors* vectors = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_model* model = nullptr;
    dragoman_text_list* list = nullptr;
    dragoman_memory_info memory_info{};
    memory_info.struct_size = sizeof memory_info;
    dragoman_memory_counts counts{};
    counts.struct_size = sizeof counts;
    dragoman_stats stats{};
    stats.struct_size = sizeof stats;
    dragoman_job_info job_info{};
    job_info.struct_size = sizeof job_info;
    dragoman_model_options on_device;
    dragoman_model_options_init(&on_device);
    on_device.device = used.device;
    int32_t ended = 0;
    std::size_t taken = 0;
    const struct {
        const char* handle;
        std::function<dragoman_status()> call;
    } calls[] = {
        {"translator",
         [&] { return dragoman_translate_tokens(used.translator, sources.data(), 1, nullptr, nullptr, &result); }},
        {"translator", [&] { return dragoman_translate_texts(used.translator, &text, 1, nullptr, nullptr, &result); }},
        {"translator",
         [&] { return dragoman_score_tokens(used.translator, sources.data(), sources.data(), 1, nullptr, &scores); }},
        {"translator", [&] { return dragoman_score_texts(used.translator, &text, &text, 1, nullptr, &scores); }},
        {"translator",
         [&] { return dragoman_submit_tokens(used.translator, sources.data(), 1, nullptr, nullptr, nullptr, &job); }},
        {"translator",
         [&] { return dragoman_submit_texts(used.translator, &text, 1, nullptr, nullptr, nullptr, &job); }},
        {"translator", [&] { return dragoman_translation_key(used.translator, nullptr, 1, nullptr, nullptr, &list); }},
        {"translator", [&] { return dragoman_translator_stats(used.translator, &stats); }},
        {"translator", [&] { return dragoman_translator_reset_stats(used.translator); }},
        {"translator", [&] { return dragoman_translator_trim(used.translator); }},
        {"model", [&] { return dragoman_embed_texts(used.model, &text, 1, nullptr, &vectors); }},
        {"model", [&] { return dragoman_translator_create(used.model, &translator); }},
        {"model", [&] { return dragoman_model_memory(used.model, &memory_info); }},
        {"options.device", [&] { return dragoman_model_load(kModel, &on_device, &model); }},
        {"device", [&] { return dragoman_device_trim(used.device); }},
        {"device", [&] { return dragoman_device_check(used.device, &report); }},
        {"device", [&] { return dragoman_device_get_memory(used.device, &memory_info); }},
        {"memory", [&] { return dragoman_memory_stats(used.memory, &counts); }},
        {"memory", [&] { return dragoman_memory_clear(used.memory); }},
        {"job", [&] { return dragoman_job_wait(used.job, -1, &ended); }},
        {"job", [&] { return dragoman_job_poll(used.job, &job_info); }},
        {"job", [&] { return dragoman_job_cancel(used.job); }},
        {"job", [&] { return dragoman_job_finish(used.job); }},
        {"job", [&] { return dragoman_job_take_result(used.job, &result); }},
        {"job", [&] { return dragoman_job_next_result(used.job, -1, &result); }},
        {"job", [&] { return dragoman_job_feed_tokens(used.job, sources.data(), 1, nullptr, -1, &taken); }},
    };
    int number = 1;
    for (const auto& [handle, call] : calls) {
        if (const int wrong = refused(call(), handle)) return 10 * wrong + number;
        ++number;
    }
    return 0;
}

// 0: a device of the child's own, with a model of its own, translates.
int works_anew() {
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    if (dragoman_model_load(kModel, nullptr, &model) != DRAGOMAN_OK) return 1;
    if (dragoman_translator_create(model, &translator) != DRAGOMAN_OK) return 2;
    if (translate(translator) != "a t z m o n") return 3;
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return 0;
}

}  // namespace

TEST_CASE("in a child, handles of the parent refuse what needs threads or the device") {
    const Used used;
    CHECK(in_child([&] { return refuses_all(used); }) == 0);
    CHECK(translate(used.translator) == "a t z m o n");
}

TEST_CASE("what needs neither goes on in a child") {
    const Used used;
    const auto describe = [&] {
        dragoman_model_info info{};
        info.struct_size = sizeof info;
        if (dragoman_model_get_info(used.model, &info) != DRAGOMAN_OK || info.d_model == 0) return 1;
        dragoman_device_info device{};
        device.struct_size = sizeof device;
        if (dragoman_device_get_info(used.device, &device) != DRAGOMAN_OK) return 2;
        dragoman_range_list* ranges = nullptr;
        const dragoman_string text = dragoman_str("One. Two.");
        if (dragoman_split_sentences(&text, "en", 0, &ranges) != DRAGOMAN_OK) return 3;
        return dragoman_range_list_count(ranges) == 2 ? 0 : 4;
    };
    CHECK(in_child(describe) == 0);
}

TEST_CASE("destroying handles of the parent does nothing in a child, and the parent goes on") {
    Used used;
    CHECK(in_child([&] {
              used.destroy();
              return 7;
          }) == 7);
    CHECK(translate(used.translator) == "a t z m o n");
}

TEST_CASE("a child of a process that used the library ends") {
    const Used used;
    CHECK(in_child([&]() -> int { std::exit(5); }) == 5);
    CHECK(in_child([&]() -> int { std::quick_exit(6); }) == 6);
}

TEST_CASE("a child opens a device and loads a model of its own") {
    const Used used;
    CHECK(in_child(works_anew, kLoadSeconds) == 0);
    CHECK(translate(used.translator) == "a t z m o n");
    // The exit handlers of drivers know threads of the parent.
    CHECK(in_child([]() -> int { std::exit(works_anew()); }, kLoadSeconds) == 0);
    // So does the child's child, and its parent's handles stay refused.
    CHECK(in_child(
              [&] {
                  Used own;
                  return in_child([&] { return refuses_all(own) + refuses_all(used) + works_anew(); }, kLoadSeconds);
              },
              kLoadSeconds) == 0);
}

TEST_CASE("children that are forked while other threads translate do not hang") {
    Used used;
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0, done = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] {
            for (; !stop; ++done) wrong += translate(used.translator) != "a t z m o n";
        });
    for (int round = 0; round < 40; ++round) {
        CAPTURE(round);
        CHECK(in_child([&] {
                  const int found = refuses_all(used);
                  used.destroy();
                  if (found) return found;
                  if (round % 2) std::exit(0);
                  return 0;
              }) == 0);
    }
    stop = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(done > 0);
}

TEST_CASE("a child that is forked while a log callback runs may log") {
    struct Slow {
        std::atomic<bool> inside = false, go_on = false;
    } slow;
    const auto wait = [](int32_t, const char*, void* user) {
        auto& state = *static_cast<Slow*>(user);
        state.inside = true;
        while (!state.go_on) std::this_thread::yield();
    };
    require_ok(dragoman_set_log(wait, &slow, DRAGOMAN_LOG_DEBUG));
    std::thread other([&] {
        dragoman_model* model = nullptr;
        dragoman_model_load("/no/such/model", nullptr, &model);
        dragoman_device_options options;
        dragoman_device_options_init(&options);
        dragoman_device* device = nullptr;
        if (dragoman_device_open(&options, &device) == DRAGOMAN_OK) dragoman_device_close(device);
    });
    while (!slow.inside) std::this_thread::yield();
    const auto set = [] { return dragoman_set_log(nullptr, nullptr, 0) == DRAGOMAN_OK ? 0 : 1; };
    CHECK(in_child(set) == 0);
    slow.go_on = true;
    other.join();
    require_ok(dragoman_set_log(nullptr, nullptr, 0));
}

}  // namespace fork_test
#endif
