// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/os/file.h"

// Anything that is wrong with files; the message names the file.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Position {
    uint64_t input_bytes = 0, output_bytes = 0, lines = 0;
};

// Called before each change of a file. It does nothing; a test puts what ends the process there.
extern void (*before_change)();

// An output file that appears only when it is complete. Until then OUTPUT.part holds what is translated and
// OUTPUT.state how much of the input that is. A chunk counts once the state says so: it is written after the chunk is
// on the disk and replaced in one step, and what OUTPUT.part has beyond it is cut off at the next start. So a process
// may die between any two instructions, and no line is lost or written twice.
class Checkpoint {
public:
    // `job`: what must be the same for an interrupted run to be continued.
    Checkpoint(const std::filesystem::path& output, uint64_t input_size, uint64_t job, bool restart, bool overwrite);
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    const Position& position() const { return position_; }
    bool finished() const { return finished_; }  // by a run that died in its last step

    void append(std::string_view chunk, const Position& after);
    void finish();

private:
    bool open_part(bool create);  // and locks it; false: there is none. Throws FileError where another process has it
    bool read_state(uint64_t job);
    void write_state() const;

    std::filesystem::path output_, part_, state_;
    Position position_;
    uint64_t job_;
    os::LockedFile file_;
    bool finished_ = false;
};

// FNV-1a, 64 bits; `hash` continues an earlier one.
uint64_t fnv1a(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325u);
