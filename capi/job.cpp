// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

struct dragoman_job {
    std::shared_ptr<const dragoman::pipeline::Model> model;  // so that results can be read after the translator's end
    std::shared_ptr<dragoman::pipeline::Job> job;
    dragoman::HomeProcess home{};
    std::mutex mutex{};
    std::optional<dragoman::pipeline::JobOutput> kept{};  // taken from the job, and not handed over, as memory ran out
};

namespace dragoman::capi {
namespace {

using pipeline::JobEvent;
using pipeline::JobState;

static_assert(DRAGOMAN_EVENT_PARTIAL == static_cast<int>(JobEvent::Kind::partial));
static_assert(DRAGOMAN_EVENT_SENTENCE == static_cast<int>(JobEvent::Kind::sentence));
static_assert(DRAGOMAN_EVENT_END == static_cast<int>(JobEvent::Kind::end));
static_assert(DRAGOMAN_JOB_RUNNING == static_cast<int>(JobState::running));
static_assert(DRAGOMAN_JOB_DONE == static_cast<int>(JobState::done));
static_assert(DRAGOMAN_JOB_FAILED == static_cast<int>(JobState::failed));
static_assert(DRAGOMAN_JOB_CANCELLED == static_cast<int>(JobState::cancelled));

constexpr uint32_t kAllEvents = DRAGOMAN_EVENTS_PARTIAL | DRAGOMAN_EVENTS_SENTENCE | DRAGOMAN_EVENTS_END;

dragoman_job_options default_job_options() {
    dragoman_job_options options{};
    options.struct_size = sizeof options;
    options.events = DRAGOMAN_EVENTS_SENTENCE | DRAGOMAN_EVENTS_END;
    return options;
}

dragoman_string string_of(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

// The end of a job is told without memory for it.
void call(const dragoman_job_options& options, const JobEvent& from) {
    if (!(options.events & (1u << static_cast<int>(from.kind)))) return;
    std::vector<dragoman_string> tokens;
    for (const std::string& token : from.tokens) tokens.push_back({token.c_str(), token.size()});
    dragoman_event event{};
    event.struct_size = sizeof event;
    event.kind = static_cast<int32_t>(from.kind);
    event.status = static_cast<int32_t>(from.status);
    event.score = from.score;
    event.input = from.input;
    event.sentence = from.sentence;
    event.source = {from.source.begin, from.source.end};
    event.text = string_of(from.text);
    event.tokens = {tokens.data(), tokens.size()};
    event.done = from.done;
    event.total = from.total;
    event.message = string_of(from.message);
    options.on_event(&event, options.user);
}

pipeline::JobOptions read_job(const dragoman_job_options* given, pipeline::Progress progress) {
    const dragoman_job_options from = read_options(given, "job_options", default_job_options());
    if (from.events & ~kAllEvents)
        fail(Status::invalid_argument, "job_options.events: {:#x} has bits beyond {:#x}", from.events, kAllEvents);
    pipeline::JobOptions to;
    to.priority = from.priority;
    to.progress = std::move(progress);
    to.partials = from.events & DRAGOMAN_EVENTS_PARTIAL;
    to.sentences = from.events & DRAGOMAN_EVENTS_SENTENCE;
    if (from.on_event && from.events) to.on_event = [from](const JobEvent& event) { call(from, event); };
    return to;
}

std::size_t read_input(pipeline::JobDocument& to, const dragoman_string& text, std::size_t i) {
    to.text = capi::text(text, {"texts", i});
    return to.text.size();
}

std::size_t read_input(pipeline::JobDocument& to, const dragoman_tokens& source, std::size_t i) {
    to.source = tokens(source, {"sources", i});
    std::size_t bytes = 0;
    for (const std::string& token : *to.source) bytes += token.size();
    return bytes;
}

constexpr const char* name_of(const dragoman_string*) { return "texts"; }
constexpr const char* name_of(const dragoman_tokens*) { return "sources"; }

// The first of the inputs, as many as there is room for.
template <class Input>
std::vector<pipeline::JobDocument> read_inputs(const Input* inputs, std::size_t count, const dragoman_tokens* prefixes,
                                               pipeline::Job::Room room = {SIZE_MAX, SIZE_MAX}) {
    check_inputs(inputs, count, name_of(inputs));
    std::vector<pipeline::JobDocument> documents;
    documents.reserve(std::min(count, room.documents));
    for (std::size_t i = 0, bytes = 0; i < count && i < room.documents && bytes < room.bytes; ++i) {
        bytes += read_input(documents.emplace_back(), inputs[i], i);
        if (prefixes) documents.back().target_prefix = tokens(prefixes[i], {"prefixes", i});
    }
    return documents;
}

dragoman_job* submit(const dragoman_translator* translator, std::vector<pipeline::JobDocument> documents, bool texts,
                     const dragoman_translate_options* options, const dragoman_job_options* job_options) {
    pipeline::Translator& used = *at_home(translator, "translator").translator;
    if (texts) check_tokenizer(used.model());
    Options checked = read(options);
    const bool fed = flag(read_options(job_options, "job_options", default_job_options()).fed, "job_options.fed");
    pipeline::JobOptions how = read_job(job_options, std::move(checked.progress));
    std::unique_ptr<dragoman_job> job(new dragoman_job{used.shared_model(), nullptr});
    job->job = used.submit({std::move(documents), texts, fed, std::move(checked.text), std::move(checked.decoding)},
                           std::move(how));
    return job.release();
}

std::optional<std::chrono::milliseconds> time_limit(int64_t timeout_ms) {
    if (timeout_ms < 0) return std::nullopt;
    // Longer ones would overflow the clock.
    return std::chrono::milliseconds(std::min<int64_t>(timeout_ms, int64_t(1) << 40));
}

// Inputs are read when there is room for them: who passes the rest again and again has each of them read once.
template <class Input>
void feed(dragoman_job* job, const Input* inputs, std::size_t count, const dragoman_tokens* prefixes,
          int64_t timeout_ms, size_t* taken) {
    constexpr bool kTexts = std::is_same_v<Input, dragoman_string>;
    required(taken, "taken") = 0;
    check_inputs(inputs, count, name_of(inputs));
    pipeline::Job& used = *at_home(job, "job").job;
    if (used.texts() != kTexts)
        fail(Status::invalid_argument, "job: expected one of {}, it was submitted with {}", kTexts ? "texts" : "tokens",
             kTexts ? "tokens" : "texts");
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto limit = time_limit(timeout_ms);
    auto left = limit;
    for (;;) {
        const pipeline::Job::Room room = used.wait_for_room(left);
        if (room.documents == 0 || count == 0) return;
        std::vector<pipeline::JobDocument> documents = read_inputs(inputs, count, prefixes, room);
        *taken = used.feed(documents, std::chrono::milliseconds(0));
        if (*taken > 0) return;
        // Another thread took the room.
        const auto past = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
        if (limit) left = std::max(*limit - past, std::chrono::milliseconds(0));
    }
}

std::unique_ptr<dragoman_result> result_of(const dragoman_job& job, pipeline::JobOutput& output) {
    auto result = job.job->texts() ? make_result(output.texts)
                                   : make_result(*job.model, output.sources, output.results);
    result->first = output.first;
    return result;
}

// Hands over what the job gives, or what it gave before and nobody got. Null: it gives nothing.
template <class Take>
std::unique_ptr<dragoman_result> hand_over(dragoman_job& job, bool empty, const Take& take) {
    std::optional<pipeline::JobOutput> output;
    {
        const std::lock_guard lock(job.mutex);
        output = std::exchange(job.kept, std::nullopt);
    }
    if (!output) output = take();
    if (output->size() == 0 && !empty) return nullptr;
    try {
        return result_of(job, *output);
    } catch (...) {
        const std::lock_guard lock(job.mutex);
        job.kept = std::move(output);
        throw;
    }
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_job_options_init_sized(dragoman_job_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_job_options(), "options"); });
}

dragoman_status dragoman_submit_texts(dragoman_translator* translator, const dragoman_string* texts, size_t count,
                                      const dragoman_tokens* prefixes, const dragoman_translate_options* options,
                                      const dragoman_job_options* job_options, dragoman_job** job) {
    return guard([&] {
        required(job, "job") = nullptr;
        *job = submit(translator, read_inputs(texts, count, prefixes), true, options, job_options);
    });
}

dragoman_status dragoman_submit_tokens(dragoman_translator* translator, const dragoman_tokens* sources, size_t count,
                                       const dragoman_tokens* prefixes, const dragoman_translate_options* options,
                                       const dragoman_job_options* job_options, dragoman_job** job) {
    return guard([&] {
        required(job, "job") = nullptr;
        *job = submit(translator, read_inputs(sources, count, prefixes), false, options, job_options);
    });
}

dragoman_status dragoman_job_feed_texts(dragoman_job* job, const dragoman_string* texts, size_t count,
                                        const dragoman_tokens* prefixes, int64_t timeout_ms, size_t* taken) {
    return guard([&] { feed(job, texts, count, prefixes, timeout_ms, taken); });
}

dragoman_status dragoman_job_feed_tokens(dragoman_job* job, const dragoman_tokens* sources, size_t count,
                                         const dragoman_tokens* prefixes, int64_t timeout_ms, size_t* taken) {
    return guard([&] { feed(job, sources, count, prefixes, timeout_ms, taken); });
}

dragoman_status dragoman_job_finish(dragoman_job* job) {
    return guard([&] { at_home(job, "job").job->finish(); });
}

dragoman_status dragoman_job_next_result(dragoman_job* job, int64_t timeout_ms, dragoman_result** result) {
    return guard([&] {
        required(result, "result") = nullptr;
        pipeline::Job& used = *at_home(job, "job").job;
        *result = hand_over(*job, false, [&] { return used.next(time_limit(timeout_ms)); }).release();
    });
}

void dragoman_job_destroy(dragoman_job* job) {
    if (!job || !job->home.here()) return;
    job->job->cancel();
    job->job->silence();
    delete job;
}

dragoman_status dragoman_job_poll(const dragoman_job* job, dragoman_job_info* info) {
    return guard([&] {
        check_struct_size<dragoman_job_info>(required(info, "info").struct_size, "info");
        const pipeline::JobStatus from = at_home(job, "job").job->status();
        dragoman_job_info to{};
        to.state = static_cast<int32_t>(from.state);
        to.status = static_cast<int32_t>(from.status);
        to.done = from.done;
        to.total = from.total;
        write_struct(info, info->struct_size, to, "info");
    });
}

dragoman_status dragoman_job_wait(const dragoman_job* job, int64_t timeout_ms, int32_t* ended) {
    return guard([&] {
        const bool over = at_home(job, "job").job->wait(time_limit(timeout_ms));
        if (ended) *ended = over;
    });
}

dragoman_status dragoman_job_cancel(dragoman_job* job) {
    return guard([&] { at_home(job, "job").job->cancel(); });
}

dragoman_status dragoman_job_take_result(dragoman_job* job, dragoman_result** result) {
    return guard([&] {
        required(result, "result") = nullptr;
        pipeline::Job& used = *at_home(job, "job").job;
        *result = hand_over(*job, true, [&] { return used.take(); }).release();
    });
}
