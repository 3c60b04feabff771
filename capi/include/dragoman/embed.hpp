// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Vectors of texts. Part of dragoman.hpp.

#include <dragoman/model.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// See dragoman_embed_options.
using EmbedOptions = detail::Options<dragoman_embed_options, dragoman_embed_options_init_sized>;

/// Vectors of texts; `text` counts from 0.
class Vectors {
public:
    /// See dragoman_embed_texts().
    Vectors(const Model& model, std::span<const std::string_view> texts, const EmbedOptions& options = {})
        : handle_(make(model, views(texts), options)) {}
    /// The same for one text.
    Vectors(const Model& model, std::string_view text, const EmbedOptions& options = {})
        : Vectors(model, std::span(&text, 1), options) {}
    /// Number of texts.
    std::size_t size() const { return dragoman_vectors_count(get()); }
    /// Numbers in each vector.
    std::size_t width() const { return dragoman_vectors_width(get()); }
    /// One row, or one for each token.
    dragoman_matrix rows(std::size_t text) const {
        return detail::read<dragoman_matrix>(dragoman_vectors_get, get(), text);
    }
    /// The first of these rows.
    std::span<const float> operator[](std::size_t text) const { return {rows(text).data, width()}; }
    /// Those of all texts.
    dragoman_matrix all() const { return detail::read<dragoman_matrix>(dragoman_vectors_all, get()); }
    /// What the encoder read.
    std::span<const dragoman_string> tokens(std::size_t text) const {
        return view(detail::read<dragoman_tokens>(dragoman_vectors_tokens, get(), text));
    }
    /// The bytes of the text that each of them stands for.
    std::span<const dragoman_range> ranges(std::size_t text) const {
        return view(detail::read<dragoman_ranges>(dragoman_vectors_ranges, get(), text));
    }
    /// For C functions; still this object's.
    const dragoman_vectors* get() const { return handle_.get(); }

private:
    static dragoman_vectors* make(const Model& model, const std::vector<dragoman_string>& texts,
                                  const EmbedOptions& options) {
        return detail::read<dragoman_vectors*>(dragoman_embed_texts, model.get(), texts.data(), texts.size(), &options);
    }
    detail::Handle<dragoman_vectors, dragoman_vectors_destroy> handle_;
};

}  // namespace v1
}  // namespace dragoman
