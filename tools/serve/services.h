// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/guard/guard.h"
#include "serve/http/server.h"
#include "serve/router.h"
#include "serve/watch/log.h"
#include "serve/watch/metrics.h"
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
    bool offline = false;           // lists of models are those that are here
    std::int64_t max_texts = 10'000;  // of one request; -1: no limit
    std::uint64_t max_body_bytes = std::uint64_t(8) << 20, max_file_bytes = std::uint64_t(64) << 20;
    bool log_texts = false;  // only where the operator asks for it
    std::function<http::ServerCounts()> counts{};
    std::function<void(std::function<void()>)> post{};  // runs something on a worker thread
    std::filesystem::path state{};  // folder for what lasts; empty: nothing does

    // Number and lengths of a request's texts, as their client wrote them; a key's own limit of length stands in place
    // of the service's. Throws Problem that names `field`. Gives how many characters they have.
    std::uint64_t check_texts(const Account& account, const std::vector<std::string>& texts,
                              std::string_view field) const;
    // The same, and counts the characters for whom they are, and logs the texts where the operator asked for it. Once
    // for each request, when nothing else is known to be wrong with it; an answer that is an error gives them back.
    void charge(const Call& call, const std::vector<std::string>& texts, std::string_view field);

    // Translates what was charged: cancels when the client goes, and hands the answer to `done` on a worker thread.
    // Problems, also those `done` throws, are answered in `form`. Returns at once.
    using Done = std::function<void(Call&, const work::Answer&)>;
    void translate(const Call& call, work::Ask ask, ErrorForm form, Done done);

    // Runs what answers an exchange; a problem becomes an answer in `form`, and what else it throws stands in the log.
    void answered(http::Exchange& exchange, ErrorForm form, const std::function<void()>& handler) const;
    // Writes why the request of an id failed, and gives what its client is told.
    Problem failure(const std::string& request, const std::exception& error) const;

    // The served tag of a language in any spelling; throws Problem (unsupported_language).
    std::string language(const std::string& given) const;

    // Absolute address of a path of this service: of public_url, otherwise of the address that it listens on. Never
    // from the Host header.
    std::string url_of(const std::string& path) const;
    std::string own_address{};  // "http://127.0.0.1:5000"
};

}  // namespace serve
