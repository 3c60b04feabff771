// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/lock.h"
#include "registry/install.h"
#include "registry/model_place.h"
#include "store/folders.h"
#include "store/places.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

bool is_locked(const fs::path& lock) {
    std::error_code none;
    if (!fs::exists(lock, none)) return false;
    try {
        const download::Lock mine(lock, [] { return false; });
        return false;
    } catch (const Error& error) {
        if (error.status() == Status::cancelled) return true;
        throw;
    }
}

uint64_t bytes_in(const fs::path& folder) {
    uint64_t bytes = 0;
    std::error_code error, gone;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(gone)) bytes += at->file_size(gone);
    return bytes;
}

double days_since_change(const fs::path& folder) {
    std::error_code error, gone;
    auto newest = fs::last_write_time(folder, error);
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (const auto time = fs::last_write_time(at->path(), gone); !gone) newest = std::max(newest, time);
    using Days = std::chrono::duration<double, std::ratio<86400>>;
    return Days(fs::file_time_type::clock::now() - newest).count();
}

uint64_t remove_if_idle(const fs::path& folder, const fs::path& lock_file) {
    if (is_locked(lock_file)) return 0;
    const download::Lock lock(lock_file, {});
    const uint64_t bytes = bytes_in(folder);
    remove_folder(folder);
    return bytes;
}

}  // namespace

// The folder goes out of sight at once: a process that ends in the midst of it leaves no half of a model.
void remove(const store::Installed& model) {
    const ModelPlace place = ModelPlace::of(model);
    std::error_code error;
    if (!fs::exists(place.target, error))
        fail(Status::io_error, "{}: there is no folder {}", model.name, text_of(place.target));
    const download::Lock lock(place.lock, {});
    place.recover();
    fs::rename(place.target, place.fresh, error);
    if (error) fail(Status::io_error, "cannot remove {}: {}", text_of(place.target), error.message());
    error = os::sync_folder(place.target.parent_path());
    if (error) fail(Status::io_error, "cannot remove {}: {}", text_of(place.target), error.message());
    remove_folder(place.fresh);
}

uint64_t remove_leftovers(double days) {
    uint64_t bytes = 0;
    for (const fs::path& registry : store::folders_in(store::partial_folder()))
        for (const fs::path& folder : store::folders_in(registry))
            if (days_since_change(folder) > days)
                bytes += remove_if_idle(folder, registry / path_of("." + text_of(folder.filename()) + ".lock"));
    for (const fs::path& registry : store::folders_in(store::models_folder())) {
        for (const ModelPlace& place : unfinished_places(registry)) {
            if (is_locked(place.lock)) continue;
            const download::Lock lock(place.lock, {});
            const uint64_t before = bytes_in(place.fresh) + bytes_in(place.old);
            place.recover();
            bytes += before - bytes_in(place.fresh) - bytes_in(place.old);
        }
    }
    return bytes;
}

}  // namespace dragoman::registry
