// SPDX-License-Identifier: Apache-2.0
#include "formats/byte_bpe_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "formats/tokenizer_file.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

bool is_pair(std::string_view merge) {
    const auto space = merge.find(' ');
    return space != std::string_view::npos && space > 0 && space + 1 < merge.size() &&
           merge.find(' ', space + 1) == std::string_view::npos;
}

class ByteBpeReader : public TokenizerFile {
public:
    using TokenizerFile::TokenizerFile;

    ByteBpeFile read() {
        const json* model = find(json_, "model");
        if (!model || !model->is_object()) wrong("model", "an object", model);
        check_steps(*model);
        ByteBpeFile result;
        result.tokens = tokens(*model);
        read_merges(*model, result.bpe.merges);
        result.bpe.space_before = flag(*find(json_, "pre_tokenizer"), "pre_tokenizer: add_prefix_space",
                                       "add_prefix_space", true);
        return result;
    }

private:
    bool flag(const json& object, std::string_view where, const char* key, bool absent) const {
        const json* value = find(object, key);
        if (value && !value->is_boolean()) wrong(where, "true or false", value);
        return value ? value->get<bool>() : absent;
    }

    // Accepts exactly what GPT-2's tokenizer does.
    void check_steps(const json& model) const {
        const json* type = find(model, "type");
        if (type && *type != "BPE") refuse("model: type", "BPE", type);
        for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
            if (const json* value = find(model, key); value && *value != "") refuse(key, "none", value);
        for (const char* key : {"byte_fallback", "ignore_merges"})
            if (flag(model, key, key, false)) refuse(key, "false", find(model, key));
        if (const json* step = find(json_, "normalizer")) refuse("normalizer", "none", step);
        for (const char* key : {"pre_tokenizer", "decoder"}) {
            const json* step = find(json_, key);
            const json* name = step ? find(*step, "type") : nullptr;
            if (!name || *name != "ByteLevel") refuse(key, "ByteLevel", step);
            if (!flag(*step, key, "use_regex", true)) refuse(key, "use_regex", step);
        }
    }

    void read_merges(const json& model, std::vector<std::string>& merges) const {
        const json* list = find(model, "merges");
        if (!list || !list->is_array()) wrong("model: merges", "a list", list);
        for (const json& item : *list) {
            const bool both = item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string();
            merges.push_back(both               ? item[0].get<std::string>() + " " + item[1].get<std::string>()
                             : item.is_string() ? item.get<std::string>()
                                                : std::string());
            if (!is_pair(merges.back())) wrong("model: merges", "pairs of tokens", &item);
        }
        if (merges.empty()) wrong("model: merges", "pairs of tokens", list);
    }
};

}  // namespace

std::vector<std::string> read_merges(const FileBytes& file) {
    std::vector<std::string> merges;
    std::string_view text = file.text();
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
        if (first_invalid_utf8(line) || !is_pair(line))
            fail(Status::bad_model, "{}: line {}: expected two tokens, file has {} bytes", file.name, number,
                 line.size());
        merges.emplace_back(line);
    }
    if (merges.empty()) fail(Status::bad_model, "{}: expected pairs of tokens, the file has none", file.name);
    return merges;
}

ByteBpeFile read_byte_bpe_json(const FileBytes& file) { return ByteBpeReader(file).read(); }

}  // namespace dragoman::formats
