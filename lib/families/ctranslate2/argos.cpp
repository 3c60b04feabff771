// SPDX-License-Identifier: Apache-2.0
#include "families/ctranslate2/ctranslate2.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/json_object.h"

namespace dragoman::families {
namespace {

constexpr const char* kMetadata = "metadata.json";
constexpr const char* kPieces = "sentencepiece.model";

// The options that Argos Translate gives CTranslate2, for every package.
constexpr uint32_t kBeams = 4;
constexpr float kLengthPenalty = 0.2f;

class Metadata {
public:
    explicit Metadata(const FileBytes& file)
        : file_(file.name), json_(formats::parse_json_object(file.name, file.text())) {}

    // Empty when the key is missing or null.
    std::string text(const char* key) const { return text_in(json_, key); }

    // The one code under `key`, otherwise the codes in the lists of languages under the other keys.
    std::vector<std::string> languages(const char* key, std::initializer_list<const char*> lists) const {
        if (std::string one = text(key); !one.empty()) return {std::move(one)};
        std::vector<std::string> codes;
        for (const char* list : lists) {
            const auto found = json_.find(list);
            if (found == json_.end() || found->is_null()) continue;
            if (!found->is_array()) wrong(list, "a list of languages", *found);
            for (const auto& language : *found) {
                if (!language.is_object()) wrong(list, "languages with a code", language);
                if (std::string code = text_in(language, "code"); !code.empty()) codes.push_back(std::move(code));
            }
        }
        return codes;
    }

    const std::string& file() const { return file_; }

private:
    [[noreturn]] void wrong(const char* key, const char* expected, const nlohmann::json& value) const {
        fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_, key, expected, formats::short_text(value));
    }

    std::string text_in(const nlohmann::json& object, const char* key) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null()) return {};
        if (!found->is_string()) wrong(key, "a string", *found);
        return found->get<std::string>();
    }

    std::string file_;
    nlohmann::json json_;
};

}  // namespace

bool is_argos(const FileSet& files) {
    if (!files.chosen().empty() || !files.has(kMetadata)) return false;
    const auto model = files.folder("model");
    return model && is_ctranslate2(*model);
}

spec::ModelSpec load_argos(const FileSet& files) {
    const Metadata metadata(files.read(kMetadata));
    if (const std::string type = metadata.text("type"); !type.empty() && type != "translate") {
        fail(Status::unsupported, "{}: type: expected translate, file has {}", metadata.file(), type);
    }
    if (const std::string prefix = metadata.text("target_prefix"); !prefix.empty()) {
        fail(Status::unsupported, "{}: target_prefix: packages whose translations begin with a code ({}) are not read",
             metadata.file(), prefix);
    }
    if (!files.has(kPieces) && files.has("bpe.model")) {
        fail(Status::unsupported, "{}: splits words by Moses' rules and BPE; only packages with {} are read",
             files.label("bpe.model"), kPieces);
    }
    const auto model = files.folder("model");
    spec::ModelSpec spec = load_ctranslate2(*model);
    spec.file_bytes = model->bytes_on_disk();
    spec.format = "argos";
    spec.path = files.folder_path();
    const FileBytes pieces = files.read(kPieces);
    if (pieces.empty()) fail(Status::bad_model, "{}: expected a SentencePiece model, file is empty", pieces.name);
    spec.source.sentencepiece = spec.target.sentencepiece = pieces;
    spec.source_languages = metadata.languages("from_code", {"source_languages", "languages"});
    spec.target_languages = metadata.languages("to_code", {"target_languages", "languages"});
    spec.version = metadata.text("package_version");
    spec.search.beam_size = kBeams;
    spec.search.length_penalty = kLengthPenalty;
    spec.search.replace_unknowns = true;
    return spec;
}

}  // namespace dragoman::families
