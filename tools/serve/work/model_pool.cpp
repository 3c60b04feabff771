// SPDX-License-Identifier: Apache-2.0
#include "serve/work/model_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace serve::work {
namespace {

constexpr std::size_t kMostRoutes = 32;
constexpr std::chrono::seconds kWaitForRoom{5};
constexpr std::uint64_t kRoomForWork = std::uint64_t(64) << 20;  // that a model's translations take besides it

dragoman_compute_type compute_type(const std::string& name) {
    if (name.empty() || name == "auto") return DRAGOMAN_COMPUTE_AUTO;
    if (name == "float32") return DRAGOMAN_COMPUTE_F32;
    if (name == "float16") return DRAGOMAN_COMPUTE_F16;
    if (name == "int8") return DRAGOMAN_COMPUTE_INT8;
    throw std::runtime_error("compute type: expected auto, float32, float16 or int8, got " + name);
}

void add(dragoman_stats& sum, const dragoman_stats& more) {
    sum.sentences += more.sentences;
    sum.source_tokens += more.source_tokens;
    sum.target_tokens += more.target_tokens;
    sum.batches += more.batches;
    sum.decoder_steps += more.decoder_steps;
    sum.repeated_sentences += more.repeated_sentences;
    sum.dispatches_per_step = std::max(sum.dispatches_per_step, more.dispatches_per_step);
    // These are the device's, whichever translator is asked.
    sum.submissions = std::max(sum.submissions, more.submissions);
    sum.host_waits = std::max(sum.host_waits, more.host_waits);
    sum.dispatches = std::max(sum.dispatches, more.dispatches);
    sum.memory_bytes = more.memory_bytes;
    sum.memory_peak_bytes = std::max(sum.memory_peak_bytes, more.memory_peak_bytes);
    sum.host_peak_bytes = std::max(sum.host_peak_bytes, more.host_peak_bytes);
}

}  // namespace

struct ModelPool::Counts {
    std::mutex mutex;
    dragoman_stats sum{};
};

ModelPool::ModelPool(const ModelsOptions& options) : options_(options), gone_(std::make_shared<Counts>()) {
    compute_type(options_.compute_type);
    open();
}

ModelPool::~ModelPool() = default;

std::shared_ptr<dragoman::Device> ModelPool::open() {
    const std::lock_guard lock(mutex_);
    if (device_) return device_;
    dragoman::DeviceOptions options;
    options.name = options_.device.c_str();
    options.cache_dir = options_.cache_dir.c_str();
    options.memory_limit_bytes = options_.memory_bytes;
    device_ = std::make_shared<dragoman::Device>(options);
    return device_;
}

// Its counters outlive it.
std::shared_ptr<dragoman::Translator> ModelPool::counted(std::unique_ptr<dragoman::Translator> translator) {
    return {translator.release(), [gone = gone_](dragoman::Translator* old) {
                try {
                    const dragoman_stats last = old->stats();
                    const std::lock_guard lock(gone->mutex);
                    add(gone->sum, last);
                } catch (const dragoman::Error&) {  // on a thread where it may not be asked: what it did is not counted
                }
                delete old;
            }};
}

std::uint64_t ModelPool::held_bytes() const {
    std::shared_ptr<dragoman::Device> device;
    {
        const std::lock_guard lock(mutex_);
        device = device_;
    }
    return device ? device->memory().held_bytes : 0;
}

// The one that was used least recently; those at work only where `also_used`.
bool ModelPool::drop_idle(const std::set<std::string>& kept, bool also_used) {
    std::string oldest;
    {
        const std::lock_guard lock(mutex_);
        std::uint64_t when = 0;
        for (const auto& [name, slot] : slots_) {
            long users = slot.loaded.use_count() - 1;
            bool in_route = false;
            for (const auto& [key, route] : routes_) {
                const long here = std::ranges::count(route->models, slot.loaded);
                users -= here;
                in_route |= here > 0 && route.use_count() > 1;
            }
            const bool used = users > 0 || in_route;
            if (kept.contains(name) || (used && !also_used) || (!oldest.empty() && slot.used > when)) continue;
            oldest = name;
            when = slot.used;
        }
    }
    if (!oldest.empty()) drop(oldest);
    return !oldest.empty();
}

