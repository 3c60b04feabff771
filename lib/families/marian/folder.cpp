// SPDX-License-Identifier: Apache-2.0
#include "families/marian/folder.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "base/real.h"
#include "formats/marian_file.h"
#include "formats/marian_vocabulary.h"
#include "formats/sentencepiece_pair.h"

namespace dragoman::families {
namespace {

using Names = std::vector<std::string>;

bool is_shortlist(std::string_view name) { return name.starts_with("lex.") && name.ends_with(".bin"); }

bool has_model_name(std::string_view name) {
    if (name.ends_with(".npz")) return !name.ends_with(".optimizer.npz");
    return name.ends_with(".bin") && !is_shortlist(name);
}

std::string file_name(std::string_view path) { return std::string(path.substr(path.find_last_of("/\\") + 1)); }

Names select(const FileSet& files, auto wanted) {
    Names names;
    std::ranges::copy_if(files.names(), std::back_inserter(names), wanted);
    return names;
}

bool is_configuration(std::string_view name) {
    const bool yml = name.ends_with(".yml") || name.ends_with(".yaml");
    return yml && (name.starts_with("config.") || name.starts_with("decode.") || name.starts_with("config-"));
}

// Which of several configurations is used: the one for 8-bit weights with the scales of activations, for 8-bit weights,
// for others.
int rank(std::string_view name) {
    const bool packed = name.find("intgemm") != name.npos || name.find("8bit") != name.npos;
    return packed && name.find("alpha") != name.npos ? 0 : packed ? 1 : 2;
}

bool has_all(const FileSet& files, const Names& paths) {
    return std::ranges::all_of(paths, [&](const auto& path) { return files.has(file_name(path)); });
}

// Finds the configuration whose model is there: a student has one for each of its models.
std::string find_configuration(const FileSet& files) {
    Names configs = select(files, is_configuration), of_students, fitting;
    std::ranges::stable_sort(configs, {}, rank);
    for (const std::string& name : configs) {
        const formats::YamlMap config(files.label(name), files.read(name).text());
        const Names models = config.has("models") ? config.list("models") : Names{};
        const bool chosen = std::ranges::any_of(models,
                                                [&](const auto& path) { return file_name(path) == files.chosen(); });
        const bool fits = files.chosen().empty() ? has_all(files, models) : chosen;
        if (!models.empty() && fits) fitting.push_back(name);
        if (rank(name) < 2) of_students.push_back(name);
    }
    if (!fitting.empty()) return fitting[0];
    if (of_students.empty()) return {};
    if (of_students.size() > 1) {
        log(LogLevel::warning, "{}: none of {} names a model that is there; the settings are those of {}",
            text_of(files.path()), fmt::join(of_students, ", "), of_students[0]);
    }
    return of_students[0];
}

// "model.npz.decoder.yml" of the chosen model.npz, else decoder.yml, else the only one, else a configuration for
// marian-decoder.
std::string find_decoder_yml(const FileSet& files) {
    const std::string own = files.chosen() + ".decoder.yml";
    if (!files.chosen().empty() && files.has(own)) return own;
    if (files.has("decoder.yml")) return "decoder.yml";
    const Names names = select(files, [](std::string_view name) { return name.ends_with(".decoder.yml"); });
    if (!names.empty()) return names.size() == 1 ? names[0] : "";
    return find_configuration(files);
}

Names find_models(const FileSet& files, const std::optional<formats::YamlMap>& decoder) {
    if (!files.chosen().empty()) return {files.chosen()};
    Names models = decoder ? decoder->list("models") : Names{};
    std::ranges::transform(models, models.begin(), [](const auto& path) { return file_name(path); });
    const auto missing = std::ranges::find_if(models, [&](const auto& name) { return !files.has(name); });
    if (missing == models.end() && !models.empty()) return models;
    if (models.size() > 1) {
        fail(Status::bad_model, "{}: models: expected {} files in {}, {} is not there", decoder->where(), models.size(),
             text_of(files.path()), *missing);
    }
    const Names names = select(files, [&](const std::string& name) { return is_marian_model(files, name); });
    if (names.size() == 1) return names;
    for (const char* usual : {"model.npz", "model.bin"})
        if (std::ranges::find(names, usual) != names.end()) return {usual};
    fail(Status::bad_model, "{}: expected one model, there are {}; give the path of one of them", text_of(files.path()),
         fmt::join(names, ", "));
}

std::vector<float> read_weights(const formats::YamlMap& decoder) {
    std::vector<float> weights;
    for (const std::string& text : decoder.list("weights")) {
        if (read_real(text, weights.emplace_back()) != std::errc{})
            fail(Status::bad_model, "{}: weights: expected numbers, file has {}", decoder.where(), text.substr(0, 60));
    }
    return weights;
}

// The models, and the weights of an ensemble. A model that was chosen by itself has those of its own decoder.yml only.
void find_networks(const FileSet& files, MarianFolder& folder) {
    const Names models = find_models(files, folder.decoder);
    folder.model = models.front();
    folder.others.assign(models.begin() + 1, models.end());
    const bool own = files.chosen().empty() || (folder.decoder && folder.decoder->list("models").size() <= 1);
    if (folder.decoder && own) folder.weights = read_weights(*folder.decoder);
}

bool has_part(std::string_view name, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](auto part) { return name.find(part) != std::string_view::npos; });
}

