// SPDX-License-Identifier: Apache-2.0
// Caches, memories, documents and converted models are written.
#include <fstream>

#include "convert/convert.h"
#include "file_operations.h"
#include "files/file_map.h"
#include "files/new_file.h"
#include "tm/answer_journal.h"
#include "tm/translation_memory.h"
#include "vulkan/cache_file.h"
#include "vulkan/tuning.h"
#ifdef DRAGOMAN_MODELS
#include "registry/list_cache.h"
#include "store/installed.h"
#endif

namespace dragoman::faults {
namespace {

namespace fs = std::filesystem;

const std::string kOld(3000, 'o'), kNew(200'000, 'n');

void write_new(const fs::path& file) {
    NewFile made(file, true);
    const auto bytes = std::as_bytes(std::span(kNew));
    made.write(bytes.first(bytes.size() / 3));
    made.write(bytes.subspan(bytes.size() / 3));
    made.finish();
}

Operation replacing(const char* name, const std::function<void(const fs::path&)>& write) {
    return {.name = name,
            .prepare = [](const fs::path& folder) { std::ofstream(folder / "file", std::ios::binary) << kOld; },
            .run =
                [write](const fs::path& folder) {
                    write(folder / "file");
                    return std::string("written");
                }};
}

std::string through_memory(const fs::path& folder) {
    tm::Memory memory({.path = (folder / "memory.sqlite").string()});
    const std::string& context = memory.context("context");
    std::string found;
    for (int i = 0; i < 3; ++i) {
        const std::string question = "question " + std::to_string(i);
        memory.keep(context, question, "answer");
        memory.flush();
        if (const tm::Answer answer = memory.find(context, question)) found += *answer;
    }
    memory.stats();
    return found;
}

std::string through_journal(const fs::path& folder) {
    tm::AnswerJournal journal(folder / "kept", "key");
    for (int i = 0; i < 3; ++i)
        journal.put("context", std::to_string(i), std::make_shared<const std::string>("answer"));
    return *journal.find("context", "2");
}

}  // namespace

std::vector<Operation> writing_operations() {
    std::vector<Operation> all{
        replacing("write a document", write_new),
        replacing("write a pipeline cache",
                  [](const fs::path& file) { vulkan::replace_file(file, std::as_bytes(std::span(kNew))); }),
        {.name = "keep choices of kernels",
         .run =
             [](const fs::path& folder) {
                 vulkan::Tuning tuning(folder / "choices");
                 tuning.set("key", 7);
                 tuning.save();
                 return std::to_string(*tuning.find("key"));
             },
         .quiet = true},
        {.name = "answers in a memory's file", .run = through_memory, .grows = true},
        {.name = "answers in a journal", .run = through_journal, .grows = true},
        {.name = "convert",
         .prepare =
             [](const fs::path& folder) {
                 fs::copy(fs::path(DRAGOMAN_TEST_DATA) / "marian/amun", folder / "model", fs::copy_options::recursive);
             },
         .run =
             [](const fs::path& folder) {
                 convert::convert((folder / "model").string(), (folder / "made.gguf").string(), {.replace = true});
                 return std::string("written");
             }},
        {.name = "write TMX", .run = [](const fs::path& folder) {
             tm::Memory memory({.record = true});
             memory.record({"en", "The house."}, {"de", "Das Haus."});
             memory.write_tmx(folder / "a.tmx");
             return std::string("written");
         }}};
#ifdef DRAGOMAN_MODELS
    all.push_back({.name = "keep a registry's list", .run = [](const fs::path& folder) {
                       registry::write_cached_list(folder, "one", "http://x", kOld);
                       return std::string("written");
                   }});
    all.push_back({.name = "write a model's metadata", .run = [](const fs::path& folder) {
                       store::Installed model{.name = "x:de-en", .path = folder, .owner = "dragoman"};
                       store::write_metadata(folder, model);
                       return std::string("written");
                   }});
#endif
    return all;
}

}  // namespace dragoman::faults
