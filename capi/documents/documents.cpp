// SPDX-License-Identifier: Apache-2.0
#include <dragoman/documents.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>

#include "arguments.h"
#include "base/os/path_text.h"
#include "documents/document.h"
#include "files/file_map.h"
#include "files/new_file.h"
#include "own_guard.h"
#include "spec/language_names.h"
#include "translate.h"

struct dragoman_document {
    std::string bytes;
};

namespace dragoman::capi {
namespace {

using documents::Document;
using documents::Format;

void require(bool given, std::string_view name) {
    if (!given) fail(Status::invalid_argument, "{}: expected a pointer, got NULL", name);
}

// The caller's, whatever its version.
template <class Options>
Options known(const Options* given, const char* name, auto&& init) {
    Options defaults;
    init(&defaults);
    return read_options(given, name, defaults);
}

Format format_of(std::string_view name, std::string_view bytes, const dragoman_document_options& options) {
    const Format wanted = Format(options.format);
    if (documents::name_of(wanted) != "unknown") return wanted;
    if (options.format != 0) fail(Status::invalid_argument, "document format: {} is not known", options.format);
    const Format found = documents::find_format(name, bytes);
    if (found != Format::unknown) return found;
    const std::string_view what = name.empty() ? "document" : name;
    if (bytes.starts_with("%PDF-"))
        fail(Status::unsupported, "{}: expected a document that can be translated, got a PDF; pdftotext says its text",
             what);
    if (bytes.starts_with("PK\3\4")) {
        try {
            documents::Package{bytes};
        } catch (const Error& error) {
            fail(error.status(), "{}: {}", what, error.what());
        }
        fail(Status::unsupported, "{}: expected a package that says its kind (docx, odt, epub ...), got another zip",
             what);
    }
    if (const Format named = documents::find_format(name, ""); documents::is_package(named))
        fail(Status::invalid_argument, "{}: expected a zip archive, as every {} is, got another file", what,
             documents::name_of(named));
    fail(Status::unsupported, "{}: expected a document of a format that is known, got another file; name the format",
         what);
}

std::string translated(dragoman_translator* translator, std::string_view name, std::string bytes,
                       const dragoman_translate_options* given, const dragoman_document_options* given_document) {
    require(translator, "translator");
    const auto options = known(given_document, "document_options", dragoman_document_options_init);
    const auto how = known(given, "options", [](auto* made) { dragoman_translate_options_init(made); });
    const auto code = [](const char* said) { return spec::code_of_language(said ? said : ""); };
    documents::Languages languages{code(how.source_language), code(how.target_language)};
    if (languages.source == "auto") languages.source.clear();
    const Format format = format_of(name, bytes, options);
    const Document document(std::move(bytes), format, languages, how.raw == 0);
    return document.write(translate_units(translator, document.texts(), document.has_marks(), how, options));
}

void write(const char* path, std::string_view bytes) {
    NewFile file(path_of(path), /*replace=*/true);
    file.write(std::as_bytes(std::span(bytes)));
    file.finish();
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman::capi;

int32_t dragoman_document_format(const char* name, const void* bytes, size_t size) try {
    const std::string_view view = bytes ? std::string_view(static_cast<const char*>(bytes), size) : std::string_view();
    return int32_t(dragoman::documents::find_format(name ? name : "", view));
} catch (...) {
    return 0;  // out of memory
}

const char* dragoman_document_format_name(int32_t format) {
    return dragoman::documents::name_of(Format(format)).data();
}

int32_t dragoman_document_format_named(const char* name) {
    return int32_t(dragoman::documents::format_named(name ? name : ""));
}

dragoman_status dragoman_translate_document(dragoman_translator* translator, const char* input, const char* output,
                                            const dragoman_translate_options* options,
                                            const dragoman_document_options* document_options) {
    return own::guard([&] {
        require(input, "input");
        require(output, "output");
        const auto how = known(document_options, "document_options", dragoman_document_options_init);
        std::string bytes(dragoman::read_whole(dragoman::path_of(input)).text());
        try {
            write(output, translated(translator, input, std::move(bytes), options, document_options));
        } catch (const dragoman::Error& error) {
            const std::string_view message = error.what();
            if (message.find(input) != std::string_view::npos || message.find(output) != std::string_view::npos) throw;
            dragoman::fail(error.status(), "{}: {}", input, message);
        }
        std::error_code none;
        if (how.resume) std::filesystem::remove(dragoman::path_of(how.resume), none);
    });
}

dragoman_status dragoman_translate_document_bytes(dragoman_translator* translator, const char* name, const void* bytes,
                                                  size_t size, const dragoman_translate_options* options,
                                                  const dragoman_document_options* document_options,
                                                  dragoman_document** document) {
    return own::guard([&] {
        require(document, "document");
        require(bytes || size == 0, "bytes");
        auto made = std::make_unique<dragoman_document>();
        made->bytes = translated(translator, name ? name : "", {static_cast<const char*>(bytes), size}, options,
                                 document_options);
        *document = made.release();
    });
}

dragoman_string dragoman_document_bytes(const dragoman_document* document) {
    return document ? dragoman_string{document->bytes.c_str(), document->bytes.size()} : dragoman_string{"", 0};
}

void dragoman_document_destroy(dragoman_document* document) { delete document; }

const char* dragoman_document_error(void) { return own::latest_error.data(); }
