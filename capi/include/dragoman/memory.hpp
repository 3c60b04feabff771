// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// What was translated before. Part of dragoman.hpp.

#include <dragoman/basics.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// See dragoman_memory_options.
using MemoryOptions = detail::Options<dragoman_memory_options, dragoman_memory_options_init_sized>;

/// Answers of models and segments of translation memories; for `memory` of TranslateOptions.
class TranslationMemory {
public:
    /// See dragoman_memory_create().
    explicit TranslationMemory(const MemoryOptions& options = {})
        : handle_(detail::read<dragoman_memory*>(dragoman_memory_create, &options)) {}
    /// Reads TMX; returns the number of units that were of use.
    std::size_t load_tmx(const std::string& path) {
        return detail::read<std::size_t>(dragoman_memory_load_tmx, get(), path.c_str());
    }
    /// The same from the content of such a file.
    std::size_t read_tmx(std::string_view bytes) {
        const dragoman_string given = view(bytes);
        return detail::read<std::size_t>(dragoman_memory_read_tmx, get(), &given);
    }
    /// Adds a segment and its translation.
    void add(const std::string& source_language, const std::string& target_language, std::string_view source,
             std::string_view target) {
        const dragoman_string from = view(source), to = view(target);
        check(dragoman_memory_add(get(), source_language.c_str(), target_language.c_str(), &from, &to));
    }
    /// Writes what was recorded.
    void write_tmx(const std::string& path) const { check(dragoman_memory_write_tmx(get(), path.c_str())); }
    /// Forgets everything.
    void clear() { check(dragoman_memory_clear(get())); }
    /// What it has, and what it was asked.
    dragoman_memory_counts stats() const { return detail::read<dragoman_memory_counts>(dragoman_memory_stats, get()); }
    /// For C functions and options; still this object's.
    dragoman_memory* get() const { return handle_.get(); }

private:
    detail::Handle<dragoman_memory, dragoman_memory_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
