// SPDX-License-Identifier: Apache-2.0
#include "registry/catalog.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/environment.h"
#include "base/error.h"
#include "base/nearest.h"
#include "registry/access_token.h"
#include "registry/iso_time.h"
#include "registry/list_cache.h"
#include "registry/merit.h"
#include "registry/mirror.h"
#include "registry/safe_text.h"
#include "registry/shapes/shapes.h"
#include "spec/language_pairs.h"
#include "store/model_name.h"
#include "store/places.h"

namespace dragoman::registry {
namespace {

constexpr uint64_t kMostListBytes = 64ull << 20;
constexpr double kListConnectSeconds = 10;  // there are several to ask, and old lists will do

// Refuses a list that is worse than what may be here already.
ListContent read_new_list(const Registry& registry, const std::string& body) {
    ListContent content = read_list(registry, body);
    if (content.entries.empty() || content.broken * 2 > content.items)
        fail(Status::bad_model, "the list of {} is broken: {} models in {} items, {} of these cannot be read{}{}",
             registry.id, content.entries.size(), content.items, content.broken, content.broken ? "; the first: " : "",
             content.first_broken);
    return content;
}

std::optional<ListContent> read_old_list(const Registry& registry, const std::string& body) {
    try {
        return read_list(registry, body);
    } catch (const Error&) {  // its data file was another one
        return std::nullopt;
    }
}

void add_problem(std::string& problem, const std::string& more) { problem += (problem.empty() ? "" : "; ") + more; }

// The best entry whose languages are the very ones that a name spells in another way.
const Entry* find_by_languages(const std::vector<Entry>& entries, std::string_view name) {
    for (const auto& [from, to] : spec::language_pairs_in(name)) {
        const Entry* best = nullptr;
        std::optional<Merit> best_merit;
        for (const Entry& entry : entries) {
            const Candidate candidate = candidate_of(entry, 0);
            const bool same = candidate.from.size() == 1 && candidate.to.size() == 1 &&
                              spec::same_language(candidate.from[0], from) && spec::same_language(candidate.to[0], to);
            if (!same || (best_merit && *best_merit < candidate.merit)) continue;
            best = &entry;
            best_merit = candidate.merit;
        }
        if (best) return best;
    }
    return nullptr;
}

}  // namespace

Catalog::Catalog(CatalogOptions options) : options_(std::move(options)), registries_(registry::registries()) {
    options_.offline |= environment_flag("DRAGOMAN_OFFLINE");
    for (const std::string& id : options_.only) find_registry(registries_, id);
}

void Catalog::fill(Kept& kept, const Registry& registry) const {
    Listing& listing = kept.listing;
    listing.registry = &registry;
    const std::string url = mirrored(registry, registry.list_url);
    auto cached = read_cached_list(store::lists_folder(), registry.id);
    std::optional<ListContent> content;
    if (cached && !(content = read_old_list(registry, cached->body))) cached.reset();
    if (cached) listing.fetched_at = cached->fetched_at;

    const bool young = cached && cached->url == url && cached->age_hours >= 0 &&
                       cached->age_hours < options_.most_age_hours;
    if (options_.offline) {
        if (!cached) listing.problem = "its list is not on this machine, and it is not asked while offline";
    } else if (options_.refresh || !young) {
        download::Settings settings = options_.transfer;
        settings.most_text_bytes = std::min(settings.most_text_bytes, kMostListBytes);
        settings.connect_seconds = std::min(settings.connect_seconds, kListConnectSeconds);
        if (!options_.refresh) settings.attempts = std::min(settings.attempts, cached ? 1 : 2);
        try {
            download::Request request;
            request.url = url;
            const std::string body = download::get_text(request, settings, options_.progress).body;
            content = read_new_list(registry, body);
            listing.fetched_at = iso_time_now();
            try {
                write_cached_list(store::lists_folder(), registry.id, url, body);
            } catch (const Error& error) {
                add_problem(listing.problem, std::string("the list cannot be kept: ") + error.what());
            }
        } catch (const Error& error) {
            if (error.status() == Status::cancelled) throw;
            add_problem(listing.problem, error.what());
            if (cached) add_problem(listing.problem, "its list of " + cached->fetched_at + " is used");
        }
    }
    if (!content) return;
    if (content->broken > 0)
        add_problem(listing.problem, fmt::format("{} of {} items of its list are left out, the first: {}",
                                                 content->broken, content->items, content->first_broken));
    listing.entries = std::move(content->entries);
    kept.pinned = std::move(content->pinned);
}

const Catalog::Kept& Catalog::bring(const Registry& registry) {
    const auto [place, is_new] = kept_.try_emplace(registry.id);
    if (!is_new) return place->second;
    try {
        fill(place->second, registry);
    } catch (const Error& error) {
        if (error.status() == Status::cancelled) {
            kept_.erase(place);
            throw;
        }
        add_problem(place->second.listing.problem, error.what());
    }
    return place->second;
}

const std::vector<Listing>& Catalog::listings() {
    if (listed_) return listings_;
    std::vector<Listing> all;
    for (const Registry& registry : registries_) {
        const bool asked = options_.only.empty() ||
                           std::ranges::find(options_.only, registry.id) != options_.only.end();
        if (asked && !registry.list_url.empty()) all.push_back(bring(registry).listing);
    }
    listings_ = std::move(all);
    listed_ = true;
    return listings_;
}

std::vector<Entry> Catalog::search(const std::string& from, const std::string& to) {
    const spec::LanguageTag wanted_from = wanted_language(from), wanted_to = wanted_language(to);
    std::vector<std::pair<Merit, const Entry*>> fitting;
    for (const Listing& listing : listings())
        for (const Entry& entry : listing.entries)
            if (auto merit = candidate_of(entry, 0, options_.memory_bytes).between(wanted_from, wanted_to))
                fitting.emplace_back(std::move(*merit), &entry);
    std::ranges::sort(fitting, {}, &std::pair<Merit, const Entry*>::first);
    std::vector<Entry> entries;
    for (const auto& [merit, entry] : fitting) entries.push_back(*entry);
    return entries;
}

Entry Catalog::resolve(std::string_view text) {
    const auto name = store::ModelName::find(text);
    if (!name) fail(Status::invalid_argument, "{}: expected REGISTRY:MODEL, such as firefox:de-en", shown_text(text));
    const Registry& registry = find_registry(registries_, name->registry);
    if (registry.list_url.empty())
        return ask_registry(registry, name->model, options_.offline, options_.transfer, options_.progress);

    const Kept& kept = bring(registry);
    for (const std::vector<Entry>* entries : {&kept.listing.entries, &kept.pinned})
        if (const auto found = std::ranges::find(*entries, name->model, &Entry::model); found != entries->end())
            return *found;
    if (const Entry* found = find_by_languages(kept.listing.entries, name->model)) return *found;
    if (kept.listing.entries.empty())
        fail(Status::io_error, "{}: there is no list of {}: {}", name->str(), registry.title, kept.listing.problem);
    std::vector<std::string> names;
    for (const Entry& entry : kept.listing.entries) names.push_back(entry.name());
    fail(Status::invalid_argument, "{}: no such model in the list of {}; the nearest are {}{}", name->str(),
         kept.listing.fetched_at, fmt::join(nearest_names(name->str(), names, 4), ", "),
         kept.listing.problem.empty() ? "" : " (" + kept.listing.problem + ")");
}

void Catalog::ask_sizes(Entry& entry) const {
    if (options_.offline) return;
    std::vector<RemoteFile*> unknown;
    std::vector<download::Request> requests;
    for (RemoteFile& file : entry.files) {
        if (file.bytes > 0) continue;
        unknown.push_back(&file);
        requests.emplace_back();
        requests.back().url = file.url;
        requests.back().token = access_token(entry.registry);
    }
    if (requests.empty()) return;
    download::Settings settings = options_.transfer;
    settings.attempts = 1;
    settings.connect_seconds = std::min(settings.connect_seconds, kListConnectSeconds);
    settings.stall_seconds = std::min(settings.stall_seconds, kListConnectSeconds);
    const std::vector<uint64_t> sizes = download::get_sizes(requests, settings, options_.progress);
    for (std::size_t i = 0; i < unknown.size(); ++i) unknown[i]->bytes = sizes[i];
}

}  // namespace dragoman::registry
