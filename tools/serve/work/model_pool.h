// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "serve/work/catalog.h"
#include "serve/work/models.h"
#include "serve/work/translator_counts.h"

namespace serve::work {

// Models on the device, and translators over several of them. Any thread; loading is for one thread at a time.
class ModelPool {
public:
    // A model with its translator, which all requests share: each translator has a thread of its own.
    struct Loaded {
        std::string name;
        std::shared_ptr<dragoman::Model> model;
        std::shared_ptr<dragoman::Translator> translator;
    };
    explicit ModelPool(const ModelsOptions& options);
    ~ModelPool();

    // The way over these models where it is loaded, otherwise null. It counts as used now.
    std::shared_ptr<Way> find(const std::vector<std::shared_ptr<const CatalogModel>>& path, const std::string& from,
                              const std::string& to);
    // Loads what is missing of it; makes room for that. Throws dragoman::Error, with the models as they were before.
    std::shared_ptr<Way> load(const std::vector<std::shared_ptr<const CatalogModel>>& path, const std::string& from,
                              const std::string& to);
    void load(const CatalogModel& model);
    // From its files, beside the old one where there is room, and then in its place: requests find one or the other.
    void load_again(const CatalogModel& model);
    bool has(const std::string& name) const;
    void drop(const std::string& name);
    void lost(const Way& way);

    Models::DeviceState device() const;
    dragoman_stats stats() const;

private:
    struct Slot {
        std::shared_ptr<Loaded> loaded;
        std::uint64_t used = 0;  // when: a number that grows
    };
    struct Route {
        std::vector<std::shared_ptr<Loaded>> models;
        std::shared_ptr<dragoman::Translator> translator;
        std::uint64_t used = 0;
    };
    using Key = std::vector<std::string>;  // names of models, then both languages

    std::shared_ptr<dragoman::Device> open();
    std::shared_ptr<Loaded> read(const CatalogModel& model, const std::set<std::string>& kept);
    bool drop_idle(const std::set<std::string>& kept, bool also_used);
    void make_room(const CatalogModel& model, const std::set<std::string>& kept);
    std::uint64_t held_bytes() const;
    // What was taken out of the pool; others may still use it.
    struct Gone {
        std::shared_ptr<Loaded> model;
        std::vector<std::shared_ptr<Route>> routes;
    };
    Gone take_out(const std::string& name);  // with `mutex_` held
    void put(const std::string& name, std::shared_ptr<Loaded> loaded);  // in place of the old one, if there is one

    const ModelsOptions options_;
    mutable std::mutex mutex_;
    std::shared_ptr<dragoman::Device> device_;
    std::map<std::string, Slot> slots_;
    std::map<Key, std::shared_ptr<Route>> routes_;
    std::map<std::string, std::uint64_t> device_bytes_;  // as measured when a model was loaded
    std::uint64_t clock_ = 0;
    const std::shared_ptr<TranslatorCounts> counts_;
};

}  // namespace serve::work
