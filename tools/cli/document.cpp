// SPDX-License-Identifier: Apache-2.0
#include <dragoman/documents.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>

#include "arguments.h"
#include "base/os/path_text.h"
#include "command_line.h"
#include "interrupts.h"
#include "loaded.h"
#include "mistakes.h"
#include "progress.h"

namespace cli {
namespace {

// Options of lines that a document has no place for.
constexpr std::array kIdle = {"json",      "tokens",        "scores",   "quality", "coverage", "alignment",
                              "attention", "quality-marks", "on-error", "prefix",  "html",     "xml"};

int32_t format_of(const std::string& name) {
    if (name.empty()) return DRAGOMAN_DOCUMENT_UNKNOWN;
    const int32_t format = dragoman_document_format_named(name.c_str());
    if (format == DRAGOMAN_DOCUMENT_UNKNOWN)
        throw Failure("--format: expected the name of a format, got '" + name + "'");
    return format;
}

// Sentences end before their texts are written, so they tell earlier how far a document is.
struct Shown {
    Progress progress;
    std::atomic<std::size_t> sentences = 0, all_sentences = 0;
};

int32_t progress(size_t done, size_t total, void* user) {
    Shown& shown = *static_cast<Shown*>(user);
    const std::size_t sentences = shown.sentences, all = shown.all_sentences;
    const double share = all ? static_cast<double>(sentences) / static_cast<double>(all) : 0;
    shown.progress.show({.inputs = done, .of_inputs = total, .sentences = sentences, .share = share});
    return Interrupts::came() ? 1 : 0;
}

int32_t sentence_progress(size_t done, size_t total, void* user) {
    Shown& shown = *static_cast<Shown*>(user);
    shown.sentences = done;
    shown.all_sentences = total;
    return 0;
}

// The file with what is done, until the document is.
std::string kept_beside(const TranslateCommand& command) {
    std::string kept = command.output + ".resume";
    std::error_code none;
    if (!command.resume) std::filesystem::remove(dragoman::path_of(kept), none);
    if (command.resume && !std::filesystem::exists(dragoman::path_of(kept), none) &&
        std::filesystem::exists(dragoman::path_of(command.output), none))
        throw Failure(kept + ": there is none, so " + command.output +
                      " is no translation that was stopped; without --resume the translation begins anew");
    return kept;
}

// After a stop.
void explain(const std::string& kept) {
    std::error_code none;
    if (!std::filesystem::exists(dragoman::path_of(kept), none)) return;
    fmt::print(stderr, "dragoman: {} keeps what is translated; this goes on from there:\n    {}\n", kept,
               command_to_resume());
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

bool asks_for_lines(const TranslateCommand& command) {
    return (command.tokens && command.given.contains("tokens")) || (command.json && command.given.contains("json"));
}

bool is_document(const TranslateCommand& command) {
    if (command.continues) return false;
    if (command.document) return true;
    const bool other = command.options.markup != DRAGOMAN_MARKUP_NONE || asks_for_lines(command);
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
    for (const char* idle : kIdle)
        if (command.given.contains(idle))
            throw Failure(fmt::format("--{}: changes nothing in a document, and {} is one", idle, command.input));
    if (command.given.contains("n-best") && command.options.num_hypotheses > 1)
        throw Failure(fmt::format("--n-best {}: a document has one translation, and {} is one",
                                  command.options.num_hypotheses, command.input));
    const int32_t said = format_of(command.format);
    const bool named = said == DRAGOMAN_DOCUMENT_UNKNOWN;
    // A device or a pipe is called as it is.
    const std::filesystem::path output = dragoman::path_of(command.output);
    const bool is_new = !std::filesystem::exists(output, missing) || std::filesystem::is_regular_file(output, missing);
    if (!command.document && is_new && !output.has_extension())
        throw Failure(fmt::format(
            "--output {0}: a document keeps its format; expected a name that ends in {1}, or a folder, {0}/",
            command.output, dragoman::text_of(dragoman::path_of(command.input).extension())));
    check_output(command.output, command.input,
                 named ? dragoman_document_format(command.input.c_str(), nullptr, 0) : said);
}

void translate_document(TranslateCommand& command, Loaded& loaded) {
    dragoman_document_options options;
    dragoman_document_options_init(&options);
    options.format = format_of(command.format);
    options.progress = progress;
    const std::string kept = kept_beside(command);
    options.resume = kept.c_str();
    const Interrupts interrupts;
    Shown shown{.progress{command.progress, "texts"}};
    dragoman_translate_options how = command.options;
    options.user = how.progress_user = &shown;
    how.progress = sentence_progress;
    const dragoman_status status = dragoman_translate_document(loaded.translator().get(), command.input.c_str(),
                                                               command.output.c_str(), &how, &options);
    shown.progress.clear();
    const bool refused = status == DRAGOMAN_INVALID_ARGUMENT || status == DRAGOMAN_UNSUPPORTED;
    std::error_code none;
    if (refused && !command.resume) std::filesystem::remove(dragoman::path_of(kept), none);
    if (status != DRAGOMAN_OK && !refused) explain(kept);
    if (status != DRAGOMAN_OK && Interrupts::came()) throw Interrupted{Interrupts::signal()};
    const std::string why = status == DRAGOMAN_OK ? std::string() : in_flags(dragoman_document_error());
    if (status == DRAGOMAN_DEVICE_LOST) throw dragoman::Error(status, why);  // no other document goes either
    if (status != DRAGOMAN_OK) throw Failure(why);
}

}  // namespace cli
