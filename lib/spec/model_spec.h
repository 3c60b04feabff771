// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/file_set.h"
#include "spec/embedding_spec.h"
#include "spec/prompt.h"
#include "spec/quality_weights.h"
#include "spec/recurrent_config.h"
#include "spec/search_defaults.h"
#include "spec/shortlist.h"
#include "spec/tokenizer_steps.h"
#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::spec {

// A network of a model besides its first one.
struct Member {
    std::string name;  // for messages
    TransformerConfig config;
    WeightMap weights;
    std::optional<RecurrentConfig> recurrent{};  // as in ModelSpec
};

// Networks of one vocabulary that predict each token together.
struct Ensemble {
    std::vector<Member> others;   // besides ModelSpec::config and weights
    std::vector<float> weights;   // for all networks, the first one first; empty: 1 each
    bool probabilities = false;   // the weighted sum is over probabilities, not over their logarithms
    // Whether there are several networks or weights.
    bool used() const { return !others.empty() || !weights.empty(); }
};

// Vocabularies and tokenizer files as found; text/ turns them into tokenizers.
struct VocabularySpec {
    std::vector<std::string> tokens;  // index is the id
    FileBytes sentencepiece;          // empty: the model has none (token mode)
};

// Byte-level BPE, for both sides.
struct ByteBpeSpec {
    std::vector<std::string> merges;  // "left right", the best first; empty: none
    bool space_before = false;        // texts that begin without a space get one
};

// WordPiece with BERT's normalisation, for texts of an encoder-only model; pieces are the source's tokens.
struct WordPieceSpec {
    bool used = false;
    std::string unk_token = "[UNK]", continuation = "##";  // before a piece that continues a word
    uint32_t most_characters = 100;                         // per word; a longer one is unknown
    bool clean = true;               // removes control characters, and turns white space into spaces
    bool chinese_characters = true;  // each is a word of its own
    bool strip_accents = false;
    bool lower_case = false;
};

// A model as its files describe it, independent of the format. Tensors are views into file maps that it holds.
struct ModelSpec {
    std::string format;        // "ctranslate2", "huggingface" ...
    std::string family;        // spec name: "TransformerBase" ...
    std::filesystem::path path;  // the directory or archive
    uint64_t file_bytes = 0;     // size of the files or the archive
    TransformerConfig config;
    // If set, this is the network, and `config` has only the common facts: vocabularies, width, layers.
    std::optional<RecurrentConfig> recurrent;
    WeightMap weights;  // canonical names: those of CTranslate2's current TransformerSpec, or recurrent_tensors.h
    Ensemble ensemble;
    VocabularySpec source, target;
    ByteBpeSpec byte_bpe;  // replaces SentencePiece models
    WordPieceSpec word_piece;  // replaces SentencePiece models
    TokenizerSteps tokenizer_steps;  // before each of these
    bool clean_up_spaces = false;  // blanks before punctuation go out of texts, as transformers does it
    EmbeddingSpec embedding;   // describes vectors of its encoder
    bool shared_vocabulary = false;
    std::string unk_token = "<unk>", bos_token = "<s>", eos_token = "</s>";
    std::optional<std::string> decoder_start_token;  // nullopt: the caller's first prefix token
    bool add_source_bos = false, add_source_eos = false;
    bool add_text_eos = false;  // for the tokens of a text; callers with tokens add it themselves
    std::vector<std::vector<std::string>> never_generated;  // target tokens; in a longer one, the last after the rest
    bool right_to_left = false;  // the model reads and writes the last token of a sentence first
    SearchDefaults search;
    QualityWeights quality;  // for estimating how good translations are
    std::optional<Shortlist> shortlist;
    // Codes in the format's spelling; empty: it names none.
    std::vector<std::string> source_languages, target_languages;
    Prompts prompts;  // for texts; families::load() completes what a family leaves empty
    bool has_tokenizer() const {
        return word_piece.used || !byte_bpe.merges.empty() ||
               (!source.sentencepiece.empty() && !target.sentencepiece.empty());
    }
    std::string no_tokenizer;  // where the files have one that is not read: what it is
    const Languages& languages() const { return prompts.languages; }
    Prompt prompt(std::string_view from = {}, std::string_view to = {}) const { return prompts.make(from, to); }
    std::string version;  // version of the model, where the format has one
    // the text of its licence file (the first 4 KiB) or the line about it in its README; empty: none
    std::string license;
    std::vector<std::shared_ptr<const void>> owners;  // files and converted tensors the views point into
};

}  // namespace dragoman::spec
