// SPDX-License-Identifier: Apache-2.0
#include "formats/vocabulary_files.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "base/error.h"
#include "base/utf8.h"
#include "files/file_budget.h"
#include "formats/json_object.h"
#include "formats/sentencepiece_pair.h"

namespace dragoman::formats {
namespace {

std::vector<std::string> parse_array(const FileBytes& file) {
    const auto json = parse_json(file.name, file.text());
    if (!json.is_array()) {
        fail(Status::bad_model, "{}: expected an array of strings, file has {}", file.name, json.type_name());
    }
    std::vector<std::string> tokens;
    check_vocabulary(file.name, json.size());
    tokens.reserve(json.size());
    for (const auto& item : json) {
        if (!item.is_string()) {
            fail(Status::bad_model, "{}: entry {}: expected a string, file has {}", file.name, tokens.size(),
                 item.type_name());
        }
        tokens.push_back(item.get<std::string>());
    }
    return tokens;
}

std::vector<std::string> parse_lines(const FileBytes& file) {
    std::vector<std::string> tokens;
    std::string_view text = file.text();
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // of an editor
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    const bool last_ends = text.ends_with('\n');
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (const auto bad = first_invalid_utf8(line)) {
            fail(Status::bad_model, "{}: line {}, byte {}: expected UTF-8, file has 0x{:02x}", file.name,
                 tokens.size() + 1, *bad, static_cast<unsigned char>(line[*bad]));
        }
        check_vocabulary(file.name, tokens.size() + 1);
        tokens.emplace_back(line);
    }
    const auto ends_with_cr = [](const std::string& line) { return line.ends_with('\r'); };
    const auto ended = std::span(tokens).first(tokens.size() - (last_ends || tokens.empty() ? 0 : 1));
    if (std::ranges::all_of(ended, ends_with_cr))
        for (std::string& line : tokens)
            if (ends_with_cr(line)) line.pop_back();
    return tokens;
}

// What publishers call the files of one side.
struct Side {
    std::string_view name, stem;
};
constexpr std::array<Side, 5> kSides = {
    {{"source", "source"}, {"source", "src"}, {"target", "target"}, {"target", "tgt"}, {"target", "trg"}}};

// The only file of the folder, besides those of one side, that a test lets through; "" for none or several.
std::string only_with(const FileSet& files, const auto& fits) {
    std::string only;
    for (const std::string& name : files.names()) {
        const std::string_view stem = std::string_view(name).substr(0, name.rfind('.'));
        if (name.find('/') != std::string::npos || !fits(name)) continue;
        if (std::ranges::any_of(kSides, [&](const Side& side) { return stem == side.stem; })) continue;
        if (!only.empty()) return {};
        only = name;
    }
    return only;
}

// SIDE's own file with an extension, or "".
std::string own_file(const FileSet& files, std::string_view side, const char* extension) {
    for (const Side& one : kSides)
        if (std::string name = std::string(one.stem) + extension; one.name == side && files.has(name)) return name;
    return {};
}

}  // namespace

// A message of protobuf that begins with a piece: field 1, its length, and in it the text, field 1 too.
bool looks_like_sentencepiece(std::string_view text) {
    return text.size() > 4 && text[0] == '\n' && text[2] == '\n' && text[1] > 0 && text[3] > 0 && text[3] < text[1];
}

std::vector<std::string> read_vocabulary(const FileSet& files, const std::string& name) {
    const FileBytes file = files.read(name);
    return name.ends_with(".json") ? parse_array(file) : parse_lines(file);
}

std::optional<std::string> find_vocabulary(const FileSet& files, std::string_view stem) {
    for (const char* extension : {".json", ".txt"}) {
        std::string name = std::string(stem) + extension;
        if (files.has(name)) return name;
    }
    return std::nullopt;
}

std::string find_sentencepiece(const FileSet& files, std::string_view side) {
    if (std::string own = own_file(files, side, ".spm"); !own.empty()) return own;
    for (const char* name : {"sentencepiece.model", "sentencepiece.bpe.model", "spm.model", "spiece.model",
                             "tokenizer.model", "flores200_sacrebleu_tokenizer_spm.model"}) {
        if (files.has(name)) return name;
    }
    if (std::string own = own_file(files, side, ".model"); !own.empty()) return own;
    const std::string only = only_with(files, [](const std::string& name) { return name.ends_with(".spm"); });
    if (!only.empty()) return only;
    return only_with(files, [&](const std::string& name) {
        return name.ends_with(".model") && looks_like_sentencepiece(files.beginning(name).text());
    });
}

void read_sentencepiece(const FileSet& files, spec::ModelSpec& spec) {
    const auto read = [&](const std::string& name) {
        FileBytes file = files.read(name);
        if (file.empty()) fail(Status::bad_model, "{}: expected a SentencePiece model, file is empty", file.name);
        return file;
    };
    std::string source = find_sentencepiece(files, "source"), target = find_sentencepiece(files, "target");
    if (source.empty() && target.empty()) {
        const auto pair = find_sentencepiece_pair(files, {.source_tokens = spec.source.tokens,
                                                          .target_tokens = spec.target.tokens,
                                                          .source_languages = spec.source_languages,
                                                          .target_languages = spec.target_languages});
        if (pair) std::tie(source, target) = std::tie(pair->source, pair->target);
    }
    if (!source.empty()) spec.source.sentencepiece = read(source);
    if (!target.empty()) spec.target.sentencepiece = target == source ? spec.source.sentencepiece : read(target);
}

}  // namespace dragoman::formats
