// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <memory>
#include <utility>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

struct dragoman_job {
    std::shared_ptr<const dragoman::pipeline::Model> model;
    std::shared_ptr<dragoman::pipeline::Job> job;
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

void call(const dragoman_job_options& options, const JobEvent& from) {
    if (!(options.events & (1u << static_cast<int>(from.kind)))) return;
    std::vector<dragoman_string> tokens;
    for (const std::string& token : from.tokens) tokens.push_back({token.c_str(), token.size()});
    const std::string text(from.text), message(from.message);  // a zero byte follows
    dragoman_event event{};
    event.struct_size = sizeof event;
    event.kind = static_cast<int32_t>(from.kind);
    event.status = static_cast<int32_t>(from.status);
    event.score = from.score;
    event.input = from.input;
    event.sentence = from.sentence;
    event.source = {from.source.begin, from.source.end};
    event.text = {text.c_str(), text.size()};
    event.tokens = {tokens.data(), tokens.size()};
    event.done = from.done;
    event.total = from.total;
    event.message = {message.c_str(), message.size()};
    options.on_event(&event, options.user);
}

pipeline::JobOptions read_job(const dragoman_job_options* given, pipeline::Progress progress) {
    const dragoman_job_options from = read_options(given, "job_options", default_job_options());
    if (from.reserved != 0)
        fail(Status::invalid_argument, "job_options.reserved: expected 0, got {}", from.reserved);
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

dragoman_job* submit(dragoman_translator& translator, pipeline::JobInput input, pipeline::JobOptions options) {
    pipeline::JobQueue* queue = nullptr;
    {
        const std::lock_guard lock(translator.mutex);
        if (!translator.jobs) translator.jobs = pipeline::JobQueue::create(translator.translator);
        queue = translator.jobs.get();
    }
    std::unique_ptr<dragoman_job> job(new dragoman_job{translator.model, nullptr});
    job->job = queue->submit(std::move(input), std::move(options));
    return job.release();
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
        check_tokenizer(*required(translator, "translator").model);
        check_inputs(texts, count, "texts");
        Options checked = read(options);
        std::vector<pipeline::OwnedText> inputs(count);
        for (size_t i = 0; i < count; ++i) {
            inputs[i].text = capi::text(texts[i], {"texts", i});
            if (prefixes) inputs[i].target_prefix = tokens(prefixes[i], {"prefixes", i});
        }
        pipeline::JobOptions how = read_job(job_options, std::move(checked.progress));
        *job = submit(*translator, {std::move(inputs), std::move(checked.text), std::move(checked.decoding)},
                      std::move(how));
    });
}

dragoman_status dragoman_submit_tokens(dragoman_translator* translator, const dragoman_tokens* sources, size_t count,
                                       const dragoman_tokens* prefixes, const dragoman_translate_options* options,
                                       const dragoman_job_options* job_options, dragoman_job** job) {
    return guard([&] {
        required(job, "job") = nullptr;
        required(translator, "translator");
        check_inputs(sources, count, "sources");
        Options checked = read(options);
        std::vector<pipeline::Request> requests(count);
        for (size_t i = 0; i < count; ++i) {
            requests[i].source = tokens(sources[i], {"sources", i});
            if (prefixes) requests[i].target_prefix = tokens(prefixes[i], {"prefixes", i});
        }
        pipeline::JobOptions how = read_job(job_options, std::move(checked.progress));
        *job = submit(*translator, {std::move(requests), {}, std::move(checked.decoding)}, std::move(how));
    });
}

void dragoman_job_destroy(dragoman_job* job) {
    if (!job) return;
    job->job->cancel();
    job->job->silence();
    delete job;
}

dragoman_status dragoman_job_poll(const dragoman_job* job, dragoman_job_info* info) {
    return guard([&] {
        check_struct_size<dragoman_job_info>(required(info, "info").struct_size, "info");
        const pipeline::JobStatus from = required(job, "job").job->status();
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
        std::optional<std::chrono::milliseconds> limit;
        // Longer ones overflow the clock, and nobody lives to see them end.
        if (timeout_ms >= 0) limit = std::chrono::milliseconds(std::min<int64_t>(timeout_ms, int64_t(1) << 40));
        const bool over = required(job, "job").job->wait(limit);
        if (ended) *ended = over;
    });
}

dragoman_status dragoman_job_cancel(dragoman_job* job) {
    return guard([&] { required(job, "job").job->cancel(); });
}

dragoman_status dragoman_job_take_result(dragoman_job* job, dragoman_result** result) {
    return guard([&] {
        required(result, "result") = nullptr;
        const pipeline::Model& model = *required(job, "job").model;
        pipeline::JobOutput output = job->job->take();
        *result = (output.requests.empty()
                       ? make_result(std::move(output.texts))
                       : make_result(model, std::move(output.requests), std::move(output.results)))
                      .release();
    });
}
