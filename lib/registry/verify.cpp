// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>

#include "base/error.h"
#include "base/os/durable.h"
#include "base/os/path_text.h"
#include "download/lock.h"
#include "download/sha256.h"
#include "registry/install.h"
#include "registry/model_place.h"
#include "store/places.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kVerifyBlock = 1 << 18;

class Verifier {
public:
    Verifier(const store::Installed& model, const download::ProgressFn& progress) : progress_(progress) {
        for (const store::StoredFile& file : model.files) now_.total_bytes += file.bytes;
    }

    std::string problem_of(const fs::path& path, const store::StoredFile& file) {
        now_.file = file.name;
        std::error_code error;
        const uint64_t bytes = fs::file_size(path, error);
        if (error) return fs::exists(path) ? error.message() : "missing";
        if (bytes != file.bytes) return fmt::format("{} bytes, expected {}", bytes, file.bytes);
        std::ifstream in(path, std::ios::binary);
        if (!in) return "cannot be read";
        const std::string sum = sum_of(in);
        if (in.bad()) return "cannot be read to its end";
        return sum == file.sha256 ? "" : fmt::format("SHA-256 {}, expected {}", sum, file.sha256);
    }

private:
    std::string sum_of(std::ifstream& in) {
        download::Sha256 sum;
        std::vector<std::byte> block(kVerifyBlock);
        while (in) {
            in.read(reinterpret_cast<char*>(block.data()), std::streamsize(block.size()));
            sum.add(std::span(block).first(std::size_t(in.gcount())));
            now_.done_bytes += std::size_t(in.gcount());
            tell();
        }
        return sum.hex();
    }

    void tell() {
        const auto time = std::chrono::steady_clock::now();
        if (!progress_ || time - told_ < std::chrono::milliseconds(100)) return;
        told_ = time;
        if (!progress_(now_)) fail(Status::cancelled, "verifying was stopped");
    }

    const download::ProgressFn& progress_;
    download::Progress now_;
    std::chrono::steady_clock::time_point told_{};
};

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

std::vector<fs::path> inside(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_directory(error)) found.push_back(at->path());
    return found;
}

uint64_t remove_if_idle(const fs::path& folder, const fs::path& lock_file) {
    if (is_locked(lock_file)) return 0;
    const download::Lock lock(lock_file, {});
    const uint64_t bytes = bytes_in(folder);
    remove_folder(folder);
    return bytes;
}

}  // namespace

std::vector<Verified> verify(const store::Installed& model, const download::ProgressFn& progress) {
    const fs::path folder = ModelPlace::of(model).target;
    Verifier verifier(model, progress);
    std::vector<Verified> verified;
    for (const store::StoredFile& file : model.files)
        verified.push_back({file.name, verifier.problem_of(folder / path_of(file.name), file)});
    return verified;
}

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
    for (const fs::path& registry : inside(store::partial_folder()))
        for (const fs::path& folder : inside(registry))
            if (days_since_change(folder) > days)
                bytes += remove_if_idle(folder, registry / path_of("." + text_of(folder.filename()) + ".lock"));
    for (const fs::path& registry : inside(store::models_folder())) {
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
