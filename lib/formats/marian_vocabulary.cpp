// SPDX-License-Identifier: Apache-2.0
#include "formats/marian_vocabulary.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "formats/sentencepiece_file.h"
#include "formats/vocabulary_files.h"
#include "formats/yaml_map.h"

namespace dragoman::formats {
namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

MarianVocabulary read_pieces(const FileBytes& file, uint32_t size) {
    check_sentencepiece(file);
    sentencepiece::SentencePieceProcessor pieces;
    const auto status = pieces.LoadFromSerializedProto({file.text().data(), file.text().size()});
    if (!status.ok()) fail(Status::bad_model, "{}: not a SentencePiece model ({})", file.name, status.ToString());
    const auto count = static_cast<uint32_t>(pieces.GetPieceSize());
    if (count > size) {
        fail(Status::bad_model, "{}: expected at most {} pieces (rows of the embedding), file has {}", file.name, size,
             count);
    }
    MarianVocabulary vocabulary{.tokens = {}, .eos = {}, .unk = {}, .sentencepiece = file};
    for (uint32_t id = 0; id < count; ++id) vocabulary.tokens.push_back(pieces.IdToPiece(static_cast<int>(id)));
    if (pieces.eos_id() < 0) fail(Status::bad_model, "{}: expected an end symbol, the file has none", file.name);
    vocabulary.eos = vocabulary.tokens.at(static_cast<std::size_t>(pieces.eos_id()));
    vocabulary.unk = vocabulary.tokens.at(static_cast<std::size_t>(pieces.unk_id()));
    return vocabulary;
}

std::vector<std::string> read_map(const FileBytes& file, uint32_t size, std::vector<bool>& taken) {
    std::vector<std::string> tokens;
    const YamlMap map(file.name, file.text());
    for (const auto& [token, value] : map.entries()) {
        const std::string text = value.items.empty() ? std::string("a list or map") : value.items[0];
        uint32_t id = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (value.list || error != std::errc{} || end != text.data() + text.size()) {
            fail(Status::bad_model, "{}: \"{}\": expected an id, file has {}", file.name, token, text.substr(0, 60));
        }
        if (id >= size) continue;
        if (id >= tokens.size()) {
            tokens.resize(id + 1);
            taken.resize(id + 1);
        }
        if (taken[id]) {
            fail(Status::bad_model, "{}: id {}: expected one token, file has \"{}\" and \"{}\"", file.name, id,
                 tokens[id], token);
        }
        tokens[id] = token;
        taken[id] = true;
    }
    return tokens;
}

// The token itself, or what very old vocabularies have at its usual id: no token, or another name.
std::string special(std::vector<std::string>& tokens, const std::vector<bool>& taken, const std::string& file,
                    std::string_view token, std::size_t id, std::string_view old_name) {
    if (std::ranges::find(tokens, token) != tokens.end()) return std::string(token);
    if (id < tokens.size() && !taken[id]) return tokens[id] = token;
    if (id < tokens.size() && tokens[id] == old_name) return tokens[id];
    fail(Status::bad_model, "{}: expected a token {}, the file has none", file, token);
}

}  // namespace

bool is_sentencepiece_name(std::string_view name) { return name.ends_with(".spm") || name.ends_with(".model"); }

MarianVocabulary read_marian_vocabulary(const FileSet& files, const std::string& name, uint32_t size) {
    if (ends_with_any(name, {".fsv", ".fm"})) {
        fail(Status::unsupported, "{}: expected a vocabulary of tokens; factored vocabularies are not supported",
             files.label(name));
    }
    const FileBytes file = files.read(name);
    MarianVocabulary vocabulary;
    if (is_sentencepiece_name(name)) {
        vocabulary = read_pieces(file, size);
    } else {
        std::vector<bool> taken;
        if (ends_with_any(name, {".yml", ".yaml", ".json"})) {
            vocabulary.tokens = read_map(file, size, taken);
        } else {
            vocabulary.tokens = read_vocabulary(files, name);
            if (vocabulary.tokens.size() > size) vocabulary.tokens.resize(size);
            taken.resize(vocabulary.tokens.size(), true);
        }
        vocabulary.eos = special(vocabulary.tokens, taken, file.name, "</s>", 0, "eos");
        vocabulary.unk = special(vocabulary.tokens, taken, file.name, "<unk>", 1, "UNK");
    }
    vocabulary.tokens.resize(size);
    return vocabulary;
}

}  // namespace dragoman::formats
