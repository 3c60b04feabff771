// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// documents.h for C++20. A library of its own, libdragoman_documents; dragoman.hpp does not include this header.

#include <dragoman/documents.h>
#include <dragoman/translator.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace dragoman {
inline namespace v1 {  // keeps these names apart from the library's own in a static build

/// How a document is read and written.
struct DocumentOptions {
    /// Told how many of a document's texts are translated; false cancels. What it throws comes out of the call.
    using Progress = std::function<bool(std::size_t done, std::size_t total)>;

    std::string format{};  ///< "docx" ...; empty: found from the name and the bytes
    std::string resume{};  ///< a file that keeps translations until the document is written; empty: none
    Progress progress{};   ///< empty: nobody is told
};

namespace detail {

// The options of one call as the C functions take them.
class DocumentCall {
public:
    explicit DocumentCall(const DocumentOptions& options) : progress_(options.progress) {
        dragoman_document_options_init(&value_);
        if (!options.format.empty()) value_.format = format(options.format);
        if (!options.resume.empty()) value_.resume = options.resume.c_str();
        value_.progress = [](std::size_t done, std::size_t total, void* user) {
            return static_cast<DocumentCall*>(user)->stop(done, total);
        };
        value_.user = this;
    }
    DocumentCall(const DocumentCall&) = delete;
    const dragoman_document_options* get() const { return &value_; }
    void check(dragoman_status status) const {
        if (thrown_) std::rethrow_exception(thrown_);
        if (status != DRAGOMAN_OK) throw Error(status, dragoman_document_error());
    }

private:
    static int32_t format(const std::string& name) {
        const int32_t found = dragoman_document_format_named(name.c_str());
        if (found != DRAGOMAN_DOCUMENT_UNKNOWN) return found;
        throw Error(DRAGOMAN_INVALID_ARGUMENT, "document format: " + name + " is not known");
    }
    int32_t stop(std::size_t done, std::size_t total) noexcept {
        try {
            return progress_ && !progress_(done, total);
        } catch (...) {
            thrown_ = std::current_exception();
            return 1;
        }
    }
    const DocumentOptions::Progress& progress_;
    std::exception_ptr thrown_;
    dragoman_document_options value_;
};

}  // namespace detail

/// Which format a document has, "docx" ...; empty: neither its name nor its bytes tell. See dragoman_document_format().
inline std::string document_format(const char* name, std::string_view bytes = {}) {
    const int32_t format = dragoman_document_format(name, bytes.data(), bytes.size());
    return format == DRAGOMAN_DOCUMENT_UNKNOWN ? std::string() : dragoman_document_format_name(format);
}

/// See dragoman_translate_document().
inline void translate_document(const Translator& translator, const char* input, const char* output,
                               const TranslateOptions& options = {}, const DocumentOptions& document_options = {}) {
    const detail::DocumentCall call(document_options);
    call.check(dragoman_translate_document(translator.get(), input, output, &options, call.get()));
}

/// The same from memory to memory; `name`, which may be NULL, helps to find the format. See
/// dragoman_translate_document_bytes().
inline std::string translate_document_bytes(const Translator& translator, const char* name, std::string_view bytes,
                                            const TranslateOptions& options = {},
                                            const DocumentOptions& document_options = {}) {
    const detail::DocumentCall call(document_options);
    dragoman_document* made = nullptr;
    call.check(dragoman_translate_document_bytes(translator.get(), name, bytes.data(), bytes.size(), &options,
                                                 call.get(), &made));
    const detail::Handle<dragoman_document, dragoman_document_destroy> document(made);
    return std::string(view(dragoman_document_bytes(document.get())));
}

}  // namespace v1
}  // namespace dragoman
