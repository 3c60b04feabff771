// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <memory>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"
#include "pipeline/model/source_pieces.h"
#include "text/split_sentences.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

struct dragoman_range_list {
    std::vector<dragoman_range> ranges;
};

struct dragoman_token_lists {
    std::vector<dragoman::capi::TokenList> sequences;
    std::vector<dragoman::capi::Ranges> ranges;
};

using namespace dragoman;
using namespace dragoman::capi;

namespace {

static_assert(DRAGOMAN_SIDE_SOURCE == static_cast<int>(text::Side::source));
static_assert(DRAGOMAN_SIDE_TARGET == static_cast<int>(text::Side::target));

text::Side read_side(int32_t side) { return static_cast<text::Side>(enumerator(side, DRAGOMAN_SIDE_TARGET, "side")); }

const pipeline::Model& text_model(const dragoman_model* model) {
    const pipeline::Model& used = *required(model, "model").model;
    check_tokenizer(used);
    return used;
}

template <class T>
const T& at(const std::vector<T>& list, std::size_t index) {
    if (index >= list.size())
        fail(Status::invalid_argument, "index: {} is out of range, there are {}", index, list.size());
    return list[index];
}

}  // namespace

dragoman_status dragoman_split_sentences(const dragoman_string* text, const char* language, int32_t join_lines,
                                         dragoman_range_list** ranges) {
    return guard([&] {
        required(ranges, "ranges") = nullptr;
        const std::string_view given = capi::text(required(text, "text"), {"text"});
        const text::SentenceSplitter splitter(capi::text(dragoman_str(language), {"language"}),
                                              flag(join_lines, "join_lines") ? text::LineBreaks::join
                                                                             : text::LineBreaks::separate);
        auto out = std::make_unique<dragoman_range_list>();
        for (const text::Range range : splitter.split(given)) out->ranges.push_back({range.begin, range.end});
        *ranges = out.release();
    });
}

void dragoman_range_list_destroy(dragoman_range_list* ranges) { delete ranges; }

size_t dragoman_range_list_count(const dragoman_range_list* ranges) { return ranges ? ranges->ranges.size() : 0; }

const dragoman_range* dragoman_range_list_data(const dragoman_range_list* ranges) {
    return ranges && !ranges->ranges.empty() ? ranges->ranges.data() : nullptr;
}

dragoman_status dragoman_tokenize(const dragoman_model* model, int32_t side, const dragoman_string* texts, size_t count,
                                  dragoman_token_lists** tokens) {
    return guard([&] {
        required(tokens, "tokens") = nullptr;
        const pipeline::Model& used = text_model(model);
        const text::Side checked_side = read_side(side);
        check_inputs(texts, count, "texts");
        auto out = std::make_unique<dragoman_token_lists>();
        for (size_t i = 0; i < count; ++i) {
            const std::string_view given = capi::text(texts[i], {"texts", i});
            const text::Normalized sentence = pipeline::normalized(used, given);
            text::TokenizedText result = used.tokenize(sentence.text, checked_side);
            text::to_source(sentence.map, given, result.ranges);
            if (used.add_text_eos() && checked_side == text::Side::source) {
                result.tokens.push_back(used.eos_token());
                result.ranges.push_back({given.size(), given.size()});
            }
            out->sequences.emplace_back(std::move(result.tokens));
            Ranges& ranges = out->ranges.emplace_back();
            for (const text::Range range : result.ranges) ranges.push_back({range.begin, range.end});
        }
        *tokens = out.release();
    });
}

void dragoman_token_lists_destroy(dragoman_token_lists* tokens) { delete tokens; }

size_t dragoman_token_lists_count(const dragoman_token_lists* tokens) { return tokens ? tokens->sequences.size() : 0; }

dragoman_status dragoman_token_lists_get(const dragoman_token_lists* tokens, size_t index, dragoman_tokens* sequence) {
    return guard([&] { required(sequence, "sequence") = at(required(tokens, "tokens").sequences, index).view(); });
}

dragoman_status dragoman_token_lists_ranges(const dragoman_token_lists* tokens, size_t index, dragoman_ranges* ranges) {
    return guard([&] {
        const Ranges& from = at(required(tokens, "tokens").ranges, index);
        required(ranges, "ranges") = {from.data(), from.size()};
    });
}

dragoman_status dragoman_model_has_token(const dragoman_model* model, int32_t side, const char* token, int32_t* known) {
    return guard([&] {
        const pipeline::Model& used = *required(model, "model").model;
        required(token, "token");
        const text::Vocabulary& vocabulary = read_side(side) == text::Side::source ? used.source() : used.target();
        required(known, "known") = vocabulary.find(token).has_value();
    });
}

dragoman_status dragoman_detokenize(const dragoman_model* model, int32_t side, const dragoman_tokens* sequences,
                                    size_t count, dragoman_text_list** texts) {
    return guard([&] {
        required(texts, "texts") = nullptr;
        const pipeline::Model& used = text_model(model);
        const text::Side checked_side = read_side(side);
        check_inputs(sequences, count, "sequences");
        auto out = std::make_unique<dragoman_text_list>();
        for (size_t i = 0; i < count; ++i)
            out->texts.push_back(used.detokenize(tokens(sequences[i], {"sequences", i}), checked_side).text);
        *texts = out.release();
    });
}

void dragoman_text_list_destroy(dragoman_text_list* texts) { delete texts; }

size_t dragoman_text_list_count(const dragoman_text_list* texts) { return texts ? texts->texts.size() : 0; }

dragoman_status dragoman_text_list_get(const dragoman_text_list* texts, size_t index, dragoman_string* text) {
    return guard([&] {
        const std::string& value = at(required(texts, "texts").texts, index);
        required(text, "text") = {value.c_str(), value.size()};
    });
}
