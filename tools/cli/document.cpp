// SPDX-License-Identifier: Apache-2.0
#include <dragoman/documents.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "arguments.h"
#include "base/os/path_text.h"
#include "base/os/terminal.h"
#include "interrupts.h"
#include "loaded.h"
#include "mistakes.h"

namespace cli {
namespace {

int32_t format_of(const std::string& name) {
    if (name.empty()) return DRAGOMAN_DOCUMENT_UNKNOWN;
    const int32_t format = dragoman_document_format_named(name.c_str());
    if (format == DRAGOMAN_DOCUMENT_UNKNOWN)
        throw Failure("--format: expected the name of a format, got '" + name + "'");
    return format;
}

struct Shown {
    bool on_terminal;
};

int32_t progress(size_t done, size_t total, void* user) {
    if (static_cast<const Shown*>(user)->on_terminal) {
        fmt::print(stderr, "\r\033[K{} of {} texts", done, total);
        std::fflush(stderr);
    }
    return Interrupts::came() ? 1 : 0;
}

}  // namespace

// Its name says so; plain text is none, which is read line by line.
bool names_document(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(dragoman::path_of(path), none)) return false;
    if (std::filesystem::path(path).extension() == ".pdf") return true;  // which the library refuses, and says why
    const int32_t format = dragoman_document_format(path.c_str(), nullptr, 0);
    return format != DRAGOMAN_DOCUMENT_UNKNOWN && format != DRAGOMAN_DOCUMENT_TEXT;
}

bool is_document(const TranslateCommand& command) {
    if (command.continues) return false;
    if (command.document) return true;
    const bool other = command.options.markup != DRAGOMAN_MARKUP_NONE || command.tokens || command.json;
    if (command.output == "-" || other) return false;
    return command.texts.empty() && command.input != "-" && names_document(command.input);
}

void check_document(const TranslateCommand& command) {
    if (!command.texts.empty())
        throw Failure("--document: expected a file, got the text \"" + command.texts.front() + "\"");
    if (command.input == "-" || command.output == "-")
        throw Failure("a document: expected an input and an --output that are files, got standard input or output");
    std::error_code missing;
    if (std::filesystem::equivalent(dragoman::path_of(command.input), dragoman::path_of(command.output), missing))
        throw Failure(command.output + ": is the input file");
    const int32_t said = format_of(command.format);
    check_output(command.output, said == DRAGOMAN_DOCUMENT_UNKNOWN
                                     ? dragoman_document_format(command.input.c_str(), nullptr, 0)
                                     : said);
}

void translate_document(TranslateCommand& command, Loaded& loaded) {
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.format = format_of(command.format);
    Shown shown{dragoman::os::is_terminal(stderr)};
    options.progress = progress;
    options.user = &shown;
    options.resume = command.resume.empty() ? nullptr : command.resume.c_str();
    const Interrupts interrupts;
    const dragoman_status status = dragoman_translate_document(loaded.translator().get(), command.input.c_str(),
                                                               command.output.c_str(), &command.options, &options);
    if (shown.on_terminal) fmt::print(stderr, "\r\033[K");
    if (Interrupts::came()) throw Interrupted();
    if (status != DRAGOMAN_OK) throw Failure(in_flags(dragoman_document_error()));
    loaded.end();
}

}  // namespace cli
