// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/problem.h"

namespace serve::work {

// A translation memory, ready for a translation.
class Memory {
public:
    Memory(std::shared_ptr<dragoman::TranslationMemory> memory, std::string id)
        : memory_(std::move(memory)), id_(std::move(id)) {}
    dragoman_memory* get() const { return memory_->get(); }
    const std::string& id() const { return id_; }

private:
    std::shared_ptr<dragoman::TranslationMemory> memory_;
    std::string id_;
};

struct MemoryInfo {
    std::string id, owner, name;
    std::chrono::system_clock::time_point created;
    std::string from;              // its source language, as the TMX says; may be empty
    std::vector<std::string> to;   // languages that its units have besides
    std::uint64_t segments = 0;    // units
};

struct Segment {
    std::string from, to, source, target;
};

// TMX files in a folder. Any thread. Somebody else's is not found (Problem not_found).
class Memories {
public:
    // `folder` empty: in memory only. `most_bytes` of all files; an owner with a key has a quarter, and a single memory
    // may be larger. What is there already stays, whatever it has.
    explicit Memories(std::filesystem::path folder, std::uint64_t most_bytes = std::uint64_t(4) << 30);
    MemoryInfo add(const std::string& owner, const std::string& name, std::string_view tmx);  // throws Problem
    std::vector<MemoryInfo> list(const std::string& owner) const;
    MemoryInfo get(const std::string& owner, const std::string& id) const;
    std::string tmx(const std::string& owner, const std::string& id) const;
    // Segments whose source or target has `filter`; from `first` on, at most `most`.
    std::vector<Segment> segments(const std::string& owner, const std::string& id, const std::string& filter,
                                  bool case_sensitive, std::size_t first, std::size_t most) const;
    void remove(const std::string& owner, const std::string& id);
    std::shared_ptr<const Memory> open(const std::string& owner, const std::string& id) const;
    // What was broken in the folder when it was read; for the log.
    std::vector<std::string> notes() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace serve::work
