// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

constexpr const char* kEnvironmentModel = "DRAGOMAN_MODEL";

template <class T>
void add_flag(CLI::App* app, const char* name, T& target, const char* text, const char* group) {
    app->add_flag_callback(name, [&target] { target = 1; }, text)->group(group);
}

CLI::App* add_translate(CLI::App& app, cli::TranslateCommand& command) {
    CLI::App* translate = app.add_subcommand("translate", "Translate texts, a file, or standard input line by line");
    dragoman_translate_options& options = command.options;
    CLI::Option* texts = translate->add_option("text", command.texts, "One text per argument; none: read lines");

    const char* files = "Input and output";
    translate->add_option("-i,--input", command.input, "File with one text per line; - is standard input")
        ->excludes(texts)->group(files);
    translate->add_option("-o,--output", command.output, "File to write; - is standard output")->group(files);
    add_flag(translate, "--tokens", command.tokens, "Input and output are tokens separated by spaces", files);
    add_flag(translate, "--json", command.json, "One JSON object per input", files);
    translate->add_option("--n-best", options.num_hypotheses,
                          "Translations per input; above 1, lines begin with the number of their input and a tab")
        ->group(files);
    add_flag(translate, "--scores", options.return_scores, "Begin lines with the score and a tab", files);
    add_flag(translate, "--attention", options.return_attention,
             "After each translation a table: source tokens across, target tokens down", files);
    translate->add_option("--batch-size", command.batch_size, "Lines that are translated together")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))->capture_default_str()->group(files);
    add_flag(translate, "--stats", command.stats, "Counters on standard error at the end", files);

    const char* machine = "Model and device";
    translate->add_option("-m,--model", command.model, "Model directory")
        ->envname(kEnvironmentModel)->group(machine);
    translate->add_option("-d,--device", command.device, "Index, UUID or part of the name, see 'dragoman devices'")
        ->group(machine);
    translate->add_option("--compute-type", command.compute_type,
                          "auto: int8 for a model made for it, else float16 on GPUs that have it")
        ->check(CLI::IsMember({"auto", "float32", "float16", "int8"}))->capture_default_str()->group(machine);

    const char* decoding = "Decoding";
    const auto add = [&](const char* name, auto& target, const char* text) {
        translate->add_option(name, target, text)->capture_default_str()->group(decoding);
    };
    add("-b,--beam", options.beam_size, "Beam size; 1: greedy");
    add("--patience", options.patience, "Finished hypotheses to wait for, in beam sizes");
    add("--length-penalty", options.length_penalty, "Exponent of the length by which scores are divided");
    add("--coverage-penalty", options.coverage_penalty, "Weight of the reward for covering the source");
    add("--repetition-penalty", options.repetition_penalty, "Above 1: tokens that are there become less likely");
    add("--no-repeat-ngram", options.no_repeat_ngram_size, "No sequence of this many tokens twice; 0: off");
    add("--max-length", options.max_decoding_length, "Target tokens at most");
    add("--min-length", options.min_decoding_length, "Target tokens at least");
    add("--max-input-length", options.max_input_length, "Source tokens that are read; 0: all");
    translate->add_option("--prefix", command.prefix, "Target tokens every translation begins with")->group(decoding);
    add("--prefix-bias", options.prefix_bias_beta, "0: the prefix is forced; up to 1: only made more likely");
    translate->add_option("--suppress", command.suppress, "Token sequence that must not appear; may be repeated")
        ->allow_extra_args(false)->group(decoding);
    translate->add_option("--end-token", command.end_tokens, "Token that ends a translation; may be repeated")
        ->allow_extra_args(false)->group(decoding);
    add_flag(translate, "--return-end-token", options.return_end_token, "Keep the end token", decoding);
    add_flag(translate, "--disable-unk", options.disable_unk, "Never produce the unknown token", decoding);
    add_flag(translate, "--replace-unknowns", options.replace_unknowns,
             "Put the source token most attended to in place of unknown tokens", decoding);
    add_flag(translate, "--alternatives", options.return_alternatives,
             "The n best first tokens after the prefix, each continued", decoding);
    add("--min-alternative-prob", options.min_alternative_expansion_prob, "Least probable of those first tokens");
    return translate;
}

void log_to_stderr(int32_t level, const char* line, void*) {
    static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
    std::fprintf(stderr, "dragoman: %s: %s\n", kNames[std::clamp<int32_t>(level, 0, 3)], line);
}

int report(const char* message, ExitCode code) {
    std::fprintf(stderr, "dragoman: %s\n", message);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app("Translates text on any GPU.", "dragoman");
        app.set_version_flag("--version", std::string("dragoman ") + dragoman_version_string());
        app.require_subcommand(1);
        app.fallthrough();
        int verbosity = 0;
        app.add_flag("-v,--verbose", verbosity, "Log to standard error; twice for more");
        bool json = false;
        std::string info_model;

        cli::TranslateCommand command;
        CLI::App* translate = add_translate(app, command);
        CLI::App* devices = app.add_subcommand("devices", "List the Vulkan devices");
        devices->add_flag("--json", json, "As a JSON array");
        CLI::App* info = app.add_subcommand("info", "Describe a model from its files");
        info->add_option("model", info_model, "Model directory")->required();
        info->add_flag("--json", json, "As a JSON object");
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
            const std::vector<std::string> unknown = app.remaining();
            const bool command_missing =
                app.get_subcommands().empty() && !unknown.empty() && !unknown.front().starts_with("-");
            report(command_missing ? (unknown.front() + ": no such command").c_str() : error.what(), kUsage);
            std::fprintf(stderr, "Run with --help for more information.\n");
            return kUsage;
        }
        if (*translate && command.model.empty()) {
            return report("no model: pass --model DIR or set DRAGOMAN_MODEL", kUsage);
        }
        if (verbosity > 0) {
            dragoman::check(dragoman_set_log(log_to_stderr, nullptr,
                                             verbosity > 1 ? DRAGOMAN_LOG_DEBUG : DRAGOMAN_LOG_INFO));
        }
        if (*translate) cli::translate(command);
        if (*devices) cli::devices(json);
        if (*info) cli::info(info_model, json);
        return kOk;
    } catch (const dragoman::Error& error) {
        // Texts are checked line by line before, so what the library calls invalid are the options.
        return report(error.what(), error.status() == DRAGOMAN_INVALID_ARGUMENT ? kUsage : kFailure);
    } catch (const std::exception& error) {
        return report(error.what(), kFailure);
    }
}
