// SPDX-License-Identifier: Apache-2.0
// Translates files of HTML in one call, and says how long that took; with --plain their texts without tags, too.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arguments/arguments.h"
#include "base/error.h"
#include "pipeline/run/translator.h"

namespace {

using namespace dragoman;

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(Status::io_error, "{}: cannot be opened", path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Settings {
    std::string model, from = "en", to = "de", out;
    std::vector<std::string> files;
    uint32_t beam = 1;
    bool xml = false, plain = false;
};

// All of them in one call.
std::pair<std::vector<pipeline::TextResult>, double> translate(pipeline::Translator& translator,
                                                               const std::vector<std::string>& texts,
                                                               pipeline::Markup markup, const Settings& s) {
    pipeline::TextOptions how{.source_language = s.from, .target_language = s.to, .return_tokens = false};
    how.markup = markup;
    const std::vector<pipeline::Text> inputs = [&] {
        std::vector<pipeline::Text> list;
        for (const std::string& text : texts) list.push_back({text, {}});
        return list;
    }();
    const auto start = std::chrono::steady_clock::now();
    auto results = translator.translate_texts(inputs, how, {.beam_size = s.beam});
    return {std::move(results), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

nlohmann::json run(pipeline::Translator& translator, const Settings& s) {
    std::vector<std::string> sources, plain;
    for (const std::string& file : s.files) sources.push_back(read(file));
    const auto markup = s.xml ? pipeline::Markup::xml : pipeline::Markup::html;
    const auto [results, seconds] = translate(translator, sources, markup, s);
    nlohmann::json row{{"files", sources.size()}, {"bytes", 0}, {"sentences", 0}, {"seconds", seconds}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto target = std::filesystem::path(s.out) / std::filesystem::path(s.files[i]).filename();
        std::ofstream(target, std::ios::binary) << results[i].hypotheses.front().text;
        row["bytes"] = row["bytes"].get<std::size_t>() + sources[i].size();
        row["sentences"] = row["sentences"].get<std::size_t>() + results[i].sentences.size();
        plain.push_back(results[i].plain_source);
    }
    if (s.plain) row["plain_seconds"] = translate(translator, plain, pipeline::Markup::none, s).second;
    return row;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Arguments arguments("Translates files of HTML or XML.");
    Settings s;
    arguments.option("--model", s.model).required();
    arguments.option("--from", s.from);
    arguments.option("--to", s.to);
    arguments.option("--out", s.out, "folder for the translations").required();
    arguments.option("--beam", s.beam);
    arguments.flag("--xml", s.xml);
    arguments.flag("--plain", s.plain, "also the same texts without tags, for their time");
    arguments.option("files", s.files).required();
    if (const auto ended = arguments.parse(argc, argv)) return *ended;
    try {
        std::filesystem::create_directories(s.out);
        const auto translator = pipeline::Translator::create(pipeline::Model::load(s.model, {}));
        std::cout << run(*translator, s).dump() << '\n';
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
