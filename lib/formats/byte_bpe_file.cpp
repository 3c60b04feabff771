// SPDX-License-Identifier: Apache-2.0
#include "formats/byte_bpe_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "files/file_budget.h"
#include "formats/tokenizer_file.h"
#include "formats/tokenizer_steps.h"

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

    // In the pre-tokenizer, or in its steps.
    void set_space_before(bool value) {
        const auto set = [&](json& step) {
            if (step.is_object() && step.value("type", json()) == "ByteLevel") step["add_prefix_space"] = value;
        };
        const auto whole = json_.find("pre_tokenizer");
        if (whole == json_.end() || !whole->is_object()) return;
        set(*whole);
        if (const auto steps = whole->find("pretokenizers"); steps != whole->end() && steps->is_array())
            for (json& step : *steps) set(step);
    }

    ByteBpeFile read() {
        const json* model = find(json_, "model");
        if (!model || !model->is_object()) wrong("model", "an object", model);
        check_model(*model);
        ByteBpeFile result;
        read_steps(result);
        result.tokens = tokens(*model);
        read_merges(*model, result.bpe.merges);
        return result;
    }

private:
    void check_model(const json& model) const {
        const json* type = find(model, "type");
        if (type && *type != "BPE") refuse("model: type", "BPE", type);
        for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
            if (const json* value = find(model, key); value && *value != "") refuse(key, "none", value);
        for (const char* key : {"byte_fallback", "ignore_merges"})
            if (flag(model, "model", key, false)) refuse(key, "false", find(model, key));
    }

    // GPT-2's tokenizer is what the model does by itself; anything else takes the steps. Bytes become characters once.
    void read_steps(ByteBpeFile& result) const {
        auto steps = read_tokenizer_steps(file_, json_);
        const auto bytes = [](const auto& step) { return std::holds_alternative<spec::ByteCharacters>(step); };
        const auto level = [](const auto& step) { return std::get_if<spec::SplitByteLevel>(&step); };
        const auto times = std::ranges::count_if(steps.normalizers, bytes) + std::ranges::count_if(steps.splits, level);
        if (times != 1) refuse("pre_tokenizer", "ByteLevel", find(json_, "pre_tokenizer"));
        const json* decoder = find(json_, "decoder");
        const json* name = decoder ? find(*decoder, "type") : nullptr;
        if (!name || *name != "ByteLevel") refuse("decoder", "ByteLevel", decoder);
        const auto* last = steps.splits.empty() ? nullptr : level(steps.splits.back());
        if (last && last->words && steps.splits.size() == 1 && steps.normalizers.empty() && steps.words.empty())
            result.bpe.space_before = last->space_before;
        else result.steps = std::move(steps);
    }

    void read_merges(const json& model, std::vector<std::string>& merges) const {
        const json* list = find(model, "merges");
        if (!list || !list->is_array()) wrong("model: merges", "a list", list);
        check_vocabulary(file_ + ": model: merges", list->size());
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
        check_vocabulary(file.name, merges.size() + 1);
        merges.emplace_back(line);
    }
    if (merges.empty()) fail(Status::bad_model, "{}: expected pairs of tokens, the file has none", file.name);
    return merges;
}

ByteBpeFile read_byte_bpe_json(const FileBytes& file, std::optional<bool> space_before) {
    ByteBpeReader reader(file);
    if (space_before) reader.set_space_before(*space_before);
    return reader.read();
}

}  // namespace dragoman::formats
