// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "serve/api/libretranslate/libretranslate.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

constexpr std::uintmax_t kMostSuggestionBytes = std::uintmax_t(64) << 20;

// Better translations that readers propose, a line of JSON each, for the operator to look through.
class LibreSuggestions {
public:
    explicit LibreSuggestions(std::filesystem::path file) : file_(std::move(file)) {}
    void add(const Json& suggestion) {
        const std::lock_guard lock(mutex_);
        std::error_code none;
        const std::uintmax_t bytes = std::filesystem::file_size(file_, none);
        const std::string line = suggestion.dump() + "\n";
        if (!none && bytes + line.size() > kMostSuggestionBytes)
            throw Problem(Problem::Kind::forbidden, fmt::format("{} bytes of suggestions are kept, and the limit is {}",
                                                                bytes, kMostSuggestionBytes));
        std::ofstream out(file_, std::ios::binary | std::ios::app);
        out << line;
        out.flush();
        if (!out) throw Problem(Problem::Kind::failed, "the suggestion cannot be kept");
    }

private:
    std::filesystem::path file_;
    std::mutex mutex_;
};

void libre_suggest(const Services& services, LibreSuggestions& suggestions, Call& call) {
    if (!services.suggestions_allowed || services.state.empty())
        throw Problem(Problem::Kind::forbidden, "Suggestions are disabled on this server.");
    Json suggestion;
    for (const char* name : {"q", "s", "source", "target"}) {
        suggestion[name] = needed_text(call.fields, name);
        count_characters(suggestion[name].get_ref<const std::string&>(), name);
    }
    suggestions.add(suggestion);
    call.exchange->send(json_response({{"success", true}}));
}

}  // namespace

void add_libretranslate_suggestions(Router& router, Services& services) {
    const auto suggestions = std::make_shared<LibreSuggestions>(services.state / "suggestions.jsonl");
    Route route = libretranslate_route("POST", "/suggest", [&services, suggestions](Call& call) {
        libre_suggest(services, *suggestions, call);
    });
    route.access = Access::open;
    router.add(std::move(route));
}

}  // namespace serve::api
