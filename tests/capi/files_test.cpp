// SPDX-License-Identifier: Apache-2.0
// Models that do not lie in the file system.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "support/zip_file.h"
#include "text_model.h"

namespace files_test {

using namespace dragoman::test;

namespace {

using Contents = std::map<std::string, std::string>;

Contents read_folder(const std::string& path) {
    Contents contents;
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.is_regular_file()) contents[entry.path().filename().string()] = read_file(entry.path());
    return contents;
}

// A caller's memory of exactly that size, aligned to nothing.
class InMemory {
public:
    explicit InMemory(const Contents& contents) {
        for (const auto& [name, content] : contents) {
            auto& copy = copies_.emplace_back(new char[content.size() + 1]);
            std::memcpy(copy.get() + 1, content.data(), content.size());
            names_.push_back(name);
            files.push_back({nullptr, copy.get() + 1, content.size(), nullptr, nullptr});
        }
        for (std::size_t i = 0; i < files.size(); ++i) files[i].name = names_[i].c_str();
    }
    std::vector<dragoman_file> files;

private:
    std::vector<std::unique_ptr<char[]>> copies_;
    std::vector<std::string> names_;
};

struct Reader {
    std::string content;
    uint64_t bytes = 0;
    int calls = 0, fail_at = -1;
    static int32_t read(uint64_t offset, void* buffer, size_t size, void* user) {
        auto& self = *static_cast<Reader*>(user);
        if (self.calls++ == self.fail_at) return -7;
        if (offset + size > self.content.size()) return 1;
        std::memcpy(buffer, self.content.data() + offset, size);
        self.bytes += size;
        return 0;
    }
    dragoman_file file(const char* name) { return {name, nullptr, content.size(), read, this}; }
};

std::string translated(dragoman_model* model) {
    const ModelHandle handle(model);
    const TranslatorHandle translator = create_translator(handle);
    const dragoman_string text = dragoman_str("آتزمون");
    dragoman_result* result = nullptr;
    require_ok(dragoman_translate_texts(translator.get(), &text, 1, nullptr, nullptr, &result));
    const ResultHandle result_handle(result);
    return text_of(result, 0);
}

}  // namespace

TEST_CASE("a folder in memory, given back right after loading") {
    const TextModel on_disk;
    dragoman_model* model = nullptr;
    {
        const InMemory memory(read_folder(on_disk.path));
        require_ok(dragoman_model_load_files(memory.files.data(), memory.files.size(), nullptr, &model));
    }
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_get_info(model, &info));
    CHECK(std::string(info.path) == "memory");
    CHECK(std::string(info.format) == "ctranslate2");
    CHECK(translated(model) == "atzmon");
}

TEST_CASE("every format can be loaded from memory as from its folder") {
    for (const char* path : {DRAGOMAN_TEST_DATA "/huggingface/shared", DRAGOMAN_TEST_DATA "/toy-text", kModel}) {
        CAPTURE(path);
        dragoman_model_info from_disk, from_memory;
        dragoman_model_info_init(&from_disk);
        dragoman_model_info_init(&from_memory);
        require_ok(dragoman_model_describe(path, &from_disk));
        const InMemory memory(read_folder(path));
        require_ok(dragoman_model_describe_files(memory.files.data(), memory.files.size(), &from_memory));
        std::memset(from_disk.path, 0, sizeof from_disk.path);
        std::memset(from_memory.path, 0, sizeof from_memory.path);
        CHECK(std::memcmp(&from_disk, &from_memory, sizeof from_disk) == 0);
        dragoman_model* model = nullptr;
        require_ok(dragoman_model_load_files(memory.files.data(), memory.files.size(), nullptr, &model));
        dragoman_model_destroy(model);
    }
}

TEST_CASE("one buffer: a zip archive") {
    const TextModel on_disk;
    ZipFile zip;
    for (const auto& [name, content] : read_folder(on_disk.path)) zip.add("model/" + name, content, true);
    const InMemory memory({{"ar-en.zip", zip.bytes()}});
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load_files(memory.files.data(), 1, nullptr, &model));
    CHECK(translated(model) == "atzmon");
}

TEST_CASE("files by callback, each byte at most once, also mixed with memory") {
    const TextModel on_disk;
    std::map<std::string, Reader> readers;
    std::vector<dragoman_file> files;
    std::size_t total = 0;
    for (const auto& [name, content] : read_folder(on_disk.path)) readers[name].content = content;
    for (auto& [name, reader] : readers) {
        files.push_back(reader.file(name.c_str()));
        total += reader.content.size();
    }
    files[0] = {files[0].name, readers.begin()->second.content.data(), files[0].size, nullptr, nullptr};
    dragoman_model* model = nullptr;
    require_ok(dragoman_model_load_files(files.data(), files.size(), nullptr, &model));
    uint64_t read = 0;
    for (const auto& [name, reader] : readers) {
        CHECK(reader.bytes <= reader.content.size());
        read += reader.bytes;
    }
    CHECK(read > total / 2);
    CHECK(readers.begin()->second.calls == 0);
    CHECK(readers.at("model.bin").bytes == readers.at("model.bin").content.size());
    const int calls = readers.at("model.bin").calls;
    CHECK(translated(model) == "atzmon");
    CHECK(readers.at("model.bin").calls == calls);
}

