// SPDX-License-Identifier: Apache-2.0
// Translates files of HTML, each in one call, and says how long that took; with --plain their texts without tags.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "pipeline/translator.h"

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

nlohmann::json translate(pipeline::Translator& translator, const std::string& file, const Settings& s) {
    const std::string source = read(file);
    pipeline::TextOptions how{.source_language = s.from, .target_language = s.to, .return_tokens = false};
    how.markup = s.xml ? pipeline::Markup::xml : pipeline::Markup::html;
    const auto timed = [&](std::string_view text, const pipeline::TextOptions& options) {
        const pipeline::Text input{text, {}};
        const auto start = std::chrono::steady_clock::now();
        auto results = translator.translate_texts({&input, 1}, options, {.beam_size = s.beam});
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        return std::pair(std::move(results.front()), time.count());
    };
    const auto [result, seconds] = timed(source, how);
    std::ofstream(std::filesystem::path(s.out) / std::filesystem::path(file).filename(), std::ios::binary)
        << result.hypotheses.front().text;
    nlohmann::json row{{"file", file}, {"bytes", source.size()}, {"sentences", result.sentences.size()},
                       {"seconds", seconds}};
    if (s.plain) {
        how.markup = pipeline::Markup::none;
        row["plain_seconds"] = timed(result.plain_source, how).second;
    }
    return row;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Translates files of HTML or XML.");
    Settings s;
    app.add_option("--model", s.model)->required();
    app.add_option("--from", s.from);
    app.add_option("--to", s.to);
    app.add_option("--out", s.out, "folder for the translations")->required();
    app.add_option("--beam", s.beam);
    app.add_flag("--xml", s.xml);
    app.add_flag("--plain", s.plain, "also the same texts without tags, for their time");
    app.add_option("files", s.files)->required();
    CLI11_PARSE(app, argc, argv);
    try {
        std::filesystem::create_directories(s.out);
        const auto translator = pipeline::Translator::create(pipeline::Model::load(s.model, {}));
        for (const std::string& file : s.files) std::cout << translate(*translator, file, s).dump() << std::endl;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
