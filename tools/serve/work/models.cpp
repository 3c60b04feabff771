// SPDX-License-Identifier: Apache-2.0
#include "serve/work/models.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "serve/work/catalog.h"
#include "serve/work/model_list.h"
#include "serve/work/model_pool.h"
#include "serve/work/published.h"

namespace serve::work {
namespace {

using Path = std::vector<std::shared_ptr<const CatalogModel>>;
constexpr std::chrono::seconds kFailureHolds{10};  // then a model is tried again

Problem service_ends() { return {Problem::Kind::busy, "the service ends", "", 5}; }

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

ModelInfo shown(const CatalogModel& model) {
    ModelInfo info;
    info.name = model.name;
    info.path = model.path;
    for (const auto* side : {&model.from, &model.to})
        for (const CatalogModel::Language& language : *side)
            (side == &model.from ? info.from : info.to).push_back({language.tag, language.spelling, language.name});
    info.state = "known";
    info.family = model.family;
    info.license = model.license;
    info.bytes = model.bytes;
    info.many_targets = model.tells_languages && model.to.size() > 1;
    return info;
}

}  // namespace

struct Models::Impl {
    struct State {
        bool loading = false;
        std::string error;
        std::optional<Problem> problem;  // of the last load
        std::chrono::steady_clock::time_point retry;
        std::uint64_t requests = 0;
    };
    struct Task {
        std::function<void()> run;
        std::function<void()> refuse;  // where the service ends before
    };

    explicit Impl(const ModelsOptions& given) : options(given), list(read_models(given)), pool(given) {
        catalog = std::make_shared<const Catalog>(list.models);
        first = catalog->models().front()->name;
        loader = std::thread([this] { work(); });
        if (options.preload) post({[this] { load_one(first); }, [] {}});
    }
    ~Impl() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        changed.notify_all();
        loader.join();
        for (const Task& task : tasks) task.refuse();
    }

    void post(Task task) {
        bool refused = false;
        {
            const std::lock_guard lock(mutex);
            refused = stopping;
            if (!refused) tasks.push_back(std::move(task));
        }
        if (refused) task.refuse();
        else changed.notify_one();
    }
    void work() {
        for (;;) {
            Task task;
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return stopping || !tasks.empty(); });
                if (stopping) return;
                task = std::move(tasks.front());
                tasks.pop_front();
            }
            task.run();
        }
    }
    // Runs on the loader's thread, and waits for it.
    void run_there(const std::function<void()>& what) {
        std::promise<void> done;
        post({[&] {
                  try {
                      what();
                      done.set_value();
                  } catch (...) {
                      done.set_exception(std::current_exception());
                  }
              },
              [&] { done.set_exception(std::make_exception_ptr(service_ends())); }});
        done.get_future().get();
    }

    std::shared_ptr<const Catalog> models() const {
        const std::lock_guard lock(mutex);
        return catalog;
    }
    std::shared_ptr<const CatalogModel> named(const std::string& name) const {
        auto model = models()->find(name);
        if (!model) throw Problem(Problem::Kind::not_found, "model " + name + " is not served here", name);
        return model;
    }

    // Notes what loading these models came to; throws what those who wait are told.
    void loading(const Path& path, const std::function<void()>& load) {
        const auto note = [&](bool is_loading, const std::string& failed, const std::string& error,
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
        };
        note(true, "", "", {});
        try {
            load();
            note(false, "", "", {});
        } catch (const dragoman::Error& error) {
            const auto missing = std::ranges::find_if(path, [&](const auto& model) { return !pool.has(model->name); });
            const std::string name = missing == path.end() ? path.back()->name : (*missing)->name;
            const Problem problem = cannot_load(name, error.status());
            note(false, name, error.what(), problem);
            throw problem;
        }
    }
    void load_one(const std::string& name) {
        try {
            const auto model = named(name);
            loading({model}, [&] { pool.load(*model); });
        } catch (const Problem&) {  // list() says it
        }
    }

    void find(const std::string& from, const std::string& to, const std::string& model, Found found);
    void load_way(const std::string& key, const Path& path, const std::string& from, const std::string& to);
    Path path_of(const Catalog& all, const std::string& from, const std::string& to, const std::string& model) const;
    void replace(const std::function<void(ModelList&)>& change);

    const ModelsOptions options;
    ModelList list;  // guarded by `changing`
    ModelPool pool;
    std::string first;
    mutable std::mutex mutex;
    std::mutex changing;  // one change of the list at a time
    std::condition_variable changed;
    std::shared_ptr<const Catalog> catalog;
    std::map<std::string, State> states;
    std::map<std::string, std::vector<Found>> waiting;
    std::deque<Task> tasks;
    bool stopping = false;
    std::thread loader;
};