void ModelPool::make_room(const CatalogModel& model, const std::set<std::string>& kept) {
    const auto count = [&] {
        const std::lock_guard lock(mutex_);
        return slots_.size();
    };
    while (options_.most_loaded && count() >= options_.most_loaded &&
           (drop_idle(kept, false) || drop_idle(kept, true))) {}
    if (!options_.memory_bytes) return;
    std::uint64_t needed = std::max<std::uint64_t>(model.bytes, 2 * model.parameters);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = device_bytes_.find(model.name); known != device_bytes_.end()) needed = known->second;
    }
    needed += std::min(kRoomForWork, options_.memory_bytes / 4);
    const auto fits = [&] { return held_bytes() + needed <= options_.memory_bytes; };
    if (!fits()) open()->trim();
    while (!fits() && drop_idle(kept, false)) {}
    while (!fits() && drop_idle(kept, true)) {}
    // Requests at work still hold what was dropped.
    const auto end = std::chrono::steady_clock::now() + kWaitForRoom;
    while (!fits() && count() <= kept.size() && std::chrono::steady_clock::now() < end && held_bytes() > 0 &&
           needed <= options_.memory_bytes)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

std::shared_ptr<ModelPool::Loaded> ModelPool::read(const CatalogModel& model, const std::set<std::string>& kept) {
    for (bool reopened = false;;) {
        const std::shared_ptr<dragoman::Device> device = open();
        dragoman::ModelOptions options(*device);
        options.compute_type = compute_type(options_.compute_type);
        try {
            auto loaded = std::make_shared<Loaded>();
            loaded->name = model.name;
            loaded->model = std::make_shared<dragoman::Model>(model.path, options);
            loaded->translator = counted(std::make_unique<dragoman::Translator>(*loaded->model));
            const std::lock_guard lock(mutex_);
            device_bytes_[model.name] = loaded->model->info().device_bytes;
            return loaded;
        } catch (const dragoman::Error& error) {
            if (error.status() == DRAGOMAN_OUT_OF_MEMORY && drop_idle(kept, false)) continue;
            if (error.status() != DRAGOMAN_DEVICE_LOST || reopened) throw;
            reopened = true;
            std::map<std::string, Slot> old;
            std::map<Key, std::shared_ptr<Route>> old_routes;
            const std::lock_guard lock(mutex_);
            old.swap(slots_);
            old_routes.swap(routes_);
            device_.reset();
        }
    }
}

void ModelPool::load(const CatalogModel& model) {
    if (has(model.name)) return;
    make_room(model, {});
    auto loaded = read(model, {});
    const std::lock_guard lock(mutex_);
    slots_[model.name] = {std::move(loaded), ++clock_};
}

void ModelPool::load_again(const CatalogModel& model) {
    std::shared_ptr<Loaded> fresh;
    try {
        fresh = read(model, {model.name});
    } catch (const dragoman::Error& error) {
        if (error.status() != DRAGOMAN_OUT_OF_MEMORY) throw;
        drop(model.name);
        make_room(model, {});
        fresh = read(model, {});
    }
    drop(model.name);
    const std::lock_guard lock(mutex_);
    slots_[model.name] = {std::move(fresh), ++clock_};
}

bool ModelPool::has(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return slots_.contains(name);
}

void ModelPool::drop(const std::string& name) {
    std::shared_ptr<Loaded> model;  // goes when the lock has gone
    std::vector<std::shared_ptr<Route>> routes;
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find(name);
    if (slot == slots_.end()) return;
    model = std::move(slot->second.loaded);
    slots_.erase(slot);
    for (auto route = routes_.begin(); route != routes_.end();) {
        const bool has_it = std::ranges::find(route->second->models, model) != route->second->models.end();
        if (has_it) routes.push_back(route->second);
        route = has_it ? routes_.erase(route) : std::next(route);
    }
}

