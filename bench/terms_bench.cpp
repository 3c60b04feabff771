// SPDX-License-Identifier: Apache-2.0
// Translates the lines of its input, with the terms of a glossary or without, and says to stderr how long that took and
// how many terms the translations have. terms.py makes the glossary and compares.
//   bench_terms MODEL BEAM [GLOSSARY] < SOURCE > TRANSLATION
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "pipeline/translator.h"

namespace {

using namespace dragoman;

int run(int argc, char** argv) {
    const auto model = pipeline::Model::load(argv[1], {.device = {}, .compute_type = pipeline::ComputeType::f32});
    pipeline::TextOptions options{.split_sentences = false};
    if (argc > 3) {
        std::ifstream file(argv[3], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        options.glossary = std::make_shared<const text::Glossary>(text::read_glossary(bytes));
    }
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    std::vector<pipeline::Text> texts;
    for (const std::string& line : lines) texts.push_back({line, {}});
    const auto translator = pipeline::Translator::create(model);
    const pipeline::TranslateOptions decoding{.beam_size = uint32_t(std::stoul(argv[2]))};
    translator->translate_texts(std::span(texts).first(std::min<std::size_t>(texts.size(), 64)), options, decoding);
    translator->reset_stats();
    const auto begin = std::chrono::steady_clock::now();
    const auto results = translator->translate_texts(texts, options, decoding);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::size_t terms = 0, met = 0, having = 0;
    for (const pipeline::TextResult& result : results) {
        fmt::print("{}\n", result.hypotheses.at(0).text);
        std::size_t own = 0;
        for (const auto& sentence : result.hypotheses[0].sentences)
            for (const pipeline::TermUse& use : sentence.terms) {
                ++own;
                met += use.met;
            }
        terms += own;
        having += own > 0;
    }
    const auto stats = translator->stats();
    const nlohmann::json json = {{"seconds", seconds},
                                 {"sentences", results.size()},
                                 {"with_terms", having},
                                 {"terms", terms},
                                 {"met", met},
                                 {"steps", stats.slot_steps},
                                 {"rows", stats.row_steps},
                                 {"tokens", stats.target_tokens}};
    fmt::print(stderr, "{}\n", json.dump());
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 3) {
        fmt::print(stderr, "bench_terms MODEL BEAM [GLOSSARY] < SOURCE > TRANSLATION\n");
        return 2;
    }
    return run(argc, argv);
} catch (const dragoman::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
