// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <utility>

#include "serve/api/own/ask.h"
#include "serve/api/own/job_json.h"
#include "serve/http/characters.h"

namespace serve::api {
namespace {

void own_allow_documents(const Services& services) {
    if (!services.documents_allowed)
        throw Problem(Problem::Kind::forbidden, "documents are turned off in this service");
}

// A document of the one who asks; of nobody else there is any trace.
work::DocumentState own_document(Services& services, const Account& account, const std::string& id) {
    work::DocumentState state = services.documents.get(id);
    if (state.owner != account.owner) throw Problem(Problem::Kind::not_found, "there is no job " + id, "id");
    return state;
}

// The file of a multipart body, or the body itself with its name in the query.
work::DocumentAsk own_document_ask(Call& call) {
    work::DocumentAsk ask;
    if (!call.uploads.empty()) {
        const http::Upload& upload = call.uploads.front();
        ask.file = upload.path;
        ask.name = upload.name;
    } else {
        ask.file = call.request().body_file;
        if (ask.file.empty() || call.request().body_bytes == 0 || own_is_form(call.request()))
            throw Problem(Problem::Kind::missing, "file is missing", "file");
    }
    ask.name = text(call.fields, "name", ask.name);
    if (ask.name.empty()) throw Problem(Problem::Kind::missing, "name is missing", "name");
    ask.format = text(call.fields, "format");
    ask.output_name = text(call.fields, "output_name");
    ask.from = text(call.fields, "from", "auto");
    ask.to = own_needed(call.fields, "to");
    ask.model = text(call.fields, "model");
    ask.options = own_options(call.fields);
    if (auto glossaries = texts(call.fields, "glossary")) ask.glossaries = std::move(glossaries->values);
    ask.memory = text(call.fields, "memory");
    ask.owner = call.account.owner;
    ask.durable = flag(call.fields, "durable", true);
    return ask;
}

void own_add_document(Services& services, Call& call) {
    own_allow_documents(services);
    work::DocumentAsk ask = own_document_ask(call);
    services.guard.check_quota(call.account.owner);
    const work::DocumentState state = services.documents.add(std::move(ask));
    http::Response response = json_response(own_document_json(state), 202);
    response.headers.push_back({"Location", services.url_of("/v1/jobs/" + state.id)});
    call.exchange->send(std::move(response));
}

void own_jobs(const OwnParts& parts, Call& call) {
    Json jobs = Json::array();
    // Without keys everybody is the same owner: then only who runs the service sees them all.
    if (!call.account.owner.empty() || call.account.admin)
        for (const work::DocumentState& state : parts.services.documents.list(call.account.owner))
            jobs.push_back(own_document_json(state));
    if (call.account.admin)
        for (const OwnJob& job : parts.downloads->list()) jobs.push_back(own_download_json(job));
    call.exchange->send(json_response({{"jobs", std::move(jobs)}}));
}

bool own_is_download(const Call& call) { return call.account.admin && call.parameters.at("id").starts_with("model-"); }

void own_job(const OwnParts& parts, Call& call) {
    const std::string& id = call.parameters.at("id");
    call.exchange->send(json_response(own_is_download(call)
                                          ? own_download_json(parts.downloads->get(id))
                                          : own_document_json(own_document(parts.services, call.account, id))));
}

void own_job_events(const OwnParts& parts, Call& call) {
    const std::string& id = call.parameters.at("id");
    if (own_is_download(call)) return own_follow_download(parts, call, id);
    own_document(parts.services, call.account, id);
    own_follow_document(parts, call, id);
}

// RFC 6266 and 8187: any name, whatever is in it.
std::string own_attachment(const std::string& name) {
    std::string encoded;
    for (const char byte : name) {
        const bool plain = http::is_digit(byte) || http::is_letter(byte) || byte == '.' || byte == '-' || byte == '_';
        if (plain) encoded += byte;
        else encoded += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
    return "attachment; filename*=UTF-8''" + encoded;
}

void own_job_result(Services& services, Call& call) {
    const work::DocumentState state = own_document(services, call.account, call.parameters.at("id"));
    if (state.state != "done")
        throw Problem(Problem::Kind::gone_by, "the job is " + state.state + ", it has no result", "id",
                      work::has_ended(state) ? 0 : 1);
    http::Response response;
    response.content_type = "application/octet-stream";
    response.headers = {{"Content-Disposition", own_attachment(state.output_name)}};
    response.file = state.result;
    call.exchange->send(std::move(response));
}

// One under way is stopped, and forgotten with the next DELETE.
void own_end_job(const OwnParts& parts, Call& call) {
    const std::string& id = call.parameters.at("id");
    if (own_is_download(call)) {
        parts.downloads->cancel(id);
    } else {
        const work::DocumentState state = own_document(parts.services, call.account, id);
        if (work::has_ended(state)) parts.services.documents.remove(id);
        else parts.services.documents.cancel(id);
    }
    call.exchange->send(no_content());
}

}  // namespace

void add_own_documents(Router& router, const OwnParts& parts) {
    Services& services = parts.services;
    router.add(own_route(
        "POST", "/v1/documents", [&services](Call& call) { own_add_document(services, call); }, Access::key,
        Body::file));
    router.add(own_route("GET", "/v1/jobs", [parts](Call& call) { own_jobs(parts, call); }, Access::key, Body::none));
    router.add(
        own_route("GET", "/v1/jobs/{id}", [parts](Call& call) { own_job(parts, call); }, Access::key, Body::none));
    router.add(own_route(
        "GET", "/v1/jobs/{id}/events", [parts](Call& call) { own_job_events(parts, call); }, Access::key, Body::none));
    router.add(own_route(
        "GET", "/v1/jobs/{id}/result", [&services](Call& call) { own_job_result(services, call); }, Access::key,
        Body::none));
    router.add(own_route(
        "DELETE", "/v1/jobs/{id}", [parts](Call& call) { own_end_job(parts, call); }, Access::key, Body::none));
}

}  // namespace serve::api
