// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/api/deepl/jobs.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

constexpr const char* kDeeplJobPath = "/v3/translation_memories/jobs/";

// The secret stands in the query, which no log has.
std::string deepl_file_url(const Services& services, const DeeplJob& job) {
    return services.url_of(fmt::format("{}{}/file?token={}", kDeeplJobPath, job.id, job.secret));
}

Json deepl_job_info(const Services& services, const DeeplJob& job) {
    Json info{{"job_id", job.id},
              {"operation", job.operation},
              {"product", "translation_memory"},
              {"creation_time", deepl_time(job.created)},
              {"updated_time", deepl_time(job.updated)}};
    Json result{{"status", job.status}};
    if (job.operation == "import") {
        info["source_file"] = {{"file_name", job.file_name},
                               {"content_type", job.content_type},
                               {"content_length", job.content_length}};
        info["parameters"] = {{"display_name", job.display_name}};
        if (job.status == "awaiting_input") result["status_metadata"] = {{"required_action", "Upload the file."}};
        if (job.status == "completed") result["translation_memory_id"] = job.memory;
    } else {
        info["parameters"] = {{"translation_memory_id", job.memory}};
        if (job.status == "completed") {
            result["download_url"] = deepl_file_url(services, job);
            result["expires_at"] = deepl_time(job.expires);
        }
    }
    if (!job.error.empty()) result["error"] = {{"message", job.error}};
    info["results"] = Json::array({std::move(result)});
    return info;
}

void deepl_import(Services& services, DeeplJobs& jobs, Call& call) {
    const Json* file = find(call.fields, "source_file");
    if (!file || !file->is_object())
        throw Problem(Problem::Kind::missing, "Parameter 'source_file' not specified: an object.", "source_file");
    DeeplJob job;
    job.operation = "import";
    job.status = "awaiting_input";
    job.owner = call.account.owner;
    job.file_name = text(*file, "file_name");
    if (job.file_name.empty())
        throw Problem(Problem::Kind::missing, "Parameter 'file_name' not specified.", "file_name");
    const std::int64_t length = integer(*file, "content_length", 0);
    if (length <= 0)
        throw Problem(Problem::Kind::bad_request, fmt::format("content_length is {}, more than 0 is expected", length),
                      "content_length");
    job.content_length = static_cast<std::uint64_t>(length);
    if (job.content_length > services.max_file_bytes)
        throw Problem(Problem::Kind::too_large,
                      fmt::format("content_length: {} bytes exceed the limit of {}", length, services.max_file_bytes),
                      "content_length");
    job.content_type = text(*file, "content_type", "application/xml");
    job.display_name = job.file_name;
    if (const Json* parameters = find(call.fields, "parameters"))
        job.display_name = text(*parameters, "display_name", job.file_name);
    job = jobs.add(std::move(job));
    call.exchange->send(json_response(
        {{"job_id", job.id}, {"upload_url", deepl_file_url(services, job)}, {"expires_at", deepl_time(job.expires)}},
        201));
}

DeeplJob deepl_open_import(DeeplJobs& jobs, const std::string& id, const std::string& token) {
    DeeplJob job = jobs.open(id, token);
    if (job.operation != "import") throw Problem(Problem::Kind::method, "an export takes no file", id);
    return job;
}

// Whoever has not its secret does not get so far as to send a file.
void deepl_check_import(DeeplJobs& jobs, const http::Request& head, const std::string& id) {
    std::string token;
    for (auto& [name, value] : http::read_urlencoded(head.query))
        if (name == "token") token = std::move(value);
    deepl_open_import(jobs, id, token);
}

// The file of an import. What is wrong with it is told by the job, as DeepL does, and to who sends it.
void deepl_upload_memory(Services& services, DeeplJobs& jobs, Call& call) {
    const DeeplJob opened = deepl_open_import(jobs, call.parameters.at("job"), text(call.fields, "token"));
    const std::uint64_t bytes = call.request().body_bytes;
    if (bytes != opened.content_length)
        throw Problem(Problem::Kind::bad_request,
                      fmt::format("the file has {} bytes, its job says {}", bytes, opened.content_length),
                      "content_length");
    const std::string tmx = whole_body(call.request(), services.max_file_bytes);
    jobs.change(opened.id, "awaiting_input", [](DeeplJob& job) { job.status = "processing"; });
    const auto end = [&](const std::string& status, const std::string& error, const std::string& memory) {
        jobs.change(opened.id, "processing", [&](DeeplJob& job) {
            job.status = status;
            job.error = error;
            job.memory = memory;
        });
    };
    try {
        const work::MemoryInfo made = services.memories.add(opened.owner, opened.display_name, tmx);
        end("completed", "", made.id);
    } catch (const Problem& problem) {
        end("failed", problem.what(), "");
    } catch (const std::exception&) {
        end("failed", "the service failed", "");
        throw;
    }
    http::Response response;
    response.content_type.clear();
    call.exchange->send(std::move(response));
}

void deepl_export(Services& services, DeeplJobs& jobs, Call& call) {
    const work::MemoryInfo memory = services.memories.get(call.account.owner, call.parameters.at("id"));
    if (const auto old = jobs.finished_export(call.account.owner, memory.id))
        return call.exchange->send(json_response(deepl_job_info(services, *old)));
    DeeplJob job;
    job.operation = "export";
    job.status = "completed";
    job.owner = call.account.owner;
    job.memory = memory.id;
    call.exchange->send(json_response(deepl_job_info(services, jobs.add(std::move(job))), 202));
}

void deepl_download_memory(Services& services, DeeplJobs& jobs, Call& call) {
    const DeeplJob job = jobs.open(call.parameters.at("job"), text(call.fields, "token"));
    if (job.operation != "export") throw Problem(Problem::Kind::method, "an import gives no file", job.id);
    http::Response response;
    response.content_type = "application/xml";
    response.headers.push_back({"Content-Disposition", "attachment; filename=\"memory.tmx\""});
    response.body = services.memories.tmx(job.owner, job.memory);
    call.exchange->send(std::move(response));
}

}  // namespace

void deepl_add_memory_jobs(Router& router, Services& services) {
    auto jobs = std::make_shared<DeeplJobs>();
    const auto add = [&](const char* method, const char* path, void (*handler)(Services&, DeeplJobs&, Call&),
                         Access access = Access::key) {
        deepl_add(router,
                  {method, path, [&services, jobs, handler](Call& call) { handler(services, *jobs, call); }, access});
    };
    add("POST", "/v3/translation_memories/import", deepl_import);
    add("POST", "/v3/translation_memories/{id}/export", deepl_export);
    deepl_add(router, {.method = "PUT",
                       .path = "/v3/translation_memories/jobs/{job}/file",
                       .handler = [&services, jobs](Call& call) { deepl_upload_memory(services, *jobs, call); },
                       .access = Access::open,
                       .body = Body::file,
                       .check_head =
                           [jobs](const http::Request& head, const auto& parameters) {
                               deepl_check_import(*jobs, head, parameters.at("job"));
                           }});
    add("GET", "/v3/translation_memories/jobs/{job}/file", deepl_download_memory, Access::open);
    deepl_add(router,
              {"GET", "/v3/translation_memories/jobs/{job}",
               [&services, jobs](Call& call) {
                   call.exchange->send(json_response(deepl_job_info(services, jobs->get(call.account.owner,
                                                                                        call.parameters.at("job")))));
               },
               Access::key, Body::memory, false});
}

}  // namespace serve::api
