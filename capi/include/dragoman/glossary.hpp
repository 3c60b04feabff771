// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Terms that translations must have. Part of dragoman.hpp.

#include <dragoman/basics.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// Terms with what they become; for `glossary` of TranslateOptions.
class Glossary {
public:
    /// Reads a file, see dragoman_glossary_load().
    static Glossary load(const std::string& path, const char* source_language = nullptr,
                         const char* target_language = nullptr) {
        return Glossary(detail::read<dragoman_glossary*>(dragoman_glossary_load, path.c_str(), source_language,
                                                         target_language));
    }
    /// Reads the content of such a file, see dragoman_glossary_read().
    static Glossary read(std::string_view bytes, const char* source_language = nullptr,
                         const char* target_language = nullptr) {
        const dragoman_string given = view(bytes);
        return Glossary(detail::read<dragoman_glossary*>(dragoman_glossary_read, &given, source_language,
                                                         target_language));
    }
    /// Number of entries.
    std::size_t size() const { return dragoman_glossary_count(get()); }
    /// For C functions and options; still this object's.
    const dragoman_glossary* get() const { return handle_.get(); }

private:
    explicit Glossary(dragoman_glossary* handle) : handle_(handle) {}
    detail::Handle<dragoman_glossary, dragoman_glossary_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
