// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/os/path_text.h"
#include "files/file_budget.h"
#include "files/file_set.h"

namespace dragoman {
namespace {

constexpr std::size_t kMaxPerRead = std::size_t(1) << 24;
constexpr const char* kPath = "memory";

// Reads every file once, when it is first wanted.
class GivenStore {
public:
    explicit GivenStore(std::vector<GivenFile> files) {
        for (GivenFile& file : files) {
            if (file.name.empty()) fail(Status::invalid_argument, "files: a name is empty");
            const std::string name = file.name;
            if (!files_.emplace(name, Entry{std::move(file), {}}).second)
                fail(Status::invalid_argument, "files: there are two named {}", name);
        }
        if (files_.empty()) fail(Status::invalid_argument, "files: there are none");
    }

    std::vector<std::string> names() const {  // sorted
        std::vector<std::string> result;
        for (const auto& [name, entry] : files_) result.push_back(name);
        return result;
    }
    uint64_t total_bytes() const {
        uint64_t total = 0;
        for (const auto& [name, entry] : files_) total += entry.file.size;
        return total;
    }
    FileBytes read(const std::string& name) {
        const std::lock_guard lock(mutex_);
        Entry& entry = files_.at(name);
        const GivenFile& file = entry.file;
        if (!file.read) return {name, file.bytes, {}};
        if (!entry.content) {
            check_file_bytes(name, name, file.size);
            std::shared_ptr<std::byte[]> content(new std::byte[file.size]);
            for (uint64_t at = 0; at < file.size; at += kMaxPerRead)
                file.read(at, {content.get() + at, std::size_t(std::min<uint64_t>(kMaxPerRead, file.size - at))});
            entry.content = std::move(content);
        }
        return {name, {entry.content.get(), std::size_t(file.size)}, entry.content};
    }

private:
    struct Entry {
        GivenFile file;
        std::shared_ptr<std::byte[]> content;  // of a file that has been read
    };
    std::mutex mutex_;
    std::map<std::string, Entry> files_;
};

class GivenFiles final : public FileSet {
public:
    // The files under `begin` ("" or "folder/").
    GivenFiles(std::shared_ptr<GivenStore> store, std::string begin, std::string chosen)
        : store_(std::move(store)), begin_(std::move(begin)) {
        path_ = kPath;
        if (!chosen.empty()) path_ /= path_of(chosen);
        label_begin_ = begin_;
        std::vector<std::string> found;
        for (const std::string& name : store_->names())
            if (name.starts_with(begin_)) found.push_back(name.substr(begin_.size()));
        list(std::move(found));
        if (!has(chosen)) chosen.resize(chosen.size() - packed_end(chosen).size());
        chosen_ = std::move(chosen);
    }

    static std::shared_ptr<const FileSet> open(std::vector<GivenFile> files) {
        auto store = std::make_shared<GivenStore>(std::move(files));
        const std::vector<std::string> names = store->names();
        const bool one = names.size() == 1;
        if (one)
            if (auto inside = archive_in(store->read(names[0]), std::filesystem::path(kPath) / path_of(names[0])))
                return inside;
        const std::string begin = common_folder(names);
        auto set = std::make_shared<GivenFiles>(store, begin, one ? names[0].substr(begin.size()) : std::string());
        set->bytes_on_disk_ = store->total_bytes();
        return set;
    }

    std::shared_ptr<const FileSet> folder(std::string_view name) const override {
        auto inner = std::make_shared<const GivenFiles>(store_, begin_ + std::string(name) + "/", std::string());
        return inner->names().empty() ? nullptr : inner;
    }

private:
    FileBytes load(const std::string& stored_name) const override { return store_->read(begin_ + stored_name); }

    std::shared_ptr<GivenStore> store_;
    std::string begin_;
};

}  // namespace

std::shared_ptr<const FileSet> FileSet::given(std::vector<GivenFile> files) {
    return GivenFiles::open(std::move(files));
}

}  // namespace dragoman
