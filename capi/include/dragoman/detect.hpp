// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Which language a text is in. Part of dragoman.hpp.

#include <dragoman/basics.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// Languages that each of several texts may be in; `text` counts from 0.
class Languages {
public:
    /// See dragoman_detect_languages().
    explicit Languages(std::span<const std::string_view> texts, const char* expected = nullptr)
        : handle_(make(views(texts), expected)) {}
    /// The same for one text.
    explicit Languages(std::string_view text, const char* expected = nullptr)
        : Languages(std::span(&text, 1), expected) {}
    /// Number of texts.
    std::size_t size() const { return dragoman_detection_count(get()); }
    /// Languages of a text, the most probable first; none where it has no letters. Borrowed.
    std::vector<dragoman_language_guess> operator[](std::size_t text) const {
        std::vector<dragoman_language_guess> guesses(dragoman_detection_guess_count(get(), text));
        for (std::size_t i = 0; i < guesses.size(); ++i)
            guesses[i] = detail::read<dragoman_language_guess>(dragoman_detection_guess, get(), text, i);
        return guesses;
    }
    /// For C functions; still this object's.
    const dragoman_detection* get() const { return handle_.get(); }

private:
    static dragoman_detection* make(const std::vector<dragoman_string>& texts, const char* expected) {
        return detail::read<dragoman_detection*>(dragoman_detect_languages, texts.data(), texts.size(), expected);
    }
    detail::Handle<dragoman_detection, dragoman_detection_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
