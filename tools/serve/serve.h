// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "serve/guard/guard.h"
#include "serve/http/server.h"
#include "serve/watch/log.h"
#include "serve/work/documents.h"
#include "serve/work/models.h"
#include "serve/work/translations.h"

namespace serve {

// `dragoman serve`, with all that its options say.
struct ServeOptions {
    http::ServerOptions http;
    work::ModelsOptions models;
    work::TranslationsOptions translations;
    guard::GuardOptions guard;
    std::filesystem::path state;      // keys, glossaries, documents; empty: the user's folder for state
    std::string public_url;
    std::uint64_t max_body_bytes = std::uint64_t(8) << 20, max_file_bytes = std::uint64_t(64) << 20;
    std::uint64_t max_memories_bytes = std::uint64_t(4) << 30;  // of translation memories of all clients
    bool documents = true, suggestions = false, page = true, metrics = false;
    std::string metrics_token;        // empty: /metrics needs none
    std::int64_t max_texts = 10'000;  // of one request; -1: no limit
    std::int64_t max_alternatives = -1;
    std::size_t document_threads = 2;
    std::chrono::seconds grace{30};   // for requests at work when the service is told to end
    watch::LogForm log_form = watch::LogForm::text;
    watch::LogLevel log_level = watch::LogLevel::info;
    bool log_texts = false;           // only where the operator asks for it
    std::string ready_file;           // gets the address when it listens; for programs that start it
};

// Serves until SIGTERM or SIGINT; SIGHUP reloads models and certificate. Throws std::runtime_error and dragoman::Error.
void serve(const ServeOptions& options);

}  // namespace serve
