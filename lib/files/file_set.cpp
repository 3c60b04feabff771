// SPDX-License-Identifier: Apache-2.0
#include "files/file_set.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/os/file.h"
#include "base/os/path_text.h"
#include "files/file_budget.h"
#include "files/file_map.h"
#include "files/gzip.h"
#include "files/tar_archive.h"
#include "files/zip_archive.h"
#include "files/zstd.h"

namespace dragoman {
namespace fs = std::filesystem;
namespace {

class Directory final : public FileSet {
public:
    explicit Directory(const fs::path& given, const fs::path& directory, std::string chosen = {})
        : directory_(directory) {
        path_ = given;
        label_begin_ = text_of(directory / "");
        std::vector<os::FileEntry> entries;
        const std::error_code error = os::list_files(directory, entries);
        std::vector<std::string> found;
        for (const os::FileEntry& entry : entries) {
            bytes_on_disk_ += entry.bytes;
            found.push_back(text_of(entry.name));
        }
        if (error) fail(Status::io_error, "cannot list {}: {}", text_of(directory), error.message());
        list(std::move(found));
        if (!has(chosen)) chosen.resize(chosen.size() - packed_end(chosen).size());
        chosen_ = std::move(chosen);
    }

    std::shared_ptr<const FileSet> folder(std::string_view name) const override {
        const fs::path relative = path_of(name).lexically_normal();
        if (relative.has_root_path() || relative.empty() || *relative.begin() == "..") return nullptr;
        std::error_code error;
        const fs::path inner = directory_ / relative;
        return fs::is_directory(inner, error) ? std::make_shared<const Directory>(inner, inner) : nullptr;
    }

private:
    FileBytes load(const std::string& stored_name) const override {
        return map_file(directory_ / path_of(stored_name));
    }

    fs::path directory_;
};

class Archive final : public FileSet {
public:
    // The files under `begin` ("" or "folder/").
    Archive(const fs::path& given, std::shared_ptr<const ZipArchive> archive, const std::vector<std::string>& names,
            std::string begin, uint64_t bytes_on_disk)
        : archive_(std::move(archive)), begin_(std::move(begin)) {
        path_ = given;
        label_begin_ = archive_->file() + ": " + begin_;
        bytes_on_disk_ = bytes_on_disk;
        std::vector<std::string> found;
        for (const std::string& name : names)
            if (name.starts_with(begin_)) found.push_back(name.substr(begin_.size()));
        list(std::move(found));
    }

    static std::shared_ptr<const FileSet> open(const fs::path& given, std::shared_ptr<const ZipArchive> archive) {
        std::vector<std::string> names = archive->names();
        // macOS adds these to the files.
        std::erase_if(names, [](const std::string& name) { return name.starts_with("__MACOSX/"); });
        std::string begin = common_folder(names);
        const uint64_t size = archive->size_bytes();
        return std::make_shared<const Archive>(given, std::move(archive), names, std::move(begin), size);
    }

    std::shared_ptr<const FileSet> folder(std::string_view name) const override {
        const std::string begin = begin_ + std::string(name) + "/";
        auto inner = std::make_shared<const Archive>(path_, archive_, archive_->names(), begin, 0);
        return inner->names().empty() ? nullptr : inner;
    }

private:
    FileBytes load(const std::string& stored_name) const override { return archive_->read(begin_ + stored_name); }