// Two SentencePiece models that are called after the languages: en.model and ar.model.
std::optional<formats::SentencePiecePair> find_pair(const FileSet& files, const MarianFolder& folder) {
    return formats::find_sentencepiece_pair(files, {.source_languages = folder.languages.source,
                                                    .target_languages = folder.languages.target});
}

// The vocabularies among names like vocab.deen.spm, srcvocab.enja.spm, opus.spm32k.vocab.yml, vocab.src.yml.
void guess_vocabularies(const FileSet& files, MarianFolder& folder) {
    const Names names = select(files, [](std::string_view name) { return has_part(name, {"vocab"}); });
    Names source, target, both;
    for (const std::string& name : names) {
        if (has_part(name, {"srcvocab", ".src", "source"})) source.push_back(name);
        else if (has_part(name, {"trgvocab", ".trg", ".tgt", "target"})) target.push_back(name);
        else both.push_back(name);
    }
    if (source.size() == 1 && target.size() == 1) {
        folder.source_vocabulary = source[0];
        folder.target_vocabulary = target[0];
        return;
    }
    // HPLT's models call theirs after the pair of languages
    if (names.empty())
        both = select(files, [](std::string_view name) {
            return name.ends_with(".spm") && name != "source.spm" && name != "target.spm";
        });
    if (names.empty() && both.empty() && files.has("source.spm") && files.has("target.spm")) {
        folder.source_vocabulary = "source.spm";
        folder.target_vocabulary = "target.spm";
        return;
    }
    if (const auto pair = names.empty() && both.size() != 1 ? find_pair(files, folder) : std::nullopt) {
        folder.source_vocabulary = pair->source;
        folder.target_vocabulary = pair->target;
        return;
    }
    if (both.size() != 1) {
        fail(Status::bad_model,
             "{}: expected one vocabulary (*vocab*.spm, .yml or .txt) or one for each side "
             "(srcvocab*, trgvocab*, or SentencePiece models called after the model's languages), there are: {}",
             text_of(files.path()), names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")));
    }
    folder.source_vocabulary = folder.target_vocabulary = both[0];
}

void find_vocabularies(const FileSet& files, MarianFolder& folder) {
    const Names named = folder.decoder ? folder.decoder->list("vocabs") : Names{};
    if (named.size() > 2) {
        fail(Status::unsupported, "{}: vocabs: expected one source and one target, file has {}",
             folder.decoder->where(), named.size());
    }
    if (named.empty() || !std::ranges::all_of(named, [&](const auto& path) { return files.has(file_name(path)); }))
        return guess_vocabularies(files, folder);
    folder.source_vocabulary = file_name(named.front());
    folder.target_vocabulary = file_name(named.back());
}

// The merges of subword-nmt that models of 2019 came with.
std::string find_merges(const FileSet& files) {
    for (const char* name : {"source.bpe", "source.tcmodel", "bpe.codes", "codes.bpe"})
        if (files.has(name)) return name;
    const Names names = select(files, [](std::string_view name) { return name.ends_with(".bpe"); });
    return names.empty() ? std::string() : names[0];
}

}  // namespace

bool is_marian_model(const FileSet& files, const std::string& name) {
    if (!has_model_name(name) || files.is_lfs_pointer(name)) return false;
    return name.ends_with(".npz") || formats::looks_like_marian_bin(files.beginning(name).bytes);
}

MarianFolder find_marian_files(const FileSet& files) {
    MarianFolder folder;
    if (const std::string name = find_decoder_yml(files); !name.empty())
        folder.decoder.emplace(files.label(name), files.read(name).text());
    find_networks(files, folder);
    folder.languages = read_marian_languages(files, folder.model);
    find_vocabularies(files, folder);
    if (!formats::is_sentencepiece_name(folder.source_vocabulary)) {
        if (files.has("source.spm")) folder.source_sentencepiece = "source.spm";
        if (files.has("target.spm")) folder.target_sentencepiece = "target.spm";
        if (folder.source_sentencepiece.empty()) folder.merges = find_merges(files);
    }
    const Names shortlists = select(files, is_shortlist);
    if (shortlists.size() == 1) folder.shortlist = shortlists[0];
    return folder;
}

}  // namespace dragoman::families
