// SPDX-License-Identifier: Apache-2.0
#include <dragoman/models.h>

#include <algorithm>

#include "arguments.h"
#include "base/environment.h"
#include "base/os/path_text.h"
#include "lists.h"
#include "own_guard.h"
#include "registry/catalog.h"
#include "registry/choice.h"
#include "registry/install.h"
#include "registry/list_cache.h"
#include "store/installed.h"
#include "store/model_name.h"
#include "store/places.h"

namespace dragoman::capi {
namespace {

std::string text(const char* given) { return given ? given : ""; }

dragoman_models_options default_options() {
    dragoman_models_options options{};
    options.struct_size = sizeof options;
    options.offline = environment_flag("DRAGOMAN_OFFLINE");
    options.parallel = 4;
    return options;
}

// The caller's options, checked.
struct Wishes {
    explicit Wishes(const dragoman_models_options* given) : options(read_options(given, "options", default_options())) {
        flag(options.offline, "options.offline");
        flag(options.refresh, "options.refresh");
        flag(options.again, "options.again");
        if (options.parallel < 1 || options.parallel > 16)
            fail(Status::invalid_argument, "options.parallel: expected 1 to 16, got {}", options.parallel);
    }

    registry::CatalogOptions catalog() const {
        registry::CatalogOptions made;
        made.offline = options.offline != 0;
        made.refresh = options.refresh != 0;
        made.memory_bytes = options.memory_bytes;
        std::string ids = text(options.registries);
        for (std::size_t begin = 0; begin < ids.size();) {
            const std::size_t end = std::min(ids.find(',', begin), ids.size());
            if (end > begin) made.only.push_back(ids.substr(begin, end - begin));
            begin = end + 1;
        }
        made.progress = progress("");
        return made;
    }

    download::ProgressFn progress(std::string model) const {
        if (!options.progress) return {};
        return [this, model = std::move(model)](const download::Progress& at) {
            dragoman_download told{};
            told.struct_size = sizeof told;
            told.model = model.c_str();
            told.file = at.file.c_str();
            told.note = at.note.c_str();
            told.done_bytes = at.done_bytes;
            told.total_bytes = at.total_bytes;
            return options.progress(&told, options.user) == 0;
        };
    }

    dragoman_models_options options;
};

void give(std::unique_ptr<dragoman_model_list> made, dragoman_model_list** list) { *list = made.release(); }

void add_problems(dragoman_model_list& list, registry::Catalog& catalog) {
    for (const registry::Listing& listing : catalog.listings())
        if (!listing.problem.empty()) list.add_problem(listing.registry->id + ": " + listing.problem);
}

void add_route(dragoman_model_list& list, registry::Catalog& catalog, const registry::Route& route) {
    for (registry::Entry entry : route.models) {
        if (const auto there = store::find_installed(entry.name())) {
            list.add(*there);
            continue;
        }
        catalog.ask_sizes(entry);
        list.add(entry, catalog.registries());
    }
}

store::Installed installed_named(const std::string& name) {
    if (auto model = store::find_installed(name)) return *std::move(model);
    fail(Status::invalid_argument, "{}: is not on this machine", name);
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_models_options_init_sized(dragoman_models_options* options, size_t struct_size) {
    return own::guard([&] { write_struct(options, struct_size, default_options(), "options"); });
}

dragoman_status dragoman_models_installed(dragoman_model_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        auto made = std::make_unique<dragoman_model_list>();
        std::vector<std::string> problems;
        for (const store::Installed& model : store::installed(&problems)) made->add(model);
        for (const std::string& problem : problems) made->add_problem(problem);
        give(std::move(made), list);
    });
}

dragoman_status dragoman_models_search(const char* from, const char* to, const dragoman_models_options* options,
                                       dragoman_model_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        const Wishes wishes(options);
        registry::Catalog catalog(wishes.catalog());
        auto made = std::make_unique<dragoman_model_list>();
        const std::vector<store::Installed> here = store::installed();
        for (const registry::Entry& entry : catalog.search(text(from), text(to))) {
            made->add(entry, catalog.registries());
            const auto same = std::ranges::find(here, entry.name(), &store::Installed::name);
            if (same != here.end()) made->note_installed(*same);
        }
        add_problems(*made, catalog);
        give(std::move(made), list);
    });
}

dragoman_status dragoman_models_installed_route(const char* from, const char* to, dragoman_model_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        auto made = std::make_unique<dragoman_model_list>();
        for (const store::Installed& model : registry::find_installed_route(store::installed(), text(from), text(to)))
            made->add(model);
        give(std::move(made), list);
    });
}

