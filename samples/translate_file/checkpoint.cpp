// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace {

constexpr char kState[] =
    "translate_file 1\njob %016" SCNx64 "\ninput_bytes %" SCNu64 "\noutput_bytes %" SCNu64 "\nlines %" SCNu64 "\n%n";

[[noreturn]] void fail(const fs::path& path) { throw FileError(path.string() + ": " + std::strerror(errno)); }

void write_all(int file, std::string_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

// A name that was added or changed in a folder is on the disk once the folder is.
void sync_folder_of(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    ::fsync(file);
    ::close(file);
}

fs::path with_suffix(fs::path path, const char* suffix) { return path += suffix; }

}  // namespace

uint64_t fnv1a(std::string_view bytes, uint64_t hash) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return hash;
}

Checkpoint::Checkpoint(const fs::path& output, uint64_t input_size, uint64_t job, bool restart, bool overwrite)
    : output_(output), part_(with_suffix(output, ".part")), state_(with_suffix(output, ".state")), job_(job) {
    // Whoever has the lock on OUTPUT.part may change the other files.
    const bool had_part = open_part(0);
    std::error_code ignored;
    if (restart) fs::remove(state_, ignored);
    const bool resumed = read_state(job);
    if (resumed && !had_part) {  // OUTPUT.part was renamed, OUTPUT.state not yet removed
        if (position_.input_bytes != input_size || fs::file_size(output_, ignored) != position_.output_bytes || ignored)
            throw FileError(part_.string() + ": is missing; --restart begins anew");
        fs::remove(state_, ignored);
        finished_ = true;
        return;
    }
    if (!resumed && !overwrite && fs::exists(output_))
        throw FileError(output_.string() + ": exists; --overwrite replaces it");
    if (!had_part && !open_part(O_CREAT | O_EXCL)) fail(part_);

    const off_t size = ::lseek(file_, 0, SEEK_END);
    const auto wanted = static_cast<off_t>(position_.output_bytes);
    if (size < wanted) {
        throw FileError(part_.string() + ": has " + std::to_string(size) + " bytes, " + state_.string() + " says " +
                        std::to_string(wanted) + "; --restart begins anew");
    }
    if (::ftruncate(file_, wanted) != 0 || ::lseek(file_, wanted, SEEK_SET) != wanted) fail(part_);
}

Checkpoint::File::~File() {
    if (number >= 0) ::close(number);
}

bool Checkpoint::open_part(int flags) {
    file_.number = ::open(part_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    if (file_ < 0 && errno == ENOENT) return false;
    const bool raced = file_ < 0 && errno == EEXIST;
    if (file_ < 0 && !raced) fail(part_);
    // Who had the lock before may have finished and renamed the file.
    struct stat locked = {}, named = {};
    if (raced || ::flock(file_, LOCK_EX | LOCK_NB) != 0 || ::fstat(file_, &locked) != 0 ||
        ::stat(part_.c_str(), &named) != 0 || locked.st_ino != named.st_ino || locked.st_dev != named.st_dev)
        throw FileError(part_.string() + ": another process is writing it");
    return true;
}

bool Checkpoint::read_state(uint64_t job) {
    std::ifstream in(state_, std::ios::binary);
    if (!in) return false;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    uint64_t stored = 0;
    int length = 0;
    if (std::sscanf(text.c_str(), kState, &stored, &position_.input_bytes, &position_.output_bytes, &position_.lines,
                    &length) != 4 ||
        static_cast<std::size_t>(length) != text.size())
        throw FileError(state_.string() + ": is not a state file of this program; --restart begins anew");
    if (stored != job)
        throw FileError(state_.string() + ": the interrupted run had another input, model or options; "
                                          "--restart begins anew");
    return true;
}

void Checkpoint::write_state() const {
    char text[256];
    const int size = std::snprintf(text, sizeof text,
                                   "translate_file 1\njob %016" PRIx64 "\ninput_bytes %" PRIu64
                                   "\noutput_bytes %" PRIu64 "\nlines %" PRIu64 "\n",
                                   job_, position_.input_bytes, position_.output_bytes, position_.lines);
    const fs::path fresh = with_suffix(state_, ".new");
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail(fresh);
    try {
        write_all(file, {text, static_cast<std::size_t>(size)}, fresh);
        if (::fsync(file) != 0) fail(fresh);
    } catch (...) {
        ::close(file);
        throw;
    }
    ::close(file);
    fs::rename(fresh, state_);
    sync_folder_of(state_);
}

void Checkpoint::append(std::string_view chunk, const Position& after) {
    write_all(file_, chunk, part_);
    if (::fsync(file_) != 0) fail(part_);
    position_ = after;
    write_state();
}

void Checkpoint::finish() {
    if (::fsync(file_) != 0) fail(part_);
    fs::rename(part_, output_);
    sync_folder_of(output_);
    std::error_code ignored;
    fs::remove(state_, ignored);
    finished_ = true;
}
