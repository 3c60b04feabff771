// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <iterator>
#include <memory>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "pipeline/run/embed.h"

struct dragoman_vectors {
    struct Text {
        dragoman::capi::TokenList tokens;
        dragoman::capi::Ranges ranges;
        std::size_t begin, end;  // rows
    };
    std::vector<float> values{};
    std::size_t width = 0;
    std::vector<Text> texts{};
};

namespace dragoman::capi {
namespace {

static_assert(DRAGOMAN_POOLING_MEAN == static_cast<int>(spec::Pooling::mean));
static_assert(DRAGOMAN_POOLING_CLS == static_cast<int>(spec::Pooling::first));
static_assert(DRAGOMAN_POOLING_POOLER == static_cast<int>(spec::Pooling::pooler));
static_assert(DRAGOMAN_POOLING_TOKENS == static_cast<int>(spec::Pooling::tokens));

dragoman_embed_options default_embed_options() {
    dragoman_embed_options options{};
    options.struct_size = sizeof options;
    return options;
}

pipeline::EmbedOptions read_embed_options(const dragoman_embed_options& from) {
    if (from.reserved != 0) fail(Status::invalid_argument, "options.reserved: expected 0, got {}", from.reserved);
    pipeline::EmbedOptions to;
    if (enumerator(from.pooling, DRAGOMAN_POOLING_TOKENS, "options.pooling")) to.pooling = spec::Pooling(from.pooling);
    if (const int32_t given = enumerator(from.normalize, DRAGOMAN_NORMALIZE_ON, "options.normalize"))
        to.normalize = given == DRAGOMAN_NORMALIZE_ON;
    to.max_tokens = from.max_tokens;
    to.truncate = flag(from.truncate, "options.truncate");
    to.source_language = text(dragoman_str(from.source_language), {"options.source_language"});
    to.target_language = text(dragoman_str(from.target_language), {"options.target_language"});
    return to;
}

std::unique_ptr<dragoman_vectors> make_vectors(pipeline::Embeddings embeddings) {
    auto out = std::make_unique<dragoman_vectors>();
    out->width = embeddings.width;
    std::size_t values = 0;
    for (const pipeline::Embedding& from : embeddings.texts) values += from.values.size();
    out->values.reserve(values);
    out->texts.reserve(embeddings.texts.size());
    for (pipeline::Embedding& from : embeddings.texts) {
        Ranges ranges;
        for (const text::Range range : from.ranges) ranges.push_back({range.begin, range.end});
        const std::size_t begin = out->values.size() / out->width;
        out->values.insert(out->values.end(), from.values.begin(), from.values.end());
        out->texts.push_back({TokenList(std::move(from.tokens)), std::move(ranges), begin,
                              out->values.size() / out->width});
        from = {};
    }
    return out;
}

const dragoman_vectors::Text& text_at(const dragoman_vectors* vectors, std::size_t text) {
    const auto& texts = required(vectors, "vectors").texts;
    if (text >= texts.size())
        fail(Status::invalid_argument, "text: {} is out of range, there are {}", text, texts.size());
    return texts[text];
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_embed_options_init_sized(dragoman_embed_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_embed_options(), "options"); });
}

dragoman_status dragoman_embed_texts(const dragoman_model* model, const dragoman_string* texts, size_t count,
                                     const dragoman_embed_options* options, dragoman_vectors** vectors) {
    return guard([&] {
        required(vectors, "vectors") = nullptr;
        const pipeline::Model& used = *at_home(model, "model").model;
        check_inputs(texts, count, "texts");
        const dragoman_embed_options from = read_options(options, "options", default_embed_options());
        const pipeline::EmbedOptions checked = read_embed_options(from);
        std::vector<std::string_view> inputs;
        for (size_t i = 0; i < count; ++i) inputs.push_back(capi::text(texts[i], {"texts", i}));
        pipeline::Progress progress;
        if (from.progress)
            progress = [&](std::size_t done, std::size_t total) {
                return from.progress(done, total, from.progress_user) == 0;
            };
        *vectors = make_vectors(pipeline::embed_texts(used, inputs, checked, progress)).release();
    });
}

void dragoman_vectors_destroy(dragoman_vectors* vectors) { delete vectors; }

size_t dragoman_vectors_count(const dragoman_vectors* vectors) { return vectors ? vectors->texts.size() : 0; }

size_t dragoman_vectors_width(const dragoman_vectors* vectors) { return vectors ? vectors->width : 0; }

dragoman_status dragoman_vectors_get(const dragoman_vectors* vectors, size_t text, dragoman_matrix* rows) {
    return guard([&] {
        const dragoman_vectors::Text& from = text_at(vectors, text);
        required(rows, "rows") = {vectors->values.data() + from.begin * vectors->width, from.end - from.begin,
                                  vectors->width};
    });
}

dragoman_status dragoman_vectors_all(const dragoman_vectors* vectors, dragoman_matrix* rows) {
    return guard([&] {
        const dragoman_vectors& from = required(vectors, "vectors");
        required(rows, "rows") = {from.values.data(), from.values.size() / from.width, from.width};
    });
}

dragoman_status dragoman_vectors_tokens(const dragoman_vectors* vectors, size_t text, dragoman_tokens* tokens) {
    return guard([&] { required(tokens, "tokens") = text_at(vectors, text).tokens.view(); });
}

dragoman_status dragoman_vectors_ranges(const dragoman_vectors* vectors, size_t text, dragoman_ranges* ranges) {
    return guard([&] {
        const Ranges& from = text_at(vectors, text).ranges;
        required(ranges, "ranges") = {from.data(), from.size()};
    });
}
