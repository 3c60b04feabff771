// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <filesystem>
#include <memory>
#include <string>

#include "arguments.h"
#include "base/os/path_text.h"
#include "guard.h"
#include "handles.h"
#include "tm/translation_memory.h"

using namespace dragoman;
using namespace dragoman::capi;

namespace {

dragoman_memory_options default_memory_options() {
    const dragoman::tm::MemoryOptions from;
    dragoman_memory_options to{};
    to.struct_size = sizeof to;
    to.min_similarity = from.min_similarity;
    to.cache_bytes = from.cache_bytes;
    to.file_bytes = from.file_bytes;
    to.max_matches = from.max_matches;
    return to;
}

std::filesystem::path read_path(const char* path) {
    required(path, "path");
    return path_of(capi::path_text(path, {"path"}));
}

dragoman::tm::Memory& used(const dragoman_memory* memory) { return *at_home(memory, "memory").memory; }

}  // namespace

dragoman_status dragoman_memory_options_init_sized(dragoman_memory_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_memory_options(), "options"); });
}

dragoman_status dragoman_memory_create(const dragoman_memory_options* options, dragoman_memory** memory) {
    return guard([&] {
        required(memory, "memory") = nullptr;
        const dragoman_memory_options from = read_options(options, "options", default_memory_options());
        const auto made = std::make_shared<dragoman::tm::Memory>(dragoman::tm::MemoryOptions{
            .cache_bytes = from.cache_bytes,
            .path = capi::path_text(from.path, {"options.path"}),
            .file_bytes = from.file_bytes,
            .min_similarity = finite(from.min_similarity, "options.min_similarity"),
            .max_matches = from.max_matches,
            .record = flag(from.record, "options.record")});
        *memory = new dragoman_memory{made};
    });
}

dragoman_status dragoman_keep_answers(const char* path, const dragoman_string* key, uint64_t most_bytes,
                                      dragoman_memory* base, dragoman_memory** memory) {
    return guard([&] {
        required(memory, "memory") = nullptr;
        required(path, "path");
        const auto made = std::make_shared<dragoman::tm::Memory>(dragoman::tm::MemoryOptions{
            .cache_bytes = 0,
            .journal = capi::path_text(path, {"path"}),
            .journal_key = std::string(capi::text(required(key, "key"), {"key"})),
            .journal_bytes = most_bytes,
            .base = base ? at_home(base, "base").memory : nullptr});
        *memory = new dragoman_memory{made};
    });
}

void dragoman_memory_destroy(dragoman_memory* memory) { destroy(memory); }

dragoman_status dragoman_memory_load_tmx(dragoman_memory* memory, const char* path, size_t* count) {
    return guard([&] {
        if (count) *count = 0;
        const std::size_t kept = used(memory).load_tmx(read_path(path));
        if (count) *count = kept;
    });
}

dragoman_status dragoman_memory_read_tmx(dragoman_memory* memory, const dragoman_string* bytes, size_t* count) {
    return guard([&] {
        if (count) *count = 0;
        const dragoman_string& given = required(bytes, "bytes");  // in any encoding
        if (given.size > 0) required(given.data, "bytes.data");
        const std::size_t kept = used(memory).read_tmx({given.data, given.size});
        if (count) *count = kept;
    });
}

dragoman_status dragoman_memory_add(dragoman_memory* memory, const char* source_language, const char* target_language,
                                    const dragoman_string* source, const dragoman_string* target) {
    return guard([&] {
        const auto segment = [](const char* language, const char* name, const dragoman_string* text, const char* of) {
            required(language, name);
            const std::string tag(capi::text(dragoman_str(language), {name}));
            return dragoman::tm::Segment{spec::LanguageTag::parse(tag).str(),
                                         std::string(capi::text(required(text, of), {of}))};
        };
        std::vector<dragoman::tm::Segment> unit;
        unit.push_back(segment(source_language, "source_language", source, "source"));
        unit.push_back(segment(target_language, "target_language", target, "target"));
        const std::string from = unit[0].language, to = unit[1].language;
        if (!used(memory).add(std::move(unit)))
            fail(Status::invalid_argument, "expected texts in two languages, got {} and {} bytes in {} and {}",
                 source->size, target->size, from, to);
    });
}

dragoman_status dragoman_memory_write_tmx(const dragoman_memory* memory, const char* path) {
    return guard([&] {
        if (!used(memory).records())
            fail(Status::invalid_argument, "memory: expected one with the option record, which is 0");
        used(memory).write_tmx(read_path(path));
    });
}

dragoman_status dragoman_memory_clear(dragoman_memory* memory) {
    return guard([&] { used(memory).clear(); });
}

dragoman_status dragoman_memory_stats(const dragoman_memory* memory, dragoman_memory_counts* counts) {
    return guard([&] {
        check_struct_size<dragoman_memory_counts>(required(counts, "counts").struct_size, "counts");
        const dragoman::tm::MemoryStats from = used(memory).stats();
        dragoman_memory_counts to{};
        to.entries = from.entries;
        to.bytes = from.bytes;
        to.evicted = from.evicted;
        to.file_entries = from.file_entries;
        to.file_bytes = from.file_bytes;
        to.hits = from.hits;
        to.file_hits = from.file_hits;
        to.misses = from.misses;
        to.segments = from.segments;
        to.exact_matches = from.exact;
        to.fuzzy_matches = from.similar;
        to.recorded = from.recorded;
        to.file_waiting = from.file_waiting;
        to.file_lost = from.file_lost;
        to.file_failures = from.file_failures;
        write_struct(counts, counts->struct_size, to, "counts");
    });
}