Path Models::Impl::path_of(const Catalog& all, const std::string& from, const std::string& to,
                           const std::string& model) const {
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
    if (is_first) post({[=, this] { load_way(key, path, from, to); }, [=, this] { load_way(key, {}, from, to); }});
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

void Models::Impl::replace(const std::function<void(ModelList&)>& change) {
    const std::lock_guard one_at_a_time(changing);
    ModelList next = list;
    change(next);
    auto made = std::make_shared<const Catalog>(next.models);
    list = std::move(next);
    const std::lock_guard lock(mutex);
    catalog = std::move(made);
}

Models::Models(const ModelsOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Models::~Models() = default;

std::vector<ServedLanguage> Models::languages() const { return impl_->models()->languages(); }
std::string Models::language(const std::string& given) const { return impl_->models()->language(given); }
bool Models::translates(const std::string& from, const std::string& to) const {
    return impl_->models()->translates(from, to);
}

void Models::way(const std::string& from, const std::string& to, const std::string& model, Found found) {
    impl_->find(from, to, model, std::move(found));
}

std::vector<ModelInfo> Models::list() const {
    std::vector<ModelInfo> infos;
    for (const auto& model : impl_->models()->models()) {
        ModelInfo info = shown(*model);
        const bool loaded = impl_->pool.has(model->name);
        const std::lock_guard lock(impl_->mutex);
        if (const auto state = impl_->states.find(model->name); state != impl_->states.end()) {
            info.requests = state->second.requests;
            info.error = state->second.error;
            if (!info.error.empty()) info.state = "failed";
            if (state->second.loading) info.state = "loading";
        }
        if (loaded) info.state = "loaded";
        infos.push_back(std::move(info));
    }
    return infos;
}

std::optional<ModelInfo> Models::find(const std::string& name) const {
    for (ModelInfo& info : list())
        if (info.name == name) return std::move(info);
    return {};
}

bool Models::ready() const {
    const auto model = impl_->options.preload ? find(impl_->first) : std::nullopt;
    return !model || model->state == "loaded" || model->state == "failed";
}

ModelInfo Models::add(const std::string& name, const Progress& progress) {
    const bool published = is_published_name(name);
    if (!published && !impl_->models()->find(name))
        throw Problem(Problem::Kind::bad_request, name + " is no name of a published model", name);
    std::optional<PublishedModel> given;
    if (published) given = bring_model(name, impl_->options.offline, progress);
    impl_->replace([&](ModelList& list) { list.put(name, given); });
    if (impl_->pool.has(name)) {
        const auto model = impl_->named(name);
        impl_->run_there([&] { impl_->loading({model}, [&] { impl_->pool.load_again(*model); }); });
    }
    return find(name).value();
}

void Models::load(const std::string& name) {
    const auto model = impl_->named(name);
    impl_->run_there([&] { impl_->loading({model}, [&] { impl_->pool.load(*model); }); });
}

void Models::unload(const std::string& name) {
    impl_->named(name);
    impl_->run_there([&] { impl_->pool.drop(name); });
}

void Models::remove(const std::string& name) {
    impl_->named(name);
    if (impl_->models()->models().size() == 1)
        throw Problem(Problem::Kind::gone_by, "model " + name + " is the only one that is served", name);
    impl_->replace([&](ModelList& list) { list.remove(name); });
    impl_->run_there([&] { impl_->pool.drop(name); });
}

void Models::reload() {
    impl_->replace([](ModelList& list) { list.read_again(); });
    impl_->run_there([this] {
        for (const auto& model : impl_->models()->models())
            if (impl_->pool.has(model->name)) {
                try {
                    impl_->loading({model}, [&] { impl_->pool.load_again(*model); });
                } catch (const Problem&) {  // the old one goes on; list() says why
                }
            }
    });
}

Models::DeviceState Models::device() const { return impl_->pool.device(); }
dragoman_stats Models::stats() const { return impl_->pool.stats(); }
void Models::lost(const Way& way) { impl_->pool.lost(way); }
std::vector<std::string> Models::notes() const {
    const std::lock_guard lock(impl_->changing);
    return impl_->list.notes;
}

}  // namespace serve::work
