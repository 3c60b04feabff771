// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/os/environment.h"
#include "base/os/terminal.h"
#include "combinations.h"
#include "command_line.h"
#include "config_file.h"
#include "doctor.h"
#include "help.h"
#include "mistakes.h"
#include "models/models.h"
#include "options.h"
#include "service/native_messaging.h"
#include "service/service.h"
#include "shells.h"
#include "texts_first.h"
#include "written.h"

namespace {

enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2 };

void log_to_stderr(int32_t level, const char* line, void*) {
    static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
    std::fprintf(stderr, "dragoman: %s: %s\n", kNames[std::clamp<int32_t>(level, 0, 3)], line);
}

// What a command says of a model's files comes each time that it reads them.
void log_once(int32_t level, const char* line, void* user) {
    static std::set<std::string> said;
    if (said.insert(line).second) log_to_stderr(level, line, user);
}

int report(const std::string& message, ExitCode code) {
    std::fprintf(stderr, "dragoman: %s\n", message.c_str());
    return code;
}

std::string help_of(const CLI::App& app) {
    std::string name = app.get_name();
    for (const CLI::App* above = app.get_parent(); above; above = above->get_parent())
        name = above->get_name() + " " + name;
    return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

// A command that is named in arguments, or the tool itself: "serve", "keys". Throws CLI::ParseError.
const CLI::App& command_named(const CLI::App& app, const std::vector<std::string>& names) {
    const CLI::App* found = &app;
    for (const std::string& name : names) {
        const auto below = found->get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
        if (below.empty()) throw CLI::ParseError(cli::no_such_command(*found, name), CLI::ExitCodes::ExtrasError);
        found = below.front();
    }
    return *found;
}

// What was printed has gone, or did not.
int finish(ExitCode code) {
    errno = 0;
    std::cout.flush();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    return report("standard output: " + cli::write_error(), kFailure);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        dragoman::os::prepare_console(argc, argv);
        cli::remember_command_line(argc, argv);
        CLI::App app("Translates text on any GPU.", "dragoman");
        app.allow_windows_style_options(false);  // a path may begin with a slash
        app.set_version_flag("--version", std::string("dragoman ") + dragoman_version_string());
        app.require_subcommand(1);
        app.fallthrough();
        app.formatter(std::make_shared<cli::Help>());
        app.set_help_all_flag("--help-all", "Print this help message with all options and exit");
        int verbosity = 0;
        app.add_flag("-v,--verbose", verbosity, "Log to standard error; twice for more");
        bool json = false, no_config = false;
        std::string info_model, named;
        std::vector<std::string> asked;

        cli::TranslateCommand command;
        CLI::App* translate = cli::add_translate(app, command);
        cli::ScoreCommand score_command;
        CLI::App* score = cli::add_score(app, score_command);
        cli::TranslateCommand continuing{.continues = true};
        CLI::App* goes_on = cli::add_translate(app, continuing);
        cli::BenchCommand bench_command;
        CLI::App* bench = cli::add_bench(app, bench_command);
        cli::ConvertCommand convert_command;
        CLI::App* convert = cli::add_convert(app, convert_command);
        cli::EmbedCommand embed_command;
        CLI::App* embed = cli::add_embed(app, embed_command);
        cli::DetectCommand detect_command;
        CLI::App* detect = cli::add_detect(app, detect_command);
        cli::DoctorCommand doctor_command;
        CLI::App* doctor = cli::add_doctor(app, doctor_command);
        cli::ModelsCommand models_command;
        CLI::App* models = cli::add_models(app, models_command);
        cli::ServeCommand serve_command;
        CLI::App* serve = cli::add_serve(app, serve_command);
        cli::NativeMessagingCommand native_messaging_command;
        CLI::App* native_messaging = cli::add_native_messaging(app, native_messaging_command);
        CLI::App* devices = app.add_subcommand("devices", "List the Vulkan devices");
        devices->add_flag("--json", json, "As a JSON array; with --check as an object");
        bool check = false;
        cli::Machine checked;
        devices->add_flag(
            "--check", check,
            "Run the kernels of every GPU, or of --device, on small inputs and compare; ends with 1 if any "
            "is wrong");
        devices->add_option("-d,--device", checked.device,
                            "With --check: index, UUID or part of the name; several: all, or 0,1");
        CLI::App* info = app.add_subcommand("info", "Describe a model from its files");
        info->add_option("model", info_model, "Model; none: the default one");
        info->add_flag("--json", json, "As a JSON object");
        CLI::App* help = app.add_subcommand("help", "Say more of a command");
        help->add_option("command", asked, "Its name; none: all commands")->expected(0, 2);
        CLI::App* completion = app.add_subcommand("completion", "Print what completes command lines in a shell");
        completion->add_option("shell", named, "bash, zsh or fish")->required();
        completion->group("");
        CLI::App* manual = app.add_subcommand("manual", "Print a page for man");
        manual->add_option("command", asked, "Of which command; none: of dragoman itself")->expected(0, 1);
        manual->group("");
        CLI::App* shell_files = app.add_subcommand("shell-files", "Write all of these where systems look for them");
        shell_files->add_option("folder", named, "What shall become .../share")->required();
        shell_files->group("");
        for (CLI::App* reader : {translate, doctor})
            reader->add_flag("--no-config", no_config,
                             "Do not read defaults from dragoman/config.toml in $XDG_CONFIG_HOME or ~/.config");
        cli::describe(app);
        if (argc == 1) {
            std::fputs(help_of(app).c_str(), stderr);
            return kUsage;
        }
        try {
            std::vector<std::string> arguments = cli::texts_first(argc, argv);
            std::ranges::reverse(arguments);  // as CLI11 wants them
            app.parse(std::move(arguments));
            command.given = cli::given_options(*translate);
            if (*translate && !no_config) cli::read_config(*translate);
            if (*translate) cli::check_combinations(*translate, command.given);
            if (*help || *manual) (void)command_named(app, asked);
            if (*goes_on) cli::check_combinations(*goes_on, cli::given_options(*goes_on));
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
                return finish(ExitCode(app.exit(error)));
            report(cli::explain(app, error), kUsage);
            std::fprintf(stderr, "Run with --help for more information.\n");
            return kUsage;
        }
        const bool describes = *info || *doctor;
        if (verbosity > 0 || (describes && dragoman::os::environment("DRAGOMAN_LOG").empty())) {
            dragoman::check(dragoman_set_log(describes ? log_once : log_to_stderr, nullptr,
                                             verbosity > 1   ? DRAGOMAN_LOG_DEBUG
                                             : verbosity > 0 ? DRAGOMAN_LOG_INFO
                                                             : DRAGOMAN_LOG_WARNING));
        }
        if (*help) std::fputs(help_of(command_named(app, asked)).c_str(), stdout);
        if (*completion) std::fputs(cli::completion(app, named).c_str(), stdout);
        if (*manual) std::fputs(cli::manual_page(command_named(app, asked)).c_str(), stdout);
        if (*shell_files) cli::write_shell_files(app, named);
        command.verbose = verbosity > 0;
        if (*translate) cli::translate(command);
        if (*score) cli::score(score_command);
        if (*goes_on) cli::translate(continuing);
        if (*bench) cli::bench(bench_command);
        if (*convert) cli::convert(convert_command);
        if (*embed) cli::embed(embed_command);
        if (*detect) cli::detect(detect_command);
        if (serve && *serve) cli::serve(serve_command);
        if (native_messaging && *native_messaging) cli::native_messaging(native_messaging_command);
        if (*devices && !check) cli::devices(json);
        if (*info) cli::info(info_model, json);
        if (*doctor && !no_config) cli::take_defaults(doctor_command, *translate, command);
        const bool works = !*doctor || cli::doctor(doctor_command);
        const bool kept = !models || !*models || cli::models(models_command);
        const bool right = works && kept && (!*devices || !check || cli::check_kernels(checked, json));
        return finish(right ? kOk : kFailure);
    } catch (const dragoman::Error& error) {
        // Texts were checked line by line before, so what the library calls invalid is an option.
        return report(cli::in_flags(error.what()), error.status() == DRAGOMAN_INVALID_ARGUMENT ? kUsage : kFailure);
    } catch (const cli::Interrupted& interrupted) {
        dragoman::os::end_as_interrupted(interrupted.signal);
    } catch (const std::system_error& error) {
        const bool printing = std::string_view(error.what()).starts_with("cannot write to file");  // fmt's words
        return report(printing ? "standard output: " + error.code().message() : error.what(), kFailure);
    } catch (const std::exception& error) {
        return report(error.what(), kFailure);
    }
}
