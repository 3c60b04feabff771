// SPDX-License-Identifier: Apache-2.0
#include "serve/serve.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <stdexcept>

#include "base/os/path_text.h"
#include "base/os/whole_file.h"
#include "serve/api/api.h"
#include "serve/environment.h"
#include "serve/folders.h"
#include "serve/http/signals.h"
#include "serve/measures.h"
#include "serve/service.h"

namespace serve {
namespace {

void write_ready(const std::string& path, const std::string& address) {
    dragoman::os::WholeFile file;
    std::string why = file.open(dragoman::path_of(path));
    if (why.empty()) why = file.write(address);
    if (why.empty()) why = file.finish();
    if (!why.empty()) throw std::runtime_error("--ready-file " + path + ": " + why);
}

void add_routes(Router& router, Services& services, const ServeOptions& options) {
    api::add_watching(router, services);
    if (options.metrics) add_metrics(router, services, options.metrics_token);
    api::add_azure(router, services);
    api::add_translate_path(router, services);
    api::add_libretranslate(router, services);
    api::add_own(router, services);
    api::add_deepl(router, services);
    api::add_google(router, services);
    api::add_mtranserver(router, services);
    api::add_nllb_api(router, services);
    api::add_lingva(router, services);
    api::add_openai(router, services);
    api::add_huggingface(router, services);
    api::add_specification(router, services);
    if (options.page) api::add_page(router, services);
}

std::string describe(const work::Models& models) {
    std::string names;
    for (const work::ModelInfo& model : models.list()) names += (names.empty() ? "" : ", ") + model.name;
    return names;
}

// What was found at the start and is not as it should be: a folder that is set aside, a model that cannot be read.
void tell(watch::Log& log, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) log.write(watch::LogLevel::warning, note);
}

// Reads models and certificate again, on a worker thread: it takes seconds, for which no signal to end must wait.
class Reload {
public:
    Reload(work::Models& models, watch::Log& log) : models_(models), log_(log) {}
    void start(http::Server& server) {
        log_.write(watch::LogLevel::info, "reading models and certificate again");
        if (asked_.fetch_add(1) == 0) server.post([this, &server] { run(server); });
    }
    void end() { ends_ = true; }  // what is not read for that is no fault

private:
    // Whoever asks meanwhile may have changed a file that was read already: it is all read once more. The certificate
    // comes first, since large models take long, and a fault of the one is none of the other.
    void run(http::Server& server) {
        int seen = asked_;
        do {
            attempt([&] { server.reload_certificate(); });
            attempt([&] { models_.reload(); });
        } while (!asked_.compare_exchange_strong(seen, 0));
    }
    void attempt(const std::function<void()>& read) {
        try {
            read();
        } catch (const std::exception& error) {
            if (!ends_) log_.write(watch::LogLevel::error, "cannot be read again", {{"why", error.what()}});
        }
    }
    work::Models& models_;
    watch::Log& log_;
    std::atomic<int> asked_ = 0;  // times since it was all read
    std::atomic<bool> ends_ = false;
};

// Ends what works in the background while there still is a service that it can call back.
struct Ending {
    work::Documents& documents;
    work::Translations& translations;
    work::Models& models;
    Reload& reload;
    watch::Log& log;
    ~Ending() {
        reload.end();
        documents.end();
        translations.drain(std::chrono::milliseconds(0));
        models.end();
        log.write(watch::LogLevel::info, "ended");
    }
};

}  // namespace

void serve(const ServeOptions& given) {
    ServeOptions options = given;
    watch::Log log(options.log_form, options.log_level);
    const Folders folders(state_folder(options.state));
    options.http.uploads = folders.uploads();
    if (options.guard.keys_file.empty()) options.guard.keys_file = keys_file_in(folders.state());
    const auto trouble = [&log](const std::string& what) { log.write(watch::LogLevel::error, what); };
    options.guard.trouble = trouble;
    watch::Metrics metrics;
    guard::Guard guard(options.guard);
    work::Models models(options.models);
    work::Translations translations(models, options.translations);
    work::Glossaries glossaries(folders.glossaries());
    work::Memories memories(folders.memories(), options.max_memories_bytes);
    work::Documents documents(
        models, translations, glossaries, memories,
        {.folder = folders.documents(),
         .threads = options.document_threads,
         .may_begin = [&guard](const std::string& owner, const std::string& id) { guard.check_quota(owner, id); },
         .charge = [&guard](const std::string& owner, const std::string& id,
                            std::uint64_t characters) { guard.charge_document(owner, id, characters); },
         .settled = [&guard](const std::string& id) { guard.forget_document(id); },
         .trouble = trouble});
    for (const auto& notes : {models.notes(), glossaries.notes(), memories.notes(), documents.notes()})
        tell(log, notes);
    Services services{.models = models,
                      .translations = translations,
                      .documents = documents,
                      .glossaries = glossaries,
                      .memories = memories,
                      .guard = guard,
                      .metrics = metrics,
                      .log = log,
                      .uploads = folders.uploads(),
                      .public_url = options.public_url,
                      .documents_allowed = options.documents,
                      .suggestions_allowed = options.suggestions,
                      .page_allowed = options.page,
                      .offline = options.models.offline,
                      .max_texts = options.max_texts,
                      .max_body_bytes = options.max_body_bytes,
                      .max_file_bytes = options.max_file_bytes,
                      .log_texts = options.log_texts,
                      .state = folders.state()};
    Router router;
    add_routes(router, services, options);
    Service service(router, services);
    Reload reload(models, log);
    http::Server server(options.http, service);
    const Ending ending{documents, translations, models, reload, log};
    services.counts = [&] { return server.counts(); };
    services.post = [&](std::function<void()> task) { server.post(std::move(task)); };
    services.own_address = server.address() + options.http.api_prefix;
    add_measures(metrics, services);
    const http::Signals signals({
        .end =
            [&](bool again) {
                log.write(watch::LogLevel::info,
                          again ? "ending at once" : "ending: requests at work are finished first");
                server.stop(again ? std::chrono::seconds(0) : options.grace);
            },
        .reload = [&] { reload.start(server); },
    });
    log.write(watch::LogLevel::info, "listening",
              {{"address", services.own_address}, {"models", describe(models)}, {"state", folders.state().string()}});
    if (!options.ready_file.empty()) write_ready(options.ready_file, server.address());
    server.run();
}

}  // namespace serve
