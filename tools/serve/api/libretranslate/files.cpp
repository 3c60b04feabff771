// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "serve/api/libretranslate/libretranslate.h"
#include "serve/api/shapes/shapes.h"
#include "serve/guard/secrets.h"
#include "serve/http/characters.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

const char kLibreNoFiles[] = "Files translation are disabled on this server.";

// Only letters, digits and what is common in names: it goes into a header and an address.
std::string libre_safe_name(const std::string& name) {
    std::string safe;
    for (const char c : name) {
        const bool kept = http::is_letter(c) || http::is_digit(c) || c == '-' || c == '_' || c == '.';
        if (kept || (!safe.empty() && safe.back() != '_')) safe += kept ? c : '_';
    }
    safe.erase(0, std::min(safe.find_first_not_of('.'), safe.size()));
    return safe.empty() ? "translation" : safe;
}

// Answers once, however many changes are told.
class LibreFile {
public:
    LibreFile(Services& services, const Call& call) : services_(services), exchange_(call.exchange) {}
    void changed(const work::DocumentState& state) {
        if (!work::has_ended(state)) return;
        if (answered_.exchange(true)) return;
        if (state.state != "done") {
            const std::string why = state.error.empty() ? "the translation was cancelled" : state.error;
            send_problem(*exchange_, Problem(state.over_quota ? Kind::quota : Kind::failed, why), libretranslate_error);
            return;
        }
        // The token stands in the query, which no log has.
        const std::string path = "/download_file/" + state.id + "." + libre_safe_name(state.output_name) +
                                 "?token=" + state.secret;
        exchange_->send(json_response({{"translatedFileUrl", services_.url_of(path)}}));
    }

private:
    Services& services_;
    std::shared_ptr<http::Exchange> exchange_;
    std::atomic<bool> answered_ = false;
};

const http::Upload& libre_upload(const Services& services, const Call& call) {
    const auto upload = std::ranges::find(call.uploads, "file", &http::Upload::field);
    if (upload == call.uploads.end()) throw missing("file");
    needed_text(call.fields, "source");
    needed_text(call.fields, "target");
    if (upload->name.empty()) throw Problem(Kind::bad_request, "Invalid request: empty file", "file");
    const std::string ending = std::filesystem::path(upload->name).extension().string();
    const std::vector<std::string> known = work::Documents::endings();
    if (std::ranges::find(known, ending) == known.end())
        throw Problem(Kind::bad_request, "Invalid request: file format not supported", "file");
    const std::string source = text(call.fields, "source"), target = text(call.fields, "target");
    if (source != "auto") services.language(source);
    services.language(target);
    return *upload;
}

void libre_translate_file(Services& services, Call& call) {
    if (!services.documents_allowed) throw Problem(Kind::forbidden, kLibreNoFiles);
    const http::Upload& upload = libre_upload(services, call);
    services.guard.check_quota(call.account.owner);
    work::DocumentAsk ask;
    ask.file = upload.path;
    ask.name = upload.name;
    ask.from = text(call.fields, "source");
    ask.to = text(call.fields, "target");
    ask.owner = call.account.owner;
    ask.durable = false;  // its client waits, and would not find it again
    const std::string id = services.documents.add(std::move(ask)).id;
    const auto file = std::make_shared<LibreFile>(services, call);
    // On a worker thread, since it writes to the disk.
    call.exchange->on_gone([&services, id] {
        services.post([&services, id] {
            try {
                services.documents.cancel(id);
            } catch (const Problem&) {
                return;  // it has ended and gone meanwhile
            }
        });
    });
    services.documents.watch(id, [file](const work::DocumentState& state) {
        file->changed(state);
        return true;
    });
}

// ID.NAME: whoever has the address may have the file, as at LibreTranslate; no part of it names a file of ours.
void libre_download(Services& services, Call& call) {
    if (!services.documents_allowed) throw Problem(Kind::bad_request, kLibreNoFiles);
    const Problem invalid(Kind::bad_request, "Invalid filename");
    const std::string& name = call.parameters["name"];
    const std::string token = text(call.fields, "token");
    work::DocumentState state;
    try {
        state = services.documents.get(name.substr(0, name.find('.')));
    } catch (const Problem&) {
        throw invalid;
    }
    if (token.empty() || !guard::equal(token, state.secret) || state.state != "done") throw invalid;
    http::Response response;
    response.content_type = "application/octet-stream";
    response.file = state.result;
    response.headers.push_back({"Content-Disposition",
                                "attachment; filename=\"" + libre_safe_name(state.output_name) + "\""});
    call.exchange->send(std::move(response));
}

}  // namespace

void add_libretranslate_files(Router& router, Services& services) {
    Route upload = libretranslate_route("POST", "/translate_file",
                                        [&services](Call& call) { libre_translate_file(services, call); });
    upload.body = Body::file;
    router.add(std::move(upload));
    Route download = libretranslate_route("GET", "/download_file/{name}",
                                          [&services](Call& call) { libre_download(services, call); });
    download.access = Access::open;
    download.body = Body::none;
    router.add(std::move(download));
}

}  // namespace serve::api
