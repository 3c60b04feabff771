// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "serve/guard/guard.h"
#include "serve/http/server.h"
#include "serve/router.h"
#include "serve/watch/log.h"
#include "serve/watch/metrics.h"
#include "serve/work/detection.h"
#include "serve/work/documents.h"
#include "serve/work/glossaries.h"
#include "serve/work/memories.h"
#include "serve/work/models.h"
#include "serve/work/translations.h"

namespace serve {

// What handlers work with. All of it lives as long as the service and may be used by any thread.
struct Services {
    work::Models& models;
    work::Translations& translations;
    work::Documents& documents;
    work::Glossaries& glossaries;
    work::Memories& memories;
    guard::Guard& guard;
    watch::Metrics& metrics;
    watch::Log& log;
    std::filesystem::path uploads;   // a folder for files that come and go
    std::string public_url;  // "https://translate.example.org/lt", as the operator gave it; empty: see url_of()
    bool documents_allowed = true, suggestions_allowed = false, page_allowed = true;
    std::int64_t max_texts = -1, max_alternatives = -1, max_characters = -1;  // as clients are told; -1: no limit
    std::uint64_t max_body_bytes = std::uint64_t(8) << 20, max_file_bytes = std::uint64_t(64) << 20;
    bool log_texts = false;  // only where the operator asks for it
    std::function<http::ServerCounts()> counts{};
    std::function<void(std::function<void()>)> post{};  // runs something on a worker thread
    std::filesystem::path state{};  // folder for what lasts; empty: nothing does

    // Translates for a call: counts its characters against its limits, cancels when the client goes, and hands the answer to
    // `done` on a worker thread. Problems, also those `done` throws, are answered in `form`. Returns at once.
    using Done = std::function<void(Call&, const work::Answer&)>;
    void translate(const Call& call, work::Ask ask, ErrorForm form, Done done);

    // Absolute address of a path of this service: of public_url, otherwise of the address that it listens on. Never from the
    // Host header.
    std::string url_of(const std::string& path) const;
    std::string own_address{};  // "http://127.0.0.1:5000"
};

}  // namespace serve
