// SPDX-License-Identifier: Apache-2.0
#include "formats/post_processor.h"

#include <string_view>

#include "base/error.h"
#include "formats/tokenizer_file.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

class PostProcessorReader : public TokenizerFile {
public:
    using TokenizerFile::TokenizerFile;

    std::optional<TextTemplate> read() const {
        const json* step = find(json_, "post_processor");
        return step ? read_step(*step) : std::nullopt;
    }

private:
    std::optional<TextTemplate> read_step(const json& step) const {
        const std::string type = text(step, "post_processor", "type");
        if (type == "ByteLevel") return std::nullopt;
        if (type == "TemplateProcessing") return read_template(step);
        if (type == "BertProcessing" || type == "RobertaProcessing")
            return TextTemplate{.before = {token(step, "cls")}, .after = {token(step, "sep")}};
        if (type != "Sequence") refuse("post_processor: type", "one that is known", find(step, "type"));
        std::optional<TextTemplate> found;
        for (const json& member : list(step, "post_processor", "processors")) {
            if (find(member, "type") && *find(member, "type") == "Sequence")
                refuse("post_processor", "no Sequence in a Sequence", &member);
            const auto next = read_step(member);
            if (found && next) refuse("post_processor", "one that puts tokens around a text", &member);
            if (next) found = next;
        }
        return found;
    }

    // "cls": ["[CLS]", 101]
    std::string token(const json& step, const char* key) const {
        const json* pair = find(step, key);
        if (!pair || !pair->is_array() || pair->size() != 2 || !(*pair)[0].is_string())
            wrong(std::string("post_processor: ") + key, "a token and its id", pair);
        return (*pair)[0].get<std::string>();
    }

    // "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}], with what an id stands for elsewhere
    TextTemplate read_template(const json& step) const {
        const json& single = list(step, "post_processor", "single");
        TextTemplate result;
        bool has_text = false;
        for (const json& piece : single) {
            if (find(piece, "Sequence")) {
                if (has_text) refuse("post_processor: single", "the text once", &single);
                has_text = true;
                continue;
            }
            const json* special = find(piece, "SpecialToken");
            const json* id = special ? find(*special, "id") : nullptr;
            if (!id || !id->is_string()) wrong("post_processor: single", "tokens and the text", &piece);
            add_tokens(step, id->get<std::string>(), has_text ? result.after : result.before);
        }
        if (!has_text) refuse("post_processor: single", "the text once", &single);
        return result;
    }

    void add_tokens(const json& step, const std::string& id, std::vector<std::string>& to) const {
        const json* all = find(step, "special_tokens");
        const json* one = all ? find(*all, id.c_str()) : nullptr;
        const json* tokens = one ? find(*one, "tokens") : nullptr;
        if (!tokens || !tokens->is_array()) return to.push_back(id);
        for (const json& token : *tokens) {
            if (!token.is_string()) wrong("post_processor: special_tokens", "tokens", tokens);
            to.push_back(token.get<std::string>());
        }
    }
};

}  // namespace

std::optional<TextTemplate> read_text_template(const FileBytes& file) {
    const std::string early = early_part(file.text(), "post_processor");
    if (early.empty()) return PostProcessorReader(file).read();
    return PostProcessorReader({.name = file.name, .bytes = std::as_bytes(std::span(early)), .owner = {}}).read();
}

}  // namespace dragoman::formats
