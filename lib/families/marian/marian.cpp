// SPDX-License-Identifier: Apache-2.0
#include "families/marian/marian.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/marian/folder.h"
#include "families/marian/marian_tensors.h"
#include "families/marian/recurrent.h"
#include "formats/marian_vocabulary.h"
#include "formats/sentencepiece_pair.h"
#include "formats/shortlist_file.h"
#include "spec/ensemble.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kMaxMarianBeams = 64;  // decode::kMaxBeam

void read_vocabularies(const FileSet& files, const MarianFolder& folder, spec::ModelSpec& spec) {
    auto source = formats::read_marian_vocabulary(files, folder.source_vocabulary, spec.config.source_vocabulary);
    spec.shared_vocabulary = folder.source_vocabulary == folder.target_vocabulary &&
                             spec.config.source_vocabulary == spec.config.target_vocabulary;
    auto target = spec.shared_vocabulary
                      ? source
                      : formats::read_marian_vocabulary(files, folder.target_vocabulary, spec.config.target_vocabulary);
    if (source.eos != target.eos || source.unk != target.unk) {
        fail(Status::unsupported, "{}: expected the special tokens of {} ({} and {}), file has {} and {}",
             files.label(folder.target_vocabulary), folder.source_vocabulary, source.eos, source.unk, target.eos,
             target.unk);
    }
    spec.eos_token = target.eos;
    spec.unk_token = target.unk;
    spec.bos_token = target.eos;  // there is none
    spec.source = {std::move(source.tokens), std::move(source.sentencepiece)};
    spec.target = {std::move(target.tokens), std::move(target.sentencepiece)};
    if (!folder.source_sentencepiece.empty()) spec.source.sentencepiece = files.read(folder.source_sentencepiece);
    if (!folder.target_sentencepiece.empty()) spec.target.sentencepiece = files.read(folder.target_sentencepiece);
    if (spec.has_tokenizer() || !folder.merges.empty()) return;
    const auto pair = formats::find_sentencepiece_pair(files, {.source_tokens = spec.source.tokens,
                                                               .target_tokens = spec.target.tokens,
                                                               .source_languages = folder.languages.source,
                                                               .target_languages = folder.languages.target});
    if (!pair) return;
    spec.source.sentencepiece = files.read(pair->source);
    spec.target.sentencepiece = files.read(pair->target);
}

// The unknown token and the pieces of control characters.
void suppress(const MarianFolder& folder, spec::ModelSpec& spec) {
    const auto allowed = [&](const char* key) { return folder.decoder && folder.decoder->flag(key, false); };
    if (!allowed("allow-unk")) spec.never_generated.push_back({spec.unk_token});
    if (allowed("allow-special")) return;
    for (int control = 0; control < 0x20; ++control) {
        const std::string piece = fmt::format("<0x{:02X}>", control);
        if (std::ranges::find(spec.target.tokens, piece) != spec.target.tokens.end())
            spec.never_generated.push_back({piece});
    }
}

spec::SearchDefaults read_search(const MarianFolder& folder, const formats::MarianFile& file) {
    spec::SearchDefaults search = spec::SearchDefaults::of(spec::SearchStyle::marian);
    if (!folder.decoder) {
        // Students with the scales of their activations are made for Firefox, which has these settings for all of them.
        const bool student = std::ranges::any_of(file.parameters, [](const auto& entry) {
            return std::string_view(entry.first).ends_with("_QuantMultA");
        });
        if (student) {
            search.beam_size = 1;
            search.length_penalty = 1.0f;
            search.max_length_factor = 2.0f;
        }
        return search;
    }
    const formats::YamlMap& decoder = *folder.decoder;
    const auto read = [&](const char* key, float& value) {
        if (const auto number = decoder.real(key)) value = static_cast<float>(*number);
    };
    search.beam_size = std::clamp(decoder.number("beam-size", search.beam_size, 1u << 16), 1u, kMaxMarianBeams);
    read("normalize", search.length_penalty);
    read("word-penalty", search.word_penalty);
    read("max-length-factor", search.max_length_factor);
    return search;
}

formats::MarianFile read_file(const FileSet& files, const std::string& name) {
    const FileBytes content = files.map(name);
    return name.ends_with(".npz") ? formats::read_marian_npz(content) : formats::read_marian_bin(content);
}

// The network, and the order in which it writes.
void read_network(const formats::MarianFile& file, spec::ModelSpec& spec) {
    if (is_marian_recurrent(file)) return read_marian_recurrent(file, spec);
    const MarianOptions options = read_marian_options(file);
    spec.config = options.config;
    spec.right_to_left = options.right_to_left;
    take_marian_weights(file, options, spec);
}

// The other networks of an ensemble.
void read_members(const FileSet& files, const MarianFolder& folder, spec::ModelSpec& spec) {
    for (const std::string& name : folder.others) {
        const formats::MarianFile file = read_file(files, name);
        spec::ModelSpec other;
        read_network(file, other);
        if (other.right_to_left != spec.right_to_left) {
            fail(Status::bad_model, "{}: right-left: expected {} as in {}, file has {}", file.name, spec.right_to_left,
                 folder.model, other.right_to_left);
        }
        std::ranges::move(other.owners, std::back_inserter(spec.owners));
        spec::add_member(spec, {files.label(name), other.config, std::move(other.weights), other.recurrent},
                         Status::bad_model);
    }
    if (!folder.weights.empty())
        spec::set_weights(spec, folder.weights, folder.decoder->where() + ": weights", Status::bad_model);
}

}  // namespace

bool is_marian(const FileSet& files) {
    if (!files.chosen().empty()) return is_marian_model(files, files.chosen());
    return std::ranges::any_of(files.names(), [&](const auto& name) { return is_marian_model(files, name); });
}

spec::ModelSpec load_marian(const FileSet& files) {
    spec::ModelSpec spec;
    spec.format = "marian";
    spec.family = "transformer";
    spec.path = files.path();
    const MarianFolder folder = find_marian_files(files);
    const formats::MarianFile file = read_file(files, folder.model);
    read_network(file, spec);
    if (spec.recurrent) spec.family = "recurrent";
    read_vocabularies(files, folder, spec);
    if (!folder.merges.empty()) {
        spec.no_tokenizer = fmt::format("{} is BPE of subword-nmt after Moses' tokenizer, which is not read",
                                        folder.merges);
        log(LogLevel::warning, "{}: {}; the model takes and gives tokens", text_of(files.path()), spec.no_tokenizer);
    }
    spec.add_source_eos = true;
    spec.decoder_start_token = spec.eos_token;  // a stand-in: the first embedding is zero
    suppress(folder, spec);
    spec.search = read_search(folder, file);
    spec.source_languages = folder.languages.source;
    spec.target_languages = folder.languages.target;
    spec.version = folder.languages.version;
    if (!folder.shortlist.empty()) {
        spec.shortlist = formats::read_shortlist(files.read(folder.shortlist),
                                                 {.source = spec.config.source_vocabulary,
                                                  .target = spec.config.target_vocabulary,
                                                  .shared = folder.source_vocabulary == folder.target_vocabulary});
    }
    read_members(files, folder, spec);
    return spec;
}

}  // namespace dragoman::families
