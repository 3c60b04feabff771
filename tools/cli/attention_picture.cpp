// SPDX-License-Identifier: Apache-2.0
#include "attention_picture.h"

#include <fmt/format.h>

#include <set>
#include <span>

#include "first_use.h"
#include "inputs.h"
#include "loaded.h"
#include "option_flags.h"
#include "picture/heatmap.h"
#include "show.h"
#include "written.h"

namespace cli {
namespace {

using dragoman::picture::Heatmap;
using dragoman::picture::Label;

std::vector<Label> labels_of(std::span<const dragoman_string> pieces, std::size_t begin, std::size_t count) {
    std::vector<Label> labels;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_end = begin + i >= pieces.size();
        labels.push_back(is_end ? Label{.text = "end", .control = true}
                                : dragoman::picture::piece_label(dragoman::view(pieces[begin + i])));
    }
    return labels;
}

std::string part(std::string_view text, std::size_t begin, std::size_t end) {
    return begin < end && end <= text.size() ? std::string(text.substr(begin, end - begin)) : std::string();
}

// One for each sentence that the model was asked for.
void add_maps(const std::string& text, const dragoman::Result& result, std::size_t i, std::vector<Heatmap>& maps) {
    const std::string_view plain = result.plain_source(i), target = result.plain_text(i);
    for (std::size_t s = 0; s < result.sentences(i); ++s) {
        const dragoman_matrix weights = result.sentence_attention(i, 0, s);
        if (weights.rows == 0 || weights.cols == 0) continue;
        const dragoman_sentence at = result.sentence(i, 0, s);
        Heatmap& map = maps.emplace_back();
        map.above = part(plain.empty() ? text : plain, at.source_begin, at.source_end);
        map.title = part(target.empty() ? result.text(i) : target, at.target_begin, at.target_end);
        map.columns = labels_of(result.source_tokens(i), at.source_token_begin, weights.cols);
        map.rows = labels_of(result.tokens(i), at.target_token_begin, weights.rows);
        map.weights.assign(weights.data, weights.data + weights.rows * weights.cols);
        add_end_of_source(map);
    }
}

std::string note_of(const dragoman::TranslateOptions& options) {
    std::string text = "Cross-attention, ";
    text += options.attention_layer ? fmt::format("layer {}", options.attention_layer) : "the model's alignment layer";
    if (options.attention_head == DRAGOMAN_ALL_HEADS) return text + ", mean of all heads";
    return text + (options.attention_head ? fmt::format(", head {}", options.attention_head)
                                          : std::string(", the model's alignment heads"));
}

void warn_of_font(const std::vector<Heatmap>& maps) {
    std::set<std::string> unwritten;
    for (const Heatmap& map : maps)
        for (const std::vector<Label>* labels : {&map.columns, &map.rows})
            for (const Label& label : *labels)
                if (!dragoman::picture::can_write(label.text)) unwritten.insert(label.text);
    for (const std::string& text : unwritten)
        fmt::print(stderr, "dragoman: the picture's font cannot write '{}'\n", text);
}

}  // namespace

void add_attention_picture(CLI::App* translate, TranslateCommand& command) {
    CLI::Option* option = translate->add_option("--attention-picture", command.attention_picture,
                                                "PNG to write besides: for each piece of a translation the source "
                                                "pieces that it looks at");
    expect_file(option)->type_name("FILE")->group("Input and output");
    for (const char* other : {"--tokens", "--json", "--output", "--document", "--resume", "--show"})
        option->excludes(other);
}

void draw_attention(TranslateCommand& command) {
    if (!command.prefix.empty())
        throw Failure("--prefix: expected none with --attention-picture, got \"" + command.prefix + "\"");
    const auto inputs = inputs_of(command);
    std::vector<std::string> texts;
    try {
        for (std::string text; inputs->next(text);) texts.push_back(text);
    } catch (const BadInput& bad) {
        throw Failure(bad.what());
    }
    command.options.return_attention = command.options.return_end_token = 1;
    const FirstUse first_use(true);
    Loaded loaded(command);
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const dragoman::Result result = loaded.translator().translate(views, command.options);
    std::vector<Heatmap> maps;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        fmt::print("{}\n", result.text(i));
        add_maps(texts[i], result, i, maps);
    }
    loaded.end();
    if (maps.empty()) throw Failure("--attention-picture: no sentence was translated by the model, nothing is drawn");
    warn_of_font(maps);
    write_file(command.attention_picture, draw_heatmaps(maps, note_of(command.options)).png());
}

}  // namespace cli
