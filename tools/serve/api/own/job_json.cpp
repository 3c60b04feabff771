// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/job_json.h"

#include <string>

#include "serve/api/own/events.h"

namespace serve::api {

Json own_document_json(const work::DocumentState& state) {
    Json job{{"id", state.id},         {"kind", "document"},  {"name", state.name}, {"output_name", state.output_name},
             {"format", state.format}, {"from", state.from},  {"to", state.to},     {"state", state.state},
             {"done", state.done},     {"total", state.total}};
    if (!state.error.empty()) job["error"] = state.error;
    if (state.characters > 0) job["characters"] = state.characters;
    if (state.seconds_remaining >= 0) job["seconds_remaining"] = state.seconds_remaining;
    job["created"] = own_time(state.created);
    if (work::has_ended(state)) job["ended"] = own_time(state.ended);
    return job;
}

Json own_download_json(const OwnJob& job) {
    Json json{{"id", job.id},
              {"kind", "model"},
              {"model", job.model},
              {"state", job.state},
              {"done_bytes", job.done_bytes},
              {"total_bytes", job.total_bytes}};
    if (!job.error.empty()) json["error"] = job.error;
    json["created"] = own_time(job.created);
    if (job.has_ended()) json["ended"] = own_time(job.ended);
    return json;
}

void own_follow_download(const OwnParts& parts, Call& call, const std::string& id) {
    parts.downloads->get(id);  // throws before the stream is open
    const auto stream = parts.events->open(call.exchange);
    const auto exchange = call.exchange;
    try {
        parts.downloads->watch(id, [stream, exchange](const OwnJob& job) {
            if (job.has_ended()) stream->finish("end", own_download_json(job));
            else stream->send("progress", own_download_json(job));
            return !exchange->gone();
        });
    } catch (...) {
        stream->abandon();
        throw;
    }
}

void own_follow_document(const OwnParts& parts, Call& call, const std::string& id) {
    work::Documents& documents = parts.services.documents;
    documents.get(id);  // throws before the stream is open
    const auto stream = parts.events->open(call.exchange);
    const auto tell = [stream, exchange = call.exchange](const work::DocumentState& state) {
        if (work::has_ended(state)) stream->finish("end", own_document_json(state));
        else stream->send("progress", own_document_json(state));
        return !exchange->gone();
    };
    try {
        documents.watch(id, tell);
        tell(documents.get(id));  // it may have ended before it was watched
    } catch (...) {
        stream->abandon();
        throw;
    }
}

}  // namespace serve::api
