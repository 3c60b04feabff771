// SPDX-License-Identifier: Apache-2.0
#include "serve/measures.h"

#include <algorithm>

#include "serve/guard/secrets.h"

namespace serve {
namespace {

double loaded(const work::Models& models) {
    return static_cast<double>(std::ranges::count_if(models.list(),
                                                     [](const auto& each) { return each.state == "loaded"; }));
}

}  // namespace

void add_measures(watch::Metrics& metrics, Services& services) {
    work::Translations& translations = services.translations;
    const auto counter = [&](const char* name, const char* help, auto value) {
        metrics.add(name, "counter", help, [&translations, value] { return double(translations.counts().*value); });
    };
    using Counts = work::TranslationCounts;
    counter("dragoman_translation_requests_total", "Translations that were asked for", &Counts::requests);
    counter("dragoman_texts_total", "Texts of these", &Counts::texts);
    counter("dragoman_characters_total", "Characters of these", &Counts::characters);
    counter("dragoman_joined_total", "Translations that shared the work of an equal one", &Counts::joined);
    counter("dragoman_cancelled_total", "Translations that nobody waited for any more", &Counts::cancelled);
    counter("dragoman_failed_total", "Translations that failed", &Counts::failed);
    counter("dragoman_refused_total", "Translations that the queue had no room for", &Counts::refused);
    counter("dragoman_cache_hits_total", "Sentences that were answered from memory", &Counts::cache_hits);
    counter("dragoman_sentences_total", "Sentences that went through a model", &Counts::sentences);
    counter("dragoman_source_tokens_total", "Source tokens of these", &Counts::source_tokens);
    counter("dragoman_target_tokens_total", "Target tokens of these", &Counts::target_tokens);
    metrics.add("dragoman_translations_waiting", "gauge", "Translations at work or waiting",
                [&translations] { return double(translations.counts().waiting); });
    metrics.add("dragoman_documents_waiting", "gauge", "Documents at work or waiting",
                [&services] { return double(services.documents.waiting()); });
    metrics.add("dragoman_models_loaded", "gauge", "Models on the device",
                [&services] { return loaded(services.models); });
    metrics.add("dragoman_device_memory_bytes", "gauge", "Device memory that models and their work hold",
                [&services] { return double(services.models.device().held_bytes); });
    metrics.add("libretranslate_http_requests_in_flight", "gauge", "HTTP requests that are not answered yet",
                [&services] { return double(services.counts().requests_in_flight); });
    metrics.add("dragoman_connections", "gauge", "Open connections",
                [&services] { return double(services.counts().connections); });
    metrics.add("dragoman_refused_connections_total", "counter", "Connections beyond the limit",
                [&services] { return double(services.counts().refused_connections); });
    metrics.add("dragoman_http_memory_bytes", "gauge", "Bodies of requests and answers that are not sent",
                [&services] { return double(services.counts().memory_bytes); });
}

void add_metrics(Router& router, Services& services, const std::string& token) {
    router.add({.method = "GET",
                .path = "/metrics",
                .handler =
                    [&services, token](Call& call) {
                        const std::string wanted = "Bearer " + token;
                        if (!token.empty() && !guard::equal(call.request().header("Authorization"), wanted))
                            throw Problem(Problem::Kind::unauthorized, "Unauthorized");
                        http::Response response;
                        response.content_type = "text/plain; version=0.0.4; charset=utf-8";
                        response.body = services.metrics.text();
                        call.exchange->send(std::move(response));
                    },
                .access = Access::open,
                .limited = false});
}

}  // namespace serve
