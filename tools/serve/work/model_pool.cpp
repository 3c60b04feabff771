// SPDX-License-Identifier: Apache-2.0
#include "serve/work/model_pool.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace serve::work {
namespace {

constexpr std::size_t kMostRoutes = 32;

dragoman_compute_type compute_type(const std::string& name) {
    if (name.empty() || name == "auto") return DRAGOMAN_COMPUTE_AUTO;
    if (name == "float32") return DRAGOMAN_COMPUTE_F32;
    if (name == "float16") return DRAGOMAN_COMPUTE_F16;
    if (name == "int8") return DRAGOMAN_COMPUTE_INT8;
    if (name == "int8_float16") return DRAGOMAN_COMPUTE_INT8_FLOAT16;
    throw std::runtime_error("compute type: expected auto, float32, float16, int8 or int8_float16, got " + name);
}

}  // namespace

ModelPool::ModelPool(const ModelsOptions& options) : options_(options), counts_(std::make_shared<TranslatorCounts>()) {
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

std::shared_ptr<ModelPool::Loaded> ModelPool::read(const CatalogModel& model, const std::set<std::string>& kept) {
    for (bool reopened = false;;) {
        const std::shared_ptr<dragoman::Device> device = open();
        dragoman::ModelOptions options(*device);
        options.compute_type = compute_type(options_.compute_type);
        try {
            auto loaded = std::make_shared<Loaded>();
            loaded->name = model.name;
            loaded->model = std::make_shared<dragoman::Model>(model.path, options);
            loaded->translator = counts_->counted(std::make_unique<dragoman::Translator>(*loaded->model));
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
    put(model.name, read(model, {}));
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
    put(model.name, std::move(fresh));
}

bool ModelPool::has(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return slots_.contains(name);
}

ModelPool::Gone ModelPool::take_out(const std::string& name) {
    Gone gone;
    const auto slot = slots_.find(name);
    if (slot == slots_.end()) return gone;
    gone.model = std::move(slot->second.loaded);
    slots_.erase(slot);
    for (auto route = routes_.begin(); route != routes_.end();) {
        const bool has_it = std::ranges::find(route->second->models, gone.model) != route->second->models.end();
        if (has_it) gone.routes.push_back(route->second);
        route = has_it ? routes_.erase(route) : std::next(route);
    }
    return gone;
}

void ModelPool::drop(const std::string& name) {
    Gone gone;  // goes when the lock has gone
    const std::lock_guard lock(mutex_);
    gone = take_out(name);
}

void ModelPool::put(const std::string& name, std::shared_ptr<Loaded> loaded) {
    Gone old;  // goes when the lock has gone
    const std::lock_guard lock(mutex_);
    old = take_out(name);
    slots_[name] = {std::move(loaded), ++clock_};
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
        put(model->name, read(*model, kept));
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
            route->translator =
                counts_->counted(std::make_unique<dragoman::Translator>(models, from.c_str(), to.c_str()));
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

dragoman_stats ModelPool::stats() const { return counts_->sum(); }

}  // namespace serve::work