void ModelPool::lost(const Way& way) {
    std::map<std::string, Slot> old;
    std::map<Key, std::shared_ptr<Route>> old_routes;
    const std::lock_guard lock(mutex_);
    const bool current = std::ranges::any_of(slots_, [&](const auto& slot) {
        return std::ranges::find(way.loaded, slot.second.loaded->model) != way.loaded.end();
    });
    if (!current) return;
    old.swap(slots_);
    old_routes.swap(routes_);
    device_.reset();
}

std::shared_ptr<Way> ModelPool::find(const std::vector<std::shared_ptr<const CatalogModel>>& path,
                                     const std::string& from, const std::string& to) {
    auto way = std::make_shared<Way>();
    Key key;
    const std::lock_guard lock(mutex_);
    for (const auto& model : path) {
        const auto slot = slots_.find(model->name);
        if (slot == slots_.end()) return nullptr;
        slot->second.used = ++clock_;
        way->models.push_back(model->name);
        key.push_back(model->name);
        const std::shared_ptr<Loaded>& loaded = slot->second.loaded;
        way->loaded.emplace_back(loaded, loaded->model.get());
        way->translator = {loaded, loaded->translator.get()};
    }
    if (path.size() == 1) {
        const CatalogModel& model = *path.front();
        if (!model.tells_languages) return way;
        way->from = model.source(LanguageCode::read(from).value())->tag;
        way->to = model.target(LanguageCode::read(to).value())->tag;
        return way;
    }
    key.insert(key.end(), {from, to});
    const auto route = routes_.find(key);
    if (route == routes_.end()) return nullptr;
    route->second->used = ++clock_;
    way->translator = {route->second, route->second->translator.get()};
    return way;
}

std::shared_ptr<Way> ModelPool::load(const std::vector<std::shared_ptr<const CatalogModel>>& path,
                                     const std::string& from, const std::string& to) {
    std::set<std::string> kept;
    for (const auto& model : path) kept.insert(model->name);
    for (const auto& model : path) {
        if (has(model->name)) continue;
        make_room(*model, kept);
        auto loaded = read(*model, kept);
        const std::lock_guard lock(mutex_);
        slots_[model->name] = {std::move(loaded), ++clock_};
    }
    if (path.size() > 1) {
        auto route = std::make_shared<Route>();
        std::vector<const dragoman::Model*> models;
        Key key;
        std::shared_ptr<Route> oldest;
        const std::lock_guard lock(mutex_);
        for (const auto& model : path) {
            const auto slot = slots_.find(model->name);
            if (slot == slots_.end()) return nullptr;
            route->models.push_back(slot->second.loaded);
            models.push_back(slot->second.loaded->model.get());
            key.push_back(model->name);
        }
        key.insert(key.end(), {from, to});
        if (!routes_.contains(key)) {
            route->translator = counted(std::make_unique<dragoman::Translator>(models, from.c_str(), to.c_str()));
            if (routes_.size() >= kMostRoutes) {
                const auto old = std::ranges::min_element(routes_, {},
                                                          [](const auto& each) { return each.second->used; });
                oldest = old->second;
                routes_.erase(old);
            }
            routes_[key] = route;
        }
    }
    return find(path, from, to);
}

Models::DeviceState ModelPool::device() const {
    std::shared_ptr<dragoman::Device> device;
    {
        const std::lock_guard lock(mutex_);
        device = device_;
    }
    if (!device) return {};
    const dragoman_device_info info = device->info();
    const dragoman_memory_info memory = device->memory();
    return {info.name, info.driver, memory.held_bytes, memory.peak_bytes, memory.limit_bytes, memory.heap_bytes};
}

dragoman_stats ModelPool::stats() const {
    std::vector<std::shared_ptr<dragoman::Translator>> translators;
    dragoman_stats sum;
    {
        const std::lock_guard lock(gone_->mutex);
        sum = gone_->sum;
    }
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [name, slot] : slots_) translators.push_back(slot.loaded->translator);
        for (const auto& [key, route] : routes_) translators.push_back(route->translator);
    }
    for (const auto& translator : translators) add(sum, translator->stats());
    sum.struct_size = sizeof sum;
    return sum;
}

}  // namespace serve::work