dragoman_status dragoman_models_route(const char* from, const char* to, const dragoman_models_options* options,
                                      dragoman_model_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        const Wishes wishes(options);
        auto made = std::make_unique<dragoman_model_list>();
        for (const store::Installed& model :
             registry::find_installed_route(store::installed(), text(from), text(to), wishes.options.memory_bytes))
            made->add(model);
        if (made->models.empty()) {
            registry::Catalog catalog(wishes.catalog());
            add_route(*made, catalog, registry::find_route(catalog, text(from), text(to)));
            add_problems(*made, catalog);
        }
        give(std::move(made), list);
    });
}

dragoman_status dragoman_models_show(const char* name, const dragoman_models_options* options,
                                     dragoman_model_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        required(name, "name");
        const Wishes wishes(options);
        auto made = std::make_unique<dragoman_model_list>();
        const auto there = store::find_installed(name);
        if (there && !wishes.options.again) {
            made->add(*there);
        } else {
            registry::Catalog catalog(wishes.catalog());
            registry::Entry entry = catalog.resolve(name);
            catalog.ask_sizes(entry);
            made->add(entry, catalog.registries());
        }
        give(std::move(made), list);
    });
}

dragoman_status dragoman_models_download(const char* name, const dragoman_models_options* options,
                                         dragoman_model_list** list) {
    return own::guard([&] {
        if (list) *list = nullptr;
        required(name, "name");
        const Wishes wishes(options);
        auto made = std::make_unique<dragoman_model_list>();
        const auto there = store::find_installed(name);
        if (there && !wishes.options.again && store::what_is_missing(*there).empty()) {
            made->add(*there);
        } else {
            registry::Catalog catalog(wishes.catalog());
            const registry::Entry entry = catalog.resolve(name);
            if (wishes.options.offline)
                fail(Status::io_error,
                     "{}: is not on this machine, and there is no network by --offline or DRAGOMAN_OFFLINE",
                     entry.name());
            registry::InstallOptions how;
            how.again = wishes.options.again != 0;
            how.parallel = wishes.options.parallel;
            how.progress = wishes.progress(entry.name());
            made->add(registry::install(entry, how));
        }
        if (list) give(std::move(made), list);
    });
}

dragoman_status dragoman_models_verify(const char* name, const dragoman_models_options* options) {
    return own::guard([&] {
        required(name, "name");
        const Wishes wishes(options);
        const store::Installed model = installed_named(name);
        std::string differs;
        for (const registry::Verified& file : registry::verify(model, wishes.progress(model.name)))
            if (!file.problem.empty())
                differs += fmt::format("{}{}: {}", differs.empty() ? "" : "; ", file.file, file.problem);
        if (!differs.empty()) fail(Status::bad_model, "{}: {}", model.name, differs);
    });
}

dragoman_status dragoman_models_keep_file(const char* name, const char* file, const dragoman_models_options* options) {
    return own::guard([&] {
        required(name, "name");
        required(file, "file");
        const Wishes wishes(options);
        registry::keep_file(installed_named(name), path_of(file), wishes.progress(name));
    });
}

dragoman_status dragoman_models_remove(const char* name) {
    return own::guard([&] {
        required(name, "name");
        registry::remove(installed_named(name));
    });
}

dragoman_status dragoman_models_clean(double days, uint64_t* bytes) {
    return own::guard([&] {
        if (!(days >= 0)) fail(Status::invalid_argument, "days: expected 0 or more, got {}", days);
        const uint64_t removed = registry::remove_leftovers(days);
        if (bytes) *bytes = removed;
    });
}

const char* dragoman_models_folder(void) {
    static thread_local std::string folder;
    const dragoman_status status = own::guard([&] { folder = text_of(store::models_folder()); });
    return status == DRAGOMAN_OK ? folder.c_str() : "";
}

dragoman_status dragoman_registries(dragoman_registry_list** list) {
    return own::guard([&] {
        required(list, "list") = nullptr;
        auto made = std::make_unique<dragoman_registry_list>();
        made->kept = registry::registries();
        for (const registry::Registry& each : made->kept) {
            const auto list = each.list_url.empty() ? std::nullopt
                                                    : registry::read_cached_list(store::lists_folder(), each.id);
            made->times.push_back(list ? list->fetched_at : "");
            made->registries.push_back({.struct_size = sizeof(dragoman_registry),
                                        .reserved = 0,
                                        .id = each.id.c_str(),
                                        .title = each.title.c_str(),
                                        .homepage = each.homepage.c_str(),
                                        .license = each.license.c_str(),
                                        .notice = each.notice.c_str(),
                                        .list_url = each.list_url.c_str(),
                                        .mirror = each.mirror_variable.c_str(),
                                        .file = each.file.c_str(),
                                        .list_time = made->times.back().c_str()});
        }
        *list = made.release();
    });
}

const char* dragoman_models_error(void) { return own::latest_error.data(); }
