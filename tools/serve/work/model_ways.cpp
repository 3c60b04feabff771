// SPDX-License-Identifier: Apache-2.0
// From languages to models that are loaded.
#include <algorithm>
#include <exception>
#include <utility>

#include "serve/work/models_impl.h"

namespace serve::work {
namespace {

using Path = std::vector<std::shared_ptr<const CatalogModel>>;
constexpr std::chrono::seconds kFailureHolds{10};  // then a model is tried again

// What clients read of a model that cannot be loaded; where its files lie is for the operator.
Problem cannot_load(const std::string& name, dragoman_status status) {
    if (status == DRAGOMAN_OUT_OF_MEMORY)
        return {Problem::Kind::busy, "model " + name + ": the device has no memory for it now", name, 5};
    const char* why = status == DRAGOMAN_BAD_MODEL     ? "its files are damaged"
                      : status == DRAGOMAN_IO_ERROR    ? "its files cannot be read"
                      : status == DRAGOMAN_DEVICE_LOST ? "the device was lost"
                      : status == DRAGOMAN_NO_DEVICE   ? "there is no device"
                      : status == DRAGOMAN_UNSUPPORTED ? "the device or this version does not support it"
                                                       : "loading it failed";
    return {Problem::Kind::failed, "model " + name + " cannot be loaded: " + why, name,
            static_cast<int>(kFailureHolds.count())};
}

dragoman_status status_of(const std::exception& error) {
    const auto* known = dynamic_cast<const dragoman::Error*>(&error);
    return known ? known->status() : DRAGOMAN_INTERNAL;
}

Path path_of(const Catalog& all, const std::string& from, const std::string& to, const std::string& model) {
    if (!model.empty()) {
        const auto wanted = all.find(model);
        if (!wanted) throw Problem(Problem::Kind::not_found, "model " + model + " is not served here", model);
        const auto source = LanguageCode::read(from), target = LanguageCode::read(to);
        if (source && target && wanted->source(*source) && wanted->target(*target)) return {wanted};
        throw Problem(Problem::Kind::unsupported_pair, "model " + model + " does not lead from " + from + " to " + to,
                      model);
    }
    Path path = all.path(from, to);
    for (const std::string& tag : {from, to})
        if (path.empty() && all.language(tag).empty())
            throw Problem(Problem::Kind::unsupported_language, tag + " is not supported", tag);
    if (path.empty())
        throw Problem(Problem::Kind::unsupported_pair, "no model leads from " + from + " to " + to, from + "-" + to);
    return path;
}

}  // namespace

void Models::Impl::find(const std::string& from, const std::string& to, const std::string& model, Found found) {
    Path path;
    try {
        path = path_of(*models(), from, to, model);
    } catch (const Problem& problem) {
        return found(problem);
    }
    if (auto way = pool.find(path, from, to)) {
        {
            const std::lock_guard lock(mutex);
            for (const auto& each : path) ++states[each->name].requests;
        }
        return found(std::move(way));
    }
    std::optional<Problem> problem;
    const std::string key = from + '\n' + to + '\n' + model;
    bool is_first = false;
    {
        const std::lock_guard lock(mutex);
        for (const auto& each : path) {
            const State& state = states[each->name];
            if (state.problem && std::chrono::steady_clock::now() < state.retry) problem = state.problem;
        }
        if (!problem) {
            auto& all = waiting[key];
            is_first = all.empty();
            all.push_back(std::move(found));
        }
    }
    if (problem) return found(*problem);
    if (is_first)
        loader.post({[=, this] { load_way(key, path, from, to); }, [=, this] { load_way(key, {}, from, to); }});
}

void Models::Impl::note(const Path& path, bool is_loading, const std::string& failed, const std::string& error,
                        const std::optional<Problem>& problem) {
    const std::lock_guard lock(mutex);
    for (const auto& model : path) {
        State& state = states[model->name];
        const bool here = model->name == failed;
        state.loading = is_loading;
        state.error = here ? error : "";
        state.problem = here ? problem : std::nullopt;
        state.retry = std::chrono::steady_clock::now() + kFailureHolds;
    }
}

void Models::Impl::loading(const Path& path, const std::function<void()>& load) {
    note(path, true, "", "", {});
    try {
        load();
        note(path, false, "", "", {});
    } catch (const std::exception& error) {
        const auto missing = std::ranges::find_if(path, [&](const auto& model) { return !pool.has(model->name); });
        const std::string name = missing == path.end() ? path.back()->name : (*missing)->name;
        const Problem problem = cannot_load(name, status_of(error));
        note(path, false, name, error.what(), problem);
        throw problem;
    }
}

void Models::Impl::load_one(const std::string& name) {
    try {
        const auto model = named(name);
        loading({model}, [&] { pool.load(*model); });
    } catch (const Problem&) {  // list() says it
    }
}

// An empty path: nothing is loaded any more.
void Models::Impl::load_way(const std::string& key, const Path& path, const std::string& from, const std::string& to) {
    std::variant<std::shared_ptr<Way>, Problem> result = service_ends();
    if (!path.empty()) {
        try {
            std::shared_ptr<Way> way;
            loading(path, [&] { way = pool.load(path, from, to); });
            if (way) result = std::move(way);
            else result = Problem(Problem::Kind::busy, "models are being changed", "", 1);
        } catch (const Problem& problem) {
            result = problem;
        }
    }
    std::vector<Found> all;
    {
        const std::lock_guard lock(mutex);
        all = std::move(waiting[key]);
        waiting.erase(key);
        for (const auto& model : path) states[model->name].requests += all.size();
    }
    for (const Found& found : all) found(result);
}

}  // namespace serve::work
