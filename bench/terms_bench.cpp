// SPDX-License-Identifier: Apache-2.0
// Translates the lines of its input without the terms of a glossary and with them, in portions by turns, and says to
// stderr how long each took, how many terms the translations have, and with "passes" how long each pass took on the
// device. terms.py makes the glossary and compares.
//   bench_terms MODEL BEAM GLOSSARY [passes] < SOURCE > TRANSLATIONS (all plain ones, then all with terms)
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "pipeline/translator.h"

namespace {

using namespace dragoman;

constexpr std::size_t kPortion = 250;

struct Search {
    const char* name = "";
    pipeline::TextOptions options{};
    std::shared_ptr<pipeline::Translator> translator{};
    double seconds = 0, cpu_seconds = 0;
    std::vector<std::string> lines{};
    std::vector<vulkan::PassTime> passes{};
    std::size_t terms = 0, met = 0, having = 0;

    void take(const std::vector<pipeline::TextResult>& results) {
        for (const pipeline::TextResult& result : results) {
            lines.push_back(result.hypotheses.at(0).text);
            std::size_t own = 0;
            for (const auto& sentence : result.hypotheses[0].sentences)
                for (const pipeline::TermUse& use : sentence.terms) {
                    ++own;
                    met += use.met;
                }
            terms += own;
            having += own > 0;
        }
    }

    nlohmann::json json() const {
        const auto stats = translator->stats();
        nlohmann::json result = {{"search", name},
                                 {"seconds", seconds},
                                 {"cpu_seconds", cpu_seconds},
                                 {"sentences", lines.size()},
                                 {"with_terms", having},
                                 {"terms", terms},
                                 {"met", met},
                                 {"steps", stats.slot_steps},
                                 {"rows", stats.row_steps},
                                 {"tokens", stats.target_tokens}};
        for (const vulkan::PassTime& pass : passes) result["passes"][pass.name] = pass.total_ns * 1e-9;
        return result;
    }
};

int run(int argc, char** argv) {
    const bool passes = argc > 4;
    const auto model = pipeline::Model::load(
        argv[1], {.device = engine::Device::open({.profiling = passes}), .compute_type = pipeline::ComputeType::f32});
    std::ifstream file(argv[3], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    Search searches[] = {{.name = "plain", .options = {.split_sentences = false}},
                         {.name = "with terms",
                          .options = {.split_sentences = false,
                                      .glossary = std::make_shared<const text::Glossary>(text::read_glossary(bytes))}}};
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    std::vector<pipeline::Text> texts;
    for (const std::string& line : lines) texts.push_back({line, {}});
    const pipeline::TranslateOptions decoding{.beam_size = uint32_t(std::stoul(argv[2]))};
    for (Search& search : searches) {
        search.translator = pipeline::Translator::create(model);
        search.translator->translate_texts(std::span(texts).first(std::min<std::size_t>(texts.size(), 64)),
                                           search.options, decoding);
        search.translator->reset_stats();
    }
    for (std::size_t begin = 0; begin < texts.size(); begin += kPortion)
        for (Search& search : searches) {
            const auto portion = std::span(texts).subspan(begin, std::min(kPortion, texts.size() - begin));
            if (passes) model->context().reset_pass_times();
            const auto started = std::chrono::steady_clock::now();
            const std::clock_t cpu = std::clock();
            search.take(search.translator->translate_texts(portion, search.options, decoding));
            search.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
            search.cpu_seconds += double(std::clock() - cpu) / CLOCKS_PER_SEC;
            if (!passes) continue;
            for (const vulkan::PassTime& pass : model->context().pass_times()) {
                const auto known = std::ranges::find(search.passes, pass.name, &vulkan::PassTime::name);
                if (known == search.passes.end()) search.passes.push_back(pass);
                else known->total_ns += pass.total_ns;
            }
        }
    nlohmann::json report;
    for (const Search& search : searches) {
        for (const std::string& line : search.lines) fmt::print("{}\n", line);
        report.push_back(search.json());
    }
    fmt::print(stderr, "{}\n", report.dump());
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 4) {
        fmt::print(stderr, "bench_terms MODEL BEAM GLOSSARY [passes] < SOURCE > TRANSLATIONS\n");
        return 2;
    }
    return run(argc, argv);
} catch (const dragoman::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
