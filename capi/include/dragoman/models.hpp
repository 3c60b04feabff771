// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// models.h for C++20. A library of its own, libdragoman_models; dragoman.hpp does not include this header.

#include <dragoman/models.h>
#include <dragoman/basics.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// How registries are asked and models brought; see dragoman_models_options.
struct ModelsOptions {
    /// Told how far a download is; false stops it. What it throws comes out of the call.
    using Progress = std::function<bool(const dragoman_download&)>;

    bool offline = false;                   ///< no network; so is DRAGOMAN_OFFLINE
    bool refresh = false;                   ///< asks for lists even where those that are kept are young
    bool again = false;                     ///< downloads, or shows as it is offered, what is there, too
    int parallel = 4;                       ///< files that come side by side
    std::vector<std::string> registries{};  ///< ids; empty: all
    uint64_t memory_bytes = 0;              ///< of the device that is to hold a model; 0: not known
    Progress progress{};                    ///< empty: nobody is told
};

/// Models that a call found; a range of dragoman_published_model.
class ModelList {
public:
    /// Takes over a list of the C API.
    explicit ModelList(dragoman_model_list* list) : list_(list) {}
    /// How many models there are.
    std::size_t size() const { return dragoman_model_list_count(list_.get()); }
    /// Whether there is none.
    bool empty() const { return size() == 0; }
    /// Model `i`, below size(); borrowed from the list.
    const dragoman_published_model& operator[](std::size_t i) const { return *dragoman_model_list_get(list_.get(), i); }
    /// File `file` of model `i`, below its file_count; borrowed from the list.
    const dragoman_published_file& file(std::size_t i, std::size_t file) const {
        return *dragoman_model_list_file(list_.get(), i, file);
    }
    /// What kept the list from being whole, a line each.
    std::string problems() const { return dragoman_model_list_problems(list_.get()); }

private:
    detail::Handle<dragoman_model_list, dragoman_model_list_destroy> list_;
};

namespace detail {

// The options of one call as the C functions take them.
class ModelsCall {
public:
    explicit ModelsCall(const ModelsOptions& options) : progress_(options.progress) {
        dragoman_models_options_init(&value_);
        if (options.offline) value_.offline = 1;
        value_.refresh = options.refresh;
        value_.again = options.again;
        value_.parallel = options.parallel;
        value_.memory_bytes = options.memory_bytes;
        for (const std::string& id : options.registries) registries_ += (registries_.empty() ? "" : ",") + id;
        value_.registries = registries_.c_str();
        value_.progress = [](const dragoman_download* at, void* user) {
            return static_cast<ModelsCall*>(user)->stop(*at);
        };
        value_.user = this;
    }
    ModelsCall(const ModelsCall&) = delete;
    const dragoman_models_options* get() const { return &value_; }
    void check(dragoman_status status) const {
        if (thrown_) std::rethrow_exception(thrown_);
        if (status != DRAGOMAN_OK) throw Error(status, dragoman_models_error());
    }
    template <class Call>
    ModelList list(Call&& call) const {
        dragoman_model_list* made = nullptr;
        check(call(&made));
        return ModelList(made);
    }

private:
    int32_t stop(const dragoman_download& at) noexcept {
        try {
            return progress_ && !progress_(at);
        } catch (...) {
            thrown_ = std::current_exception();
            return 1;
        }
    }
    const ModelsOptions::Progress& progress_;
    std::string registries_;
    std::exception_ptr thrown_;
    dragoman_models_options value_;
};

}  // namespace detail

/// See dragoman_models_installed().
inline ModelList installed_models() {
    return detail::ModelsCall({}).list([](auto** made) { return dragoman_models_installed(made); });
}

/// See dragoman_models_search().
inline ModelList search_models(const std::string& from, const std::string& to, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    return call.list([&](auto** made) { return dragoman_models_search(from.c_str(), to.c_str(), call.get(), made); });
}

/// See dragoman_models_installed_route().
inline ModelList installed_route(const std::string& from, const std::string& to) {
    return detail::ModelsCall({}).list([&](auto** made) {
        return dragoman_models_installed_route(from.c_str(), to.c_str(), made);
    });
}

/// See dragoman_models_route().
inline ModelList model_route(const std::string& from, const std::string& to, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    return call.list([&](auto** made) { return dragoman_models_route(from.c_str(), to.c_str(), call.get(), made); });
}

/// See dragoman_models_show().
inline ModelList show_model(const std::string& name, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    return call.list([&](auto** made) { return dragoman_models_show(name.c_str(), call.get(), made); });
}

/// See dragoman_models_download().
inline ModelList download_model(const std::string& name, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    return call.list([&](auto** made) { return dragoman_models_download(name.c_str(), call.get(), made); });
}

/// See dragoman_models_verify().
inline void verify_model(const std::string& name, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    call.check(dragoman_models_verify(name.c_str(), call.get()));
}

/// See dragoman_models_keep_file().
inline void keep_file(const std::string& name, const std::string& file, const ModelsOptions& options = {}) {
    const detail::ModelsCall call(options);
    call.check(dragoman_models_keep_file(name.c_str(), file.c_str(), call.get()));
}

/// See dragoman_models_remove().
inline void remove_model(const std::string& name) {
    detail::ModelsCall({}).check(dragoman_models_remove(name.c_str()));
}

/// See dragoman_models_clean(): how many bytes were removed.
inline uint64_t clean_downloads(double days) {
    uint64_t bytes = 0;
    detail::ModelsCall({}).check(dragoman_models_clean(days, &bytes));
    return bytes;
}

}  // namespace v1
}  // namespace dragoman
