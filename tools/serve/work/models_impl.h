// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "serve/work/catalog.h"
#include "serve/work/model_list.h"
#include "serve/work/model_loader.h"
#include "serve/work/model_pool.h"
#include "serve/work/models.h"

namespace serve::work {

struct Models::Impl {
    using Path = std::vector<std::shared_ptr<const CatalogModel>>;
    struct State {
        bool loading = false;
        std::string error;
        std::optional<Problem> problem;  // of the last load
        std::chrono::steady_clock::time_point retry;
        std::uint64_t requests = 0;
    };

    explicit Impl(const ModelsOptions& given);
    std::shared_ptr<const Catalog> models() const;
    std::shared_ptr<const CatalogModel> named(const std::string& name) const;  // throws Problem
    void replace(const std::function<void(ModelList&)>& change);

    // Below: model_ways.cpp.
    void find(const std::string& from, const std::string& to, const std::string& model, Found found);
    // On the loader's thread. Notes what loading these models comes to; throws what those who wait are told.
    void loading(const Path& path, const std::function<void()>& load);
    void load_one(const std::string& name);
    void load_way(const std::string& key, const Path& path, const std::string& from, const std::string& to);
    void note(const Path& path, bool is_loading, const std::string& failed, const std::string& error,
              const std::optional<Problem>& problem);

    const ModelsOptions options;
    std::mutex changing;  // one change of the list at a time
    ModelList list;       // guarded by it
    ModelPool pool;
    std::string first;
    mutable std::mutex mutex;  // of what follows
    std::shared_ptr<const Catalog> catalog;
    std::map<std::string, State> states;
    std::map<std::string, std::vector<Found>> waiting;
    ModelLoader loader;  // last: its thread uses all of it
};

}  // namespace serve::work
