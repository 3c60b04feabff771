// SPDX-License-Identifier: Apache-2.0
#include "families/marian_folder.h"

#include <algorithm>

#include "base/error.h"
#include "formats/marian_file.h"
#include "formats/marian_vocabulary.h"

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

// "model.npz.decoder.yml" of the chosen model.npz, else decoder.yml, else the only one, else translateLocally's
// config.intgemm8bitalpha.yml.
std::string find_decoder_yml(const FileSet& files) {
    const std::string own = files.chosen() + ".decoder.yml";
    if (!files.chosen().empty() && files.has(own)) return own;
    if (files.has("decoder.yml")) return "decoder.yml";
    const Names names = select(files, [](std::string_view name) { return name.ends_with(".decoder.yml"); });
    if (!names.empty()) return names.size() == 1 ? names[0] : "";
    const Names configs = select(files, [](std::string_view name) {
        return name.starts_with("config.intgemm") && name.ends_with(".yml");
    });
    return configs.size() == 1 ? configs[0] : "";
}

std::string find_model(const FileSet& files, const std::optional<formats::YamlMap>& decoder) {
    if (!files.chosen().empty()) return files.chosen();
    if (decoder) {
        const Names models = decoder->list("models");
        if (models.size() > 1) {
            fail(Status::unsupported, "{}: models: expected one, file has {} (an ensemble)", decoder->where(),
                 models.size());
        }
        if (models.size() == 1 && files.has(file_name(models[0]))) return file_name(models[0]);
    }
    const Names names = select(files, [&](const std::string& name) { return is_marian_model(files, name); });
    if (names.size() == 1) return names[0];
    for (const char* usual : {"model.npz", "model.bin"})
        if (std::ranges::find(names, usual) != names.end()) return usual;
    fail(Status::bad_model, "{}: expected one model, there are {}; give the path of one of them",
         files.path().string(), fmt::join(names, ", "));
}

bool has_part(std::string_view name, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](auto part) { return name.find(part) != std::string_view::npos; });
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
    if (both.size() != 1) {
        fail(Status::bad_model, "{}: expected one vocabulary (*vocab*.spm, .yml or .txt) or one for each side "
             "(srcvocab*, trgvocab*), there are: {}", files.path().string(),
             names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")));
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

}  // namespace

bool is_marian_model(const FileSet& files, const std::string& name) {
    if (!has_model_name(name)) return false;
    return name.ends_with(".npz") || formats::looks_like_marian_bin(files.read(name).bytes);
}

MarianFolder find_marian_files(const FileSet& files) {
    MarianFolder folder;
    if (const std::string name = find_decoder_yml(files); !name.empty())
        folder.decoder.emplace(files.label(name), files.read(name).text());
    folder.model = find_model(files, folder.decoder);
    find_vocabularies(files, folder);
    if (!formats::is_sentencepiece_name(folder.source_vocabulary)) {
        if (files.has("source.spm")) folder.source_sentencepiece = "source.spm";
        if (files.has("target.spm")) folder.target_sentencepiece = "target.spm";
    }
    const Names shortlists = select(files, is_shortlist);
    if (shortlists.size() == 1) folder.shortlist = shortlists[0];
    return folder;
}

}  // namespace dragoman::families
