// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <filesystem>
#include <memory>
#include <string>

#include "arguments.h"
#include "base/os/path_text.h"
#include "files/file_map.h"
#include "guard.h"
#include "handles.h"
#include "text/glossary.h"

using namespace dragoman;
using namespace dragoman::capi;

namespace {

dragoman_glossary* make(std::string_view bytes, const char* from, const char* to) {
    auto entries = text::read_glossary(bytes, capi::text(dragoman_str(from), {"source_language"}),
                                       capi::text(dragoman_str(to), {"target_language"}));
    return new dragoman_glossary{std::make_shared<const text::Glossary>(std::move(entries))};
}

}  // namespace

dragoman_status dragoman_glossary_load(const char* path, const char* source_language, const char* target_language,
                                       dragoman_glossary** glossary) {
    return guard([&] {
        required(glossary, "glossary") = nullptr;
        required(path, "path");
        const std::string name = capi::path_text(path, {"path"});
        const FileBytes file = read_whole(path_of(name));
        try {
            *glossary = make(file.text(), source_language, target_language);
        } catch (const Error& error) {
            fail(error.status(), "{}: {}", name, error.what());
        }
    });
}

dragoman_status dragoman_glossary_read(const dragoman_string* bytes, const char* source_language,
                                       const char* target_language, dragoman_glossary** glossary) {
    return guard([&] {
        required(glossary, "glossary") = nullptr;
        *glossary = make(capi::text(required(bytes, "bytes"), {"bytes"}), source_language, target_language);
    });
}

void dragoman_glossary_destroy(dragoman_glossary* glossary) { delete glossary; }

size_t dragoman_glossary_count(const dragoman_glossary* glossary) { return glossary ? glossary->terms->size() : 0; }