    std::shared_ptr<const ZipArchive> archive_;
    std::string begin_;
};

bool is_pointer(std::span<const std::byte> bytes) {
    constexpr std::string_view kBegin = "version https://git-lfs.github.com/spec/";
    if (bytes.size() < kBegin.size()) return false;
    std::byte begin[kBegin.size()];
    copy_bytes(bytes.first(kBegin.size()), begin);
    return std::memcmp(begin, kBegin.data(), kBegin.size()) == 0;
}

// What a server sends in place of a file that it does not have, or that only some may have; empty: something else.
std::string_view describe_page(std::string_view name, std::span<const std::byte> bytes) {
    constexpr std::size_t kMostAnswer = 4096;
    const bool list = name.ends_with("vocab.txt") || name.ends_with("vocabulary.txt");
    if (name.ends_with(".md") || (name.ends_with(".txt") && !list) || name.ends_with(".html")) return {};
    std::string begin(std::min<std::size_t>(bytes.size(), 80), '\0');
    copy_bytes(bytes.first(begin.size()), std::as_writable_bytes(std::span(begin)).data());
    begin.erase(0, begin.find_first_not_of(" \r\n"));
    std::ranges::transform(begin, begin.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (begin.starts_with("<!doctype html") || begin.starts_with("<html")) return "a page of the web (HTML)";
    if (bytes.size() > kMostAnswer) return {};
    for (const std::string_view answer :
         {"entry not found", "repository not found", "invalid username or password", "access to model", "not found",
          "404: not found", "{\"error\":\"", "{\"error\": \"", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<error>"})
        if (begin.starts_with(answer)) return "a server's answer that it does not give the file";
    return {};
}

// What came in place of a file.
void refuse_stand_in(std::string_view name, const FileBytes& file) {
    if (const std::string_view page = describe_page(name, file.bytes); !page.empty()) {
        fail(Status::bad_model, "{}: is {}, not the file itself: download it again from where it is published",
             file.name, page);
    }
    if (is_pointer(file.bytes)) {
        fail(Status::bad_model,
             "{}: is a Git LFS pointer of {} bytes, not the file itself: \"git lfs pull\" fetches it, or download it "
             "again from where it is published",
             file.name, file.bytes.size());
    }
}

// The same for a tar archive, which has been unpacked.
class TarFiles final : public FileSet {
public:
    TarFiles(const fs::path& given, std::shared_ptr<const TarArchive> archive, std::string begin,
             uint64_t bytes_on_disk)
        : archive_(std::move(archive)), begin_(std::move(begin)) {
        path_ = given;
        label_begin_ = archive_->file() + ": " + begin_;
        bytes_on_disk_ = bytes_on_disk;
        std::vector<std::string> found;
        for (const std::string& name : archive_->names())
            if (name.starts_with(begin_)) found.push_back(name.substr(begin_.size()));
        list(std::move(found));
    }

    static std::shared_ptr<const FileSet> open(const fs::path& given, const FileBytes& file) {
        auto archive = std::make_shared<const TarArchive>(file);
        std::string begin = common_folder(archive->names());
        return std::make_shared<const TarFiles>(given, std::move(archive), std::move(begin), file.bytes.size());
    }

    std::shared_ptr<const FileSet> folder(std::string_view name) const override {
        const std::string begin = begin_ + std::string(name) + "/";
        auto inner = std::make_shared<const TarFiles>(path_, archive_, begin, 0);
        return inner->names().empty() ? nullptr : inner;
    }

private:
    FileBytes load(const std::string& stored_name) const override { return archive_->read(begin_ + stored_name); }

    std::shared_ptr<const TarArchive> archive_;
    std::string begin_;
};

// Whether an archive counts as one file of a model: NumPy's tensors and PyTorch's checkpoints do.
bool is_one_file(const ZipArchive& archive) {
    const auto names = archive.names();
    const auto ends_with = [](std::string_view end) {
        return [=](const std::string& name) { return name.ends_with(end); };
    };
    return !names.empty() &&
           (std::ranges::all_of(names, ends_with(".npy")) || std::ranges::any_of(names, ends_with("/data.pkl")));
}

}  // namespace

std::shared_ptr<const FileSet> FileSet::open(const fs::path& given) {
    const fs::path path = os::long_path(given);
    std::error_code error;
    if (!fs::exists(path, error)) {
        fail(Status::io_error, "{}: {}", text_of(path), error ? error.message() : "no such file or directory");
    }
    if (fs::is_directory(path, error)) return std::make_shared<const Directory>(path, path);
    if (auto files = archive_in(map_file(path), path)) return files;
    const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return std::make_shared<const Directory>(path, directory, text_of(path.filename()));
}

std::shared_ptr<const FileSet> FileSet::open_archive(FileBytes archive) {
    const fs::path path = path_of(archive.name);
    return Archive::open(path, std::make_shared<const ZipArchive>(std::move(archive)));
}

std::shared_ptr<const FileSet> FileSet::archive_in(const FileBytes& file, const fs::path& path) {
    if (TarArchive::has_name_of_one(text_of(path.filename()))) return TarFiles::open(path, file);
    if (!ZipArchive::looks_like_one(file.bytes)) return nullptr;
    auto archive = std::make_shared<const ZipArchive>(file);
    return is_one_file(*archive) ? nullptr : Archive::open(path, std::move(archive));
}

std::string FileSet::common_folder(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    // names are sorted: a prefix that these two share is shared by all
    const std::string &first = names.front(), &last = names.back();
    const auto differ = std::ranges::mismatch(first, last).in1;
    const auto slash = std::string_view(first.begin(), differ).rfind('/');
    return slash == std::string_view::npos ? std::string() : first.substr(0, slash + 1);
}

std::string_view FileSet::packed_end(std::string_view name) {
    for (const std::string_view end : {kGzipEnd, kZstdEnd})
        if (name.ends_with(end)) return name.substr(name.size() - end.size());
    return {};
}

void FileSet::list(std::vector<std::string> stored) {
    std::ranges::sort(stored);
    for (const std::string& name : stored) {
        const std::string plain(name.substr(0, name.size() - packed_end(name).size()));
        if (plain == name || plain.empty()) {
            names_.push_back(name);
        } else if (!std::ranges::binary_search(stored, plain) && packed_.emplace(plain, packed_end(name)).second) {
            names_.push_back(plain);
        }
    }
    std::ranges::sort(names_);
}

bool FileSet::has(std::string_view name) const {
    return std::ranges::binary_search(names_, name, {}, [](const std::string& item) { return std::string_view(item); });
}

std::string FileSet::in_other_letters(std::string_view name) const {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    for (const std::string& item : names_)
        if (item != name && std::ranges::equal(item, name, {}, small, small)) return item;
    return {};
}

fs::path FileSet::folder_path() const {
    if (chosen_.empty()) return path_;
    return path_.has_parent_path() ? path_.parent_path() : fs::path(".");
}

std::string FileSet::label(std::string_view name) const { return label_begin_ + std::string(name); }

FileBytes FileSet::unpacked(std::string_view name) const {
    if (!has(name)) {
        const std::string other = in_other_letters(name);
        fail(Status::io_error, "{}: no such file{}", label(name),
             other.empty() ? "" : ", but " + other + " is there: rename it");
    }
    const auto packed = packed_.find(name);
    if (packed == packed_.end()) {
        FileBytes file = load(std::string(name));
        check_file_bytes(file.name, name, file.bytes.size());
        return file;
    }
    FileBytes file = load(std::string(name) + packed->second);
    refuse_stand_in(name, file);
    fetch(file);
    return packed->second == kZstdEnd ? unzstd(file, label(name)) : gunzip(file, label(name));
}

FileBytes FileSet::read(std::string_view name) const {
    FileBytes file = map(name);
    fetch(file);
    return file;
}

FileBytes FileSet::beginning(std::string_view name, std::size_t most) const {
    FileBytes file = map(name);
    file.bytes = file.bytes.first(std::min(most, file.bytes.size()));
    fetch(file);
    return file;
}

FileBytes FileSet::map(std::string_view name) const {
    FileBytes file = unpacked(name);
    refuse_stand_in(name, file);
    return file;
}

bool FileSet::is_lfs_pointer(std::string_view name) const {
    return has(name) && !packed_.contains(name) && is_pointer(load(std::string(name)).bytes);
}

}  // namespace dragoman
