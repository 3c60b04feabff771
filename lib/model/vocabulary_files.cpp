// SPDX-License-Identifier: Apache-2.0
#include "model/vocabulary_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_map.h"
#include "base/utf8.h"

namespace dragoman::model {
namespace fs = std::filesystem;
namespace {

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

std::vector<std::string> parse_json(const fs::path& file, std::string_view text) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) fail(Status::bad_model, "{}: not valid JSON in UTF-8", file.string());
    if (!json.is_array()) {
        fail(Status::bad_model, "{}: expected an array of strings, file has {}", file.string(), json.type_name());
    }
    std::vector<std::string> tokens;
    tokens.reserve(json.size());
    for (const auto& item : json) {
        if (!item.is_string()) {
            fail(Status::bad_model, "{}: entry {}: expected a string, file has {}", file.string(), tokens.size(),
                 item.type_name());
        }
        tokens.push_back(item.get<std::string>());
    }
    return tokens;
}

std::vector<std::string> parse_lines(const fs::path& file, std::string_view text) {
    std::vector<std::string> tokens;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (const auto bad = first_invalid_utf8(line)) {
            fail(Status::bad_model, "{}: line {}, byte {}: expected UTF-8, file has 0x{:02x}", file.string(),
                 tokens.size() + 1, *bad, static_cast<unsigned char>(line[*bad]));
        }
        tokens.emplace_back(line);
    }
    const auto ends_with_cr = [](const std::string& line) { return line.ends_with('\r'); };
    if (std::all_of(tokens.begin(), tokens.end(), ends_with_cr)) {
        for (std::string& line : tokens) line.pop_back();
    }
    return tokens;
}

}  // namespace

std::vector<std::string> read_vocabulary(const fs::path& file) {
    const FileMap map(file);
    const std::string_view text(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size());
    return file.extension() == ".json" ? parse_json(file, text) : parse_lines(file, text);
}

std::optional<fs::path> find_vocabulary(const fs::path& directory, std::string_view stem) {
    for (const char* extension : {".json", ".txt"}) {
        fs::path file = directory / (std::string(stem) + extension);
        if (is_file(file)) return file;
    }
    return std::nullopt;
}

fs::path find_sentencepiece(const fs::path& directory, std::string_view side) {
    const std::string own = std::string(side) + ".spm";
    for (const char* name :
         {own.c_str(), "sentencepiece.model", "sentencepiece.bpe.model", "spm.model", "spiece.model"}) {
        if (is_file(directory / name)) return directory / name;
    }
    fs::path only;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path name = entry->path().filename();
        if (name.extension() != ".spm" || name == "source.spm" || name == "target.spm") continue;
        if (!only.empty()) return {};
        only = entry->path();
    }
    return only;
}

}  // namespace dragoman::model
