// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/api/deepl/parameters.h"
#include "serve/ascii.h"
#include "serve/fields.h"
#include "serve/guard/secrets.h"
#include "serve/work/kept_files.h"

namespace serve::api {
namespace {

std::string deepl_ending(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string() : in_small_letters(name.substr(dot + 1));
}

void deepl_upload(Services& services, Call& call) {
    if (!services.documents_allowed)
        throw Problem(Problem::Kind::forbidden, "documents: turned off by the operator", "document");
    const auto file = std::ranges::find(call.uploads, std::string("file"), &http::Upload::field);
    if (file == call.uploads.end())
        throw Problem(Problem::Kind::missing, "Parameter 'file' not specified: a file in multipart/form-data.", "file");
    services.guard.check_quota(call.account.owner);
    const DeeplParameters parameters = deepl_parameters(services, call.fields);
    work::DocumentAsk ask;
    ask.name = text(call.fields, "filename", file->name);
    const std::string ending = deepl_ending(ask.name), wanted = in_small_letters(text(call.fields, "output_format"));
    if (!wanted.empty() && wanted != ending)
        throw Problem(Problem::Kind::unsupported,
                      "output_format: a " + ending + " document stays one; " + wanted + " is not supported",
                      "output_format");
    ask.file = file->path;
    ask.from = parameters.from;
    ask.to = parameters.to;
    ask.glossaries = parameters.glossaries;
    ask.memory = parameters.memory;
    ask.owner = call.account.owner;
    ask.durable = true;
    const work::DocumentState state = services.documents.add(std::move(ask));
    call.exchange->send(json_response({{"document_id", state.id}, {"document_key", state.secret}}));
}

// Somebody else's document and a wrong key look like a document that is not there.
work::DocumentState deepl_document(Services& services, const Call& call) {
    const std::string& id = call.parameters.at("id");
    const std::string key = text(call.fields, "document_key");
    if (key.empty()) throw Problem(Problem::Kind::missing, "Parameter 'document_key' not specified.", "document_key");
    const Problem missing(Problem::Kind::not_found, "Document not found", id);
    work::DocumentState state;
    try {
        state = services.documents.get(id);
    } catch (const Problem& problem) {
        if (problem.kind != Problem::Kind::not_found) throw;
        throw missing;
    }
    if (state.owner != call.account.owner || !guard::equal(state.secret, key)) throw missing;
    return state;
}

void deepl_document_status(Services& services, Call& call) {
    const work::DocumentState state = deepl_document(services, call);
    Json status{{"document_id", state.id}, {"status", state.state == "cancelled" ? "error" : state.state}};
    if (state.state == "translating" && state.seconds_remaining >= 0)
        status["seconds_remaining"] = state.seconds_remaining;
    if (state.state == "done") status["billed_characters"] = state.characters;
    if (state.state == "error" || state.state == "cancelled")
        status["error_message"] = state.error.empty() ? "The document was cancelled." : state.error;
    call.exchange->send(json_response(status));
}

// The file is taken out of the document's folder first: of two that ask at once, one gets it.
std::filesystem::path deepl_take_result(Services& services, const work::DocumentState& state) {
    const std::filesystem::path taken = services.uploads / ("result-" + work::random_uuid());
    std::error_code error;
    std::filesystem::rename(state.result, taken, error);
    if (error == std::errc::cross_device_link) {
        std::filesystem::copy_file(state.result, taken, error);
        if (!error && !std::filesystem::remove(state.result, error)) {
            std::filesystem::remove(taken, error);
            error = std::make_error_code(std::errc::no_such_file_or_directory);
        }
    }
    if (error) throw Problem(Problem::Kind::not_found, "Document not found", state.id);
    return taken;
}

void deepl_document_result(Services& services, Call& call) {
    const work::DocumentState state = deepl_document(services, call);
    if (state.state == "error" || state.state == "cancelled")
        throw Problem(Problem::Kind::not_found,
                      "Document has no translation: " + (state.error.empty() ? state.state : state.error), state.id);
    if (state.state != "done")
        throw Problem(Problem::Kind::busy, "Document is not ready: " + state.state, state.id,
                      std::max(1, state.seconds_remaining));
    http::Response response;
    response.file = deepl_take_result(services, state);
    response.remove_file = true;
    response.content_type = "application/octet-stream";
    response.headers.push_back({"Content-Disposition", "attachment"});
    services.documents.remove(state.id);
    call.exchange->send(std::move(response));
}

}  // namespace

void deepl_add_documents(Router& router, Services& services) {
    deepl_add(router, {"POST", "/v2/document", [&services](Call& call) { deepl_upload(services, call); }, Access::key,
                       Body::file});
    deepl_add(router, {"POST", "/v2/document/{id}", [&services](Call& call) { deepl_document_status(services, call); },
                       Access::key, Body::memory, false});
    deepl_add(router,
              {"POST", "/v2/document/{id}/result", [&services](Call& call) { deepl_document_result(services, call); }});
}

}  // namespace serve::api