TEST_CASE("a callback that fails") {
    const Contents contents = read_folder(kModel);
    Reader weights{contents.at("model.bin"), 0, 0, 0};
    InMemory memory(contents);
    for (dragoman_file& file : memory.files)
        if (std::string(file.name) == "model.bin") file = weights.file("model.bin");
    dragoman_model* model = reinterpret_cast<dragoman_model*>(1);
    check_error(dragoman_model_load_files(memory.files.data(), memory.files.size(), nullptr, &model), DRAGOMAN_IO_ERROR,
                {"model.bin", "-7"});
    CHECK(model == nullptr);
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    check_error(dragoman_model_describe_files(memory.files.data(), memory.files.size(), &info), DRAGOMAN_OK, {});
}

TEST_CASE("truncated models in memory are errors, never more") {
    const Contents contents = read_folder(DRAGOMAN_TEST_DATA "/huggingface/shared");
    for (const auto& item : contents) {
        const std::string &name = item.first, &content = item.second;
        if (name == "expected.json" || name == "README.md") continue;
        for (const std::size_t size :
             {std::size_t(0), std::size_t(1), content.size() / 3, content.size() / 2, content.size() - 1}) {
            CAPTURE(name);
            CAPTURE(size);
            Contents cut = contents;
            cut[name].resize(size);
            const InMemory memory(cut);
            dragoman_model_info info;
            dragoman_model_info_init(&info);
            const dragoman_status status = dragoman_model_describe_files(memory.files.data(), memory.files.size(),
                                                                         &info);
            const bool expected = status == DRAGOMAN_OK || status == DRAGOMAN_BAD_MODEL ||
                                  status == DRAGOMAN_UNSUPPORTED || status == DRAGOMAN_IO_ERROR;
            CHECK(expected);
            if (name == "model.safetensors") CHECK(status == DRAGOMAN_BAD_MODEL);
        }
    }
    const std::string weights = contents.at("model.safetensors");
    const InMemory alone({{"model.safetensors", weights}});
    dragoman_model* model = nullptr;
    check_error(dragoman_model_load_files(alone.files.data(), 1, nullptr, &model), DRAGOMAN_IO_ERROR, {"config.json"});
}

TEST_CASE("arguments of files") {
    dragoman_model* model = reinterpret_cast<dragoman_model*>(1);
    const dragoman_file file = {"model.bin", "x", 1, nullptr, nullptr};
    check_error(dragoman_model_load_files(nullptr, 1, nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {"files"});
    CHECK(model == nullptr);
    check_error(dragoman_model_load_files(&file, 0, nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {"count"});
    check_error(dragoman_model_load_files(&file, 1, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_model_load_files(&file, 1, nullptr, &model), DRAGOMAN_BAD_MODEL, {"model.bin"});
    const dragoman_file other = {"notes.txt", "x", 1, nullptr, nullptr};
    check_error(dragoman_model_load_files(&other, 1, nullptr, &model), DRAGOMAN_BAD_MODEL, {"memory", "notes.txt"});
    const dragoman_file broken[] = {{nullptr, "x", 1, nullptr, nullptr},
                                    {"", "x", 1, nullptr, nullptr},
                                    {"\xff", "x", 1, nullptr, nullptr},
                                    {"name", nullptr, 1, nullptr, nullptr}};
    for (const dragoman_file& one : broken) {
        check_error(dragoman_model_load_files(&one, 1, nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {});
        dragoman_model_info info;
        dragoman_model_info_init(&info);
        check_error(dragoman_model_describe_files(&one, 1, &info), DRAGOMAN_INVALID_ARGUMENT, {});
        info.struct_size = 3;
        check_error(dragoman_model_describe_files(&file, 1, &info), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    }
    const dragoman_file twice[] = {file, file};
    check_error(dragoman_model_load_files(twice, 2, nullptr, &model), DRAGOMAN_INVALID_ARGUMENT, {"model.bin"});
    const dragoman_file vast = {"model.bin", nullptr, UINT64_MAX, [](uint64_t, void*, size_t, void*) { return 0; },
                                nullptr};
    check_error(dragoman_model_load_files(&vast, 1, nullptr, &model), DRAGOMAN_BAD_MODEL, {"model.bin"});
}

}  // namespace files_test
