// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/pytorch_vocabulary.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "formats/sentencepiece_model.h"
#include "formats/tokenizer_json.h"
#include "formats/vocabulary_files.h"

namespace dragoman::families {
namespace {

using formats::SentencePieceModel;

constexpr const char* kBlank = "\xe2\x96\x81";  // U+2581: what a space is in pieces

bool is_one_character(const std::string& token) {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return std::ranges::count_if(token, begins) == 1;
}

class Vocabularies {
public:
    Vocabularies(const FileSet& files, const PyTorchDescription& description, spec::ModelSpec& spec)
        : files_(files), told_(description), spec_(spec) {}

    void take() {
        const uint32_t sizes[] = {spec_.config.source_vocabulary, spec_.config.target_vocabulary};
        spec_.shared_vocabulary = told_.shared_vocabulary && sizes[0] == sizes[1];
        read(told_.source, sizes[0], told_.source_embedding, spec_.source);
        read(told_.target, sizes[1], told_.target_embedding, spec_.target);
        special_tokens();
        if (!told_.characters) return;
        for (spec::VocabularySpec* side : {&spec_.source, &spec_.target}) split_characters(*side);
    }

private:
    static bool ends_with_any(const std::string& name, std::initializer_list<const char*> endings) {
        return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
    }

    void read(const PyTorchDescription::Vocabulary& told, uint32_t size, const std::string& embedding,
              spec::VocabularySpec& side) const {
        if (told.file.empty()) {
            side.tokens = told.tokens.empty() ? numbers(size) : told.tokens;
        } else if (ends_with_any(told.file, {".model", ".spm"})) {
            side.sentencepiece = files_.read(told.file);
            side.tokens = formats::sentencepiece_pieces(side.sentencepiece).texts;
        } else if (told.file.ends_with("tokenizer.json")) {
            auto tokenizer = formats::read_tokenizer_json(files_.read(told.file));
            if (tokenizer.steps.used())
                fail(Status::unsupported, "{}: expected steps that a SentencePiece model has too, file has {}",
                     files_.label(told.file), tokenizer.steps.json.substr(0, 60));
            side = {.tokens = std::move(tokenizer.tokens), .sentencepiece = std::move(tokenizer.sentencepiece)};
        } else {
            side.tokens = formats::read_vocabulary(files_, told.file);
        }
        const std::string place = told.file.empty() ? told_.file : files_.label(told.file);
        if (side.tokens.size() != size)
            fail(Status::bad_model, "{}: expected {} tokens (rows of {}), file has {}", place, size, embedding,
                 side.tokens.size());
        check_once(place, side.tokens);
    }

    static std::vector<std::string> numbers(uint32_t size) {
        std::vector<std::string> tokens;
        for (uint32_t id = 0; id < size; ++id) tokens.push_back(std::to_string(id));
        return tokens;
    }

    static void check_once(const std::string& place, const std::vector<std::string>& tokens) {
        std::map<std::string_view, std::size_t> ids;
        for (std::size_t id = 0; id < tokens.size(); ++id)
            if (const auto [found, added] = ids.try_emplace(tokens[id], id); !added)
                fail(Status::bad_model, "{}: token \"{}\": expected once, file has it as {} and {}", place, tokens[id],
                     found->second, id);
    }

    const std::string& token(const char* key, uint32_t id, const spec::VocabularySpec& side) const {
        if (id >= side.tokens.size())
            fail(Status::bad_model, "{}: {}: expected an id from 0 to {}, file has {}", told_.file, key,
                 side.tokens.size() - 1, id);
        return side.tokens[id];
    }

    // One token serves both sides; vocabularies may number it differently only where nothing names its id.
    void check_same(const char* key, const std::string& expected, const std::string& found) const {
        if (found != expected)
            fail(Status::unsupported,
                 "{}: {}: expected the same token in both vocabularies, source has \"{}\" and "
                 "target has \"{}\"",
                 told_.file, key, found, expected);
    }

    void special_tokens() {
        spec_.decoder_start_token = token("start", told_.start, spec_.target);
        spec_.eos_token = token("end", told_.end, spec_.target);
        spec_.unk_token = token("unknown", told_.unknown, spec_.target);
        check_same("unknown", spec_.unk_token, token("unknown", told_.unknown, spec_.source));
        if (told_.pad) token("pad", *told_.pad, spec_.target);
        spec_.bos_token = told_.source_begin ? token("source_begin", *told_.source_begin, spec_.source)
                                             : *spec_.decoder_start_token;
        spec_.add_source_bos = told_.source_begin.has_value();
        spec_.add_source_eos = told_.source_end.has_value();
        if (told_.source_end)
            check_same("source_end", spec_.eos_token, token("source_end", *told_.source_end, spec_.source));
        for (const uint32_t id : told_.never) spec_.never_generated.push_back({token("never", id, spec_.target)});
    }

    bool is_special(const std::string& token, const spec::VocabularySpec& side) const {
        return token == *spec_.decoder_start_token || token == spec_.eos_token || token == spec_.bos_token ||
               token == spec_.unk_token ||
               (told_.pad && *told_.pad < side.tokens.size() && token == side.tokens[*told_.pad]);
    }

    // A SentencePiece model whose pieces are the tokens of one character. The others are not in texts.
    void split_characters(spec::VocabularySpec& side) const {
        if (!side.sentencepiece.empty() || (told_.source.file.empty() && told_.source.tokens.empty()))
            fail(Status::bad_model, "{}: tokens: expected a vocabulary of characters as a list, file has {}",
                 told_.file, side.sentencepiece.empty() ? "none" : "a tokenizer");
        SentencePieceModel model{.type = SentencePieceModel::Type::characters,
                                 .pieces = {},
                                 .add_dummy_prefix = false,
                                 .remove_extra_whitespaces = false};
        for (std::string& token : side.tokens) {
            if (is_special(token, side) && is_one_character(token))
                fail(Status::bad_model,
                     "{}: tokens: expected special tokens of several characters, which texts cannot "
                     "contain, file has \"{}\"",
                     told_.file, token);
            if (token == " ") token = kBlank;
            const auto kind = token == spec_.unk_token  ? SentencePieceModel::Kind::unknown
                              : is_one_character(token) ? SentencePieceModel::Kind::normal
                                                        : SentencePieceModel::Kind::control;
            model.pieces.push_back({.text = token, .score = 0.0f, .kind = kind});
        }
        check_once(told_.file, side.tokens);
        side.sentencepiece = formats::sentencepiece_file(model, told_.file);
    }

    const FileSet& files_;
    const PyTorchDescription& told_;
    spec::ModelSpec& spec_;
};

}  // namespace

void take_pytorch_vocabularies(const FileSet& files, const PyTorchDescription& description, spec::ModelSpec& spec) {
    Vocabularies(files, description, spec).take();
}

}  // namespace dragoman::families
