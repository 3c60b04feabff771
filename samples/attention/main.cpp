// SPDX-License-Identifier: Apache-2.0
// Which source pieces a model looks at while it writes each target piece: as a picture and as text.
#include <dragoman/dragoman.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "picture/heatmap.h"
#include "support/options.h"
#include "support/os/terminal.h"

namespace {

using dragoman::picture::Heatmap;
using dragoman::picture::Label;

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr const char* kHelp =
    "usage: attention [options] TEXT...\n"
    "\n"
    "Translates sentences and draws their cross-attention: a column for each source piece, a row for each target\n"
    "piece.\n"
    "Prints the translation and the pieces that belong together: target piece -> source piece weight.\n"
    "\n"
    "  -m, --model DIR     model (default: the one that comes with the library)\n"
    "  -t, --to LANGUAGE   target language of a model that has several: de\n"
    "  -L, --layer N       decoder layer, from 1 (default: the one the model names for alignment, usually the last)\n"
    "  -H, --head N        head, from 1, or 'all' for the mean (default: those the model names, often the first)\n"
    "  -o, --out FILE      the picture (default attention.png)\n"
    "  -b, --beam N        width of the search (default: as the model says)\n"
    "  -l, --least WEIGHT  print what has at least this weight, and each row's largest (default 0.2)\n"
    "  -h, --help\n"
    "\n"
    "What a row gives to the end of the source, which is no piece, is the column 'end'.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

struct Options {
    std::string model, to, out = "attention.png";
    std::vector<std::string> texts;
    uint32_t beam = 0, layer = 0, head = 0;
    float least = 0.2f;
    bool help = false;
};

template <class T>
T number(const char* option, const char* text) {
    T value{};
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end)
        throw UsageError(std::string(option) + ": expected a number, got '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    CommandLine line(argc, argv,
                     {{"model", 'm', true},
                      {"to", 't', true},
                      {"out", 'o', true},
                      {"beam", 'b', true},
                      {"least", 'l', true},
                      {"layer", 'L', true},
                      {"head", 'H', true},
                      {"help", 'h', false}});
    Options options;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        switch (c) {
            case 'm': options.model = line.value(); break;
            case 't': options.to = line.value(); break;
            case 'o': options.out = line.value(); break;
            case 'b': options.beam = number<uint32_t>("--beam", line.value()); break;
            case 'l': options.least = number<float>("--least", line.value()); break;
            case 'L': options.layer = number<uint32_t>("--layer", line.value()); break;
            case 'H':
                options.head = DRAGOMAN_ALL_HEADS;
                if (std::string_view(line.value()) != "all") options.head = number<uint32_t>("--head", line.value());
                break;
            case 'h': options.help = true; return options;
        }
    }
    options.texts = line.others();
    if (options.texts.empty()) throw UsageError("expected a TEXT");
    for (const std::string& text : options.texts) {
        if (text.find_first_not_of(" \t") == std::string::npos) throw UsageError("a TEXT is empty");
    }
    return options;
}

std::vector<Label> labels_of(std::span<const dragoman_string> pieces) {
    std::vector<Label> labels;
    for (const dragoman_string& piece : pieces) labels.push_back(dragoman::picture::piece_label(dragoman::view(piece)));
    return labels;
}

// Says in words which layer and heads the numbers are from.
std::string describe(const Options& options, const dragoman_model_info& info) {
    const std::string layers = std::to_string(info.decoder_layers);
    std::string text = "Cross-attention, ";
    text += options.layer ? "layer " + std::to_string(options.layer) + " of " + layers : "the model's alignment layer";
    if (options.head == DRAGOMAN_ALL_HEADS) return text + ", mean of all heads";
    return text + (options.head ? ", head " + std::to_string(options.head) : ", the model's alignment heads");
}

void print(const Heatmap& map, float least) {
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        const float* weights = map.weights.data() + row * map.columns.size();
        const float* most = std::max_element(weights, weights + map.columns.size());
        const auto largest = static_cast<std::size_t>(most - weights);
        for (std::size_t col = 0; col < map.columns.size(); ++col) {
            if (weights[col] < least && col != largest) continue;
            std::printf("%s -> %s %.2f\n", map.rows[row].text.c_str(), map.columns[col].text.c_str(),
                        static_cast<double>(weights[col]));
        }
    }
}

// Without the language code in front; `pieces` show it.
std::string_view words_of(std::string_view text) {
    const std::size_t code = text.starts_with(">>") ? text.find("<< ") : std::string_view::npos;
    return code == std::string_view::npos ? text : text.substr(code + 3);
}

void run(const Options& options) {
    const dragoman::Model model(options.model.empty() ? nullptr : options.model.c_str(), {});
    dragoman::Translator translator(model);
    dragoman::TranslateOptions translate_options;
    if (options.beam) translate_options.beam_size = options.beam;
    translate_options.target_language = options.to.c_str();
    translate_options.split_sentences = 0;
    translate_options.raw = 1;  // as the model reads it
    translate_options.return_attention = 1;
    translate_options.return_end_token = 1;
    translate_options.attention_layer = options.layer;
    translate_options.attention_head = options.head;
    const std::vector<std::string_view> texts(options.texts.begin(), options.texts.end());
    const dragoman::Result result = translator.translate(texts, translate_options);

    std::vector<Heatmap> maps;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const dragoman_matrix attention = result.attention(i);
        if (attention.rows == 0 || attention.cols == 0)
            throw std::runtime_error("the model knows no part of '" + options.texts[i] +
                                     "' and only copies it: there is no attention to draw");
        Heatmap& map =
            maps.emplace_back(Heatmap{.above = std::string(words_of(texts[i])),
                                      .title = std::string(result.text(i)),
                                      .columns = labels_of(result.source_tokens(i)),
                                      .rows = labels_of(result.tokens(i)),
                                      .weights = {attention.data, attention.data + attention.rows * attention.cols}});
        add_end_of_source(map);
        std::printf("%s%s\n\n", i > 0 ? "\n" : "", map.title.c_str());
        print(map, options.least);
        for (const std::vector<Label>* labels : {&map.columns, &map.rows}) {
            for (const Label& label : *labels) {
                if (!dragoman::picture::can_write(label.text))
                    std::fprintf(stderr, "the picture's font cannot write '%s'\n", label.text.c_str());
            }
        }
    }
    draw_heatmaps(maps, describe(options, model.info())).save(options.out);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        os::prepare_console(argc, argv);
        const Options options = parse(argc, argv);
        if (options.help) {
            std::fputs(kHelp, stdout);
            return kOk;
        }
        run(options);
        return kOk;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "attention: %s\n", error.what());
        std::fputs("attention --help says more\n", stderr);
        return kUsage;
    } catch (const dragoman::Error& error) {
        std::fprintf(stderr, "attention: %s: %s\n", dragoman_status_name(error.status()), error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "attention: %s\n", error.what());
    }
    return kFailure;
}
