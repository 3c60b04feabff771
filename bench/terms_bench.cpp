// SPDX-License-Identifier: Apache-2.0
// Translates the lines of its input without the terms of a glossary and with them, in portions by turns, and says to
// stderr how long each took, how many terms the translations have, and with "passes" how long each pass took on the
// device. terms.py makes the glossary and compares.
//   bench_terms MODEL LANGUAGE BEAM GLOSSARY [passes|own] < SOURCE > TRANSLATIONS (all plain ones, then all with terms)
// With "own" each line of the input is a job with a glossary of its own: GLOSSARY has one for each, behind each of them
// a line "%%".
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "pipeline/run/translator.h"
#include "text/glossary.h"

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
    uint64_t rows = 0;  // in all steps

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
        nlohmann::json result = {{"search", name},
                                 {"seconds", seconds},
                                 {"cpu_seconds", cpu_seconds},
                                 {"sentences", lines.size()},
                                 {"with_terms", having},
                                 {"terms", terms},
                                 {"met", met},
                                 {"rows", rows}};
        for (const vulkan::PassTime& pass : passes) result["passes"][pass.name] = pass.total_ns * 1e-9;
        return result;
    }
};

using Glossaries = std::vector<std::shared_ptr<const text::Glossary>>;

std::shared_ptr<const text::Glossary> glossary_of(std::string_view table) {
    return table.empty() ? nullptr : std::make_shared<const text::Glossary>(text::read_glossary(table));
}

Glossaries own_glossaries(std::string_view bytes) {
    constexpr std::string_view kEnd = "%%\n";
    Glossaries result;
    for (std::size_t end; (end = bytes.find(kEnd)) != bytes.npos; bytes.remove_prefix(end + kEnd.size()))
        result.push_back(glossary_of(bytes.substr(0, end)));
    return result;
}

// A job for each text; `glossaries` has as many, or none at all.
std::vector<pipeline::TextResult> translate_as_jobs(const Search& search, std::span<const pipeline::Text> texts,
                                                    const pipeline::TranslateOptions& decoding,
                                                    std::span<const std::shared_ptr<const text::Glossary>> glossaries) {
    std::vector<std::shared_ptr<pipeline::Job>> jobs;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        pipeline::JobInput input{.text = search.options, .options = decoding};
        input.documents.push_back({.text = std::string(texts[i].text)});
        if (!glossaries.empty()) input.text.glossary = glossaries[i];
        jobs.push_back(search.translator->submit(std::move(input), {}));
    }
    std::vector<pipeline::TextResult> results;
    for (const auto& job : jobs) results.push_back(std::move(job->take().texts.at(0)));
    return results;
}

int run(int argc, char** argv) {
    const std::string_view mode = argc > 5 ? argv[5] : "";
    const bool passes = mode == "passes", own = mode == "own";
    const auto model = pipeline::Model::load(argv[1], {.device = engine::Device::open({.profiling = passes}),
                                                       .compute_type = pipeline::ComputeType::f32});
    std::ifstream file(argv[4], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    Search searches[] = {{.name = "plain", .options = {.split_sentences = false}},
                         {.name = "with terms", .options = {.split_sentences = false}}};
    const Glossaries glossaries = own ? own_glossaries(bytes) : Glossaries{};
    if (!own) searches[1].options.glossary = glossary_of(bytes);
    for (Search& search : searches) search.options.target_language = argv[2];
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    std::vector<pipeline::Text> texts;
    for (const std::string& line : lines) texts.push_back({line, {}});
    if (own && glossaries.size() != lines.size())
        fail(Status::invalid_argument, "{}: expected {} glossaries, one for each line, got {}", argv[4], lines.size(),
             glossaries.size());
    const pipeline::TranslateOptions decoding{.beam_size = uint32_t(std::stoul(argv[3]))};
    for (Search& search : searches) {
        search.translator = pipeline::Translator::create(model);
        search.translator->translate_texts(std::span(texts).first(std::min<std::size_t>(texts.size(), 64)),
                                           search.options, decoding);
    }
    for (std::size_t begin = 0; begin < texts.size(); begin += kPortion)
        for (Search& search : searches) {
            const auto portion = std::span(texts).subspan(begin, std::min(kPortion, texts.size() - begin));
            if (passes) model->context().reset_pass_times();
            search.translator->reset_stats();
            const auto started = std::chrono::steady_clock::now();
            const std::clock_t cpu = std::clock();
            if (own)
                search.take(
                    translate_as_jobs(search, portion, decoding,
                                      std::span(glossaries).subspan(begin, &search == searches ? 0 : portion.size())));
            else search.take(search.translator->translate_texts(portion, search.options, decoding));
            search.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
            search.cpu_seconds += double(std::clock() - cpu) / CLOCKS_PER_SEC;
            search.rows += search.translator->stats().row_steps;
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
    const std::string_view mode = argc > 5 ? argv[5] : "";
    if (argc < 5 || argc > 6 || (argc == 6 && mode != "passes" && mode != "own")) {
        fmt::print(stderr, "bench_terms MODEL LANGUAGE BEAM GLOSSARY [passes|own] < SOURCE > TRANSLATIONS\n");
        return 2;
    }
    return run(argc, argv);
} catch (const dragoman::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
