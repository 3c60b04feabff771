// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace {

constexpr char kState[] = "translate_file 1\njob %016" SCNx64 "\ninput_bytes %" SCNu64 "\noutput_bytes %" SCNu64
                          "\nlines %" SCNu64 "\n%n";

void check(std::error_code error, const fs::path& path) {
    if (error) throw FileError(path.string() + ": " + error.message());
}

fs::path with_suffix(fs::path path, const char* suffix) { return path += suffix; }

}  // namespace

void (*before_change)() = [] {};

uint64_t fnv1a(std::string_view bytes, uint64_t hash) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return hash;
}

Checkpoint::Checkpoint(const fs::path& output, uint64_t input_size, uint64_t job, bool restart, bool overwrite)
    : output_(output), part_(with_suffix(output, ".part")), state_(with_suffix(output, ".state")), job_(job) {
    // Whoever has the lock on OUTPUT.part may change the other files.
    const bool had_part = open_part(false);
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
    if (!had_part) open_part(true);

    uint64_t size = 0;
    check(file_.size(size), part_);
    if (size < position_.output_bytes) {
        throw FileError(part_.string() + ": has " + std::to_string(size) + " bytes, " + state_.string() + " says " +
                        std::to_string(position_.output_bytes) + "; --restart begins anew");
    }
    check(file_.cut(position_.output_bytes), part_);
}

bool Checkpoint::open_part(bool create) {
    const std::error_code error = file_.open(part_, create);
    if (!create && error == std::errc::no_such_file_or_directory) return false;
    if (error == std::errc::resource_unavailable_try_again)
        throw FileError(part_.string() + ": another process is writing it");
    check(error, part_);
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
        throw FileError(state_.string() +
                        ": the interrupted run had another input, model or options; "
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
    before_change();
    check(os::write_file(fresh, {text, static_cast<std::size_t>(size)}), fresh);
    before_change();
    check(os::replace_file(fresh, state_), state_);
    before_change();
    os::sync_folder_of(state_);
}

void Checkpoint::append(std::string_view chunk, const Position& after) {
    before_change();
    check(file_.write(chunk), part_);
    before_change();
    check(file_.sync(), part_);
    position_ = after;
    write_state();
}

void Checkpoint::finish() {
    before_change();
    check(file_.sync(), part_);
    before_change();
    check(os::replace_file(part_, output_), output_);
    before_change();
    os::sync_folder_of(output_);
    std::error_code ignored;
    before_change();
    fs::remove(state_, ignored);
    finished_ = true;
}
