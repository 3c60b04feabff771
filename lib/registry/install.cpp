// SPDX-License-Identifier: Apache-2.0
#include "registry/install.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/lock.h"
#include "download/space.h"
#include "registry/access_token.h"
#include "registry/first_use.h"
#include "registry/iso_time.h"
#include "registry/model_files.h"
#include "registry/model_place.h"
#include "spec/language_tag.h"
#include "store/elsewhere/hub_languages.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

constexpr auto kBetweenCalls = std::chrono::milliseconds(100);

std::vector<download::FileRequest> requests_of(const Entry& entry, const ModelFiles& place) {
    const std::string token = access_token(entry.registry);
    std::vector<download::FileRequest> requests;
    for (const RemoteFile& file : entry.files) {
        download::FileRequest request;
        request.url = file.url;
        request.token = token;
        request.where_to_accept = entry.gate;
        request.partial = place.transferred(file);
        request.bytes = file.bytes;
        request.sha256 = file.sha256;
        request.git_sha1 = file.git_sha1;
        requests.push_back(std::move(request));
    }
    return requests;
}

uint64_t size_of(const fs::path& file) {
    std::error_code none;
    const uint64_t bytes = fs::file_size(file, none);
    return none ? 0 : bytes;
}

// What is still to come, and what it becomes in the store. A file that is not packed is there once, unless the two folders
// are on two disks.
void check_space(const Entry& entry, const ModelFiles& place) {
    const bool one_volume = os::on_one_volume(place.partial, place.fresh.parent_path());
    uint64_t to_come = 0, in_store = 0;
    for (const RemoteFile& file : entry.files) {
        const uint64_t there = size_of(place.transferred(file));
        to_come += file.bytes > there ? file.bytes - there : 0;
        if (file.packing == Packing::none) in_store += one_volume ? 0 : file.bytes;
        else in_store += std::max(file.unpacked_bytes, file.bytes);
    }
    download::need_space(place.partial, one_volume ? to_come + in_store : to_come);
    if (!one_volume) download::need_space(place.fresh, in_store);
}

// The hash that a registry has of a file as it lies in the store; "" none.
std::string stored_hash(const RemoteFile& file) {
    if (file.packing == Packing::none) return file.sha256;
    return file.packing == Packing::file ? file.unpacked_sha256 : std::string();
}

bool is_this_version(const store::Installed& model, const fs::path& folder, const Entry& entry) {
    if (model.version != entry.version) return false;
    for (const RemoteFile& file : entry.files) {
        if (file.packing == Packing::archive) continue;
        const auto stored = std::ranges::find(model.files, stored_name(file), &store::StoredFile::name);
        if (stored == model.files.end()) return false;
        if (const std::string hash = stored_hash(file); !hash.empty() && hash != stored->sha256) return false;
    }
    return std::ranges::all_of(model.files, [&](const store::StoredFile& file) {
        std::error_code missing;
        return fs::file_size(folder / path_of(file.name), missing) == file.bytes && !missing;
    });
}

// The model as it is there, of whatever version.
std::optional<store::Installed> find_before(const ModelPlace& place) {
    std::error_code none;
    if (!fs::exists(place.target / store::kMetadataFile, none)) return std::nullopt;
    try {
        return store::read_metadata(place.target);
    } catch (const Error& error) {  // it is replaced
        log(LogLevel::warning, "{}", error.what());
    }
    return std::nullopt;
}

store::Installed describe(const Entry& entry, const fs::path& folder, std::vector<store::StoredFile> files) {
    store::Installed model;
    model.name = entry.name();
    model.path = folder;
    model.from = entry.from;
    model.to = entry.to;
    model.license = entry.license;
    model.publisher = entry.publisher;
    model.version = entry.version;
    model.architecture = entry.architecture;
    model.quality = entry.quality;
    model.metric = entry.metric;
    model.owner = "dragoman";
    model.installed_at = iso_time_now();
    for (const store::StoredFile& file : files) model.bytes += file.bytes;
    model.files = std::move(files);
    return model;
}

std::vector<std::string> in_bcp47(const std::vector<std::string>& codes) {
    std::vector<std::string> tags;
    for (const std::string& code : codes)
        if (const auto tag = spec::LanguageTag::find(code); tag && std::ranges::find(tags, tag->str()) == tags.end())
            tags.push_back(tag->str());
    return tags;
}

// A registry without a list does not say them, and who looks for a model of two languages needs them.
void read_languages(const fs::path& folder, store::Installed& model) {
    const store::HubLanguages found = store::read_hub_languages(folder);
    model.from = in_bcp47(found.from);
    model.to = in_bcp47(found.to);
}

// Asks the caller now and then whether to go on, where nothing is transferred.
class Asking {
public:
    Asking(const download::ProgressFn& progress, const Entry& entry) : progress_(progress), entry_(entry) {}

    bool operator()(const std::string& note = "") {
        const auto now = std::chrono::steady_clock::now();
        if (!progress_ || (note.empty() && now - last_ < kBetweenCalls)) return true;
        last_ = now;
        const uint64_t bytes = entry_.bytes();
        return progress_({.file = entry_.name(), .done_bytes = bytes, .total_bytes = bytes, .note = note});
    }

private:
    const download::ProgressFn& progress_;
    const Entry& entry_;
    std::chrono::steady_clock::time_point last_{};
};

std::function<bool()> say_once(Asking& asking, std::string note) {
    return [&asking, note, said = false]() mutable { return asking(std::exchange(said, true) ? "" : note); };
}

}  // namespace

store::Installed install(const Entry& entry, const InstallOptions& options) {
    if (entry.files.empty())
        fail(Status::invalid_argument, "{}: expected an entry with its files, there are none", entry.name());
    check_names(entry);
    const ModelPlace place = ModelPlace::of(entry.registry, entry.model);
    const ModelFiles files{.partial = place.partial, .fresh = place.fresh};
    make_folder(place.target.parent_path());
    make_folder(place.partial);

    Asking asking(options.progress, entry);
    const auto waiting = say_once(asking,
                                  fmt::format("waits for another process that brings or changes {}", entry.name()));
    const download::Lock partial_lock(place.partial_lock, waiting), lock(place.lock, waiting);
    make_folder(place.partial);  // whoever had the lock may have removed it
    place.recover();
    std::optional<store::Installed> before = find_before(place);
    if (!options.again && before && is_this_version(*before, place.target, entry)) {  // whole, as far as sizes tell
        remove_folder(place.partial);
        return std::move(*before);
    }

    check_space(entry, files);
    std::vector<download::FileRequest> requests = requests_of(entry, files);
    expect_first_use(before, entry, requests);
    const auto came = download::get_files(requests, options.transfer, options.parallel, options.progress);
    make_folder(place.fresh);
    std::vector<store::StoredFile> placed;
    try {
        placed = files.place(entry, came, [&asking] { return asking(); });
    } catch (const Error&) {
        std::error_code none;  // an archive may have become anything up to its limits
        fs::remove_all(place.fresh, none);
        throw;
    }
    store::Installed model = describe(entry, place.fresh, std::move(placed));
    model.first_use = first_use(entry, came);
    if (model.from.empty() && model.to.empty()) read_languages(place.fresh, model);
    store::write_metadata(place.fresh, model);
    sync_tree(place.fresh);
    place.put_in_place();
    remove_folder(place.partial);
    model.path = place.target;
    return model;
}

}  // namespace dragoman::registry
