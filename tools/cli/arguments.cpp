// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <dragoman/documents.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/os/path_text.h"
#include "inputs.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// Of formats that are not written here, and that people might expect by the name of their output.
constexpr std::array<std::string_view, 6> kForeign = {".pdf", ".doc", ".rtf", ".ppt", ".xls", ".mobi"};

std::string suffix(const std::string& name) {
    std::string text = dragoman::text_of(dragoman::path_of(name).extension());
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

bool is_foreign(const std::string& name) { return std::ranges::count(kForeign, suffix(name)) > 0; }

int32_t format_of_name(const std::string& name) { return dragoman_document_format(name.c_str(), nullptr, 0); }

bool is_separator(char c) { return c == '/' || c == char(fs::path::preferred_separator); }

bool is_folder(const std::string& name) {
    std::error_code none;
    return fs::is_directory(dragoman::path_of(name), none);
}

// Neither a folder nor nothing: a pipe is read like a file.
bool is_file(const std::string& name) {
    std::error_code none;
    return fs::exists(dragoman::path_of(name), none) && !is_folder(name);
}

// A sentence may have a slash in it, but a path seldom has a space, and an address is no path.
bool looks_like_name(const std::string& text) {
    if (format_of_name(text) != DRAGOMAN_DOCUMENT_UNKNOWN || is_foreign(text)) return true;
    const bool spaces = std::ranges::any_of(text, [](unsigned char c) { return std::isspace(c); });
    return !spaces && std::ranges::any_of(text, is_separator) && text.find("://") == std::string::npos;
}

void check_words(const TranslateCommand& command, const std::string& text) {
    if (is_folder(text))
        throw Failure(
            fmt::format("{0}: is a folder; name its files ({1}*) and a folder to write to (--output), or use "
                        "--text \"{0}\" to translate the word",
                        text, is_separator(text.back()) ? text : text + "/"));
    const bool is_markup = command.options.markup != DRAGOMAN_MARKUP_NONE && text.starts_with('<');
    if (!is_markup && looks_like_name(text))
        throw Failure("no such file: " + text + "; to translate the words themselves, pipe them in or use --text");
}

bool ends_as_folder(const std::string& name) { return is_separator(name.back()) || is_folder(name); }

// The same name in another folder.
std::string in_folder(const std::string& folder, const std::string& file) {
    return dragoman::text_of(dragoman::path_of(folder) / dragoman::path_of(file).filename());
}

void take_one(TranslateCommand& command) {
    command.input = std::exchange(command.texts, {}).front();
    if (command.output != "-" && ends_as_folder(command.output)) {
        command.folder = command.output;
        command.output = in_folder(command.folder, command.input);
    }
    const bool is_lines = command.options.markup != DRAGOMAN_MARKUP_NONE || asks_for_lines(command);
    if (command.output != "-" || is_lines) return;
    if (command.document || names_document(command.input))
        throw Failure(
            fmt::format("{}: is a document; say where its translation shall be: --output with a name that "
                        "ends in {}, or with a folder",
                        command.input, suffix(command.input)));
}

void take_several(TranslateCommand& command) {
    const std::size_t count = command.texts.size();
    const std::string& folder = command.output;
    if (folder == "-")
        throw Failure(fmt::format("{} files: say which folder their translations shall be in: --output FOLDER", count));
    const bool names_document = format_of_name(folder) != DRAGOMAN_DOCUMENT_UNKNOWN ||
                                dragoman::path_of(folder).extension() == ".pdf";
    const bool names_file = is_file(folder) || (!ends_as_folder(folder) && names_document);
    if (names_file) throw Failure(fmt::format("--output: expected a folder for {} files, got {}", count, folder));
    command.folder = folder;
    std::set<std::string> outputs;
    for (const std::string& file : std::exchange(command.texts, {})) {
        const std::string output = in_folder(folder, file);
        if (!outputs.insert(output).second)
            throw Failure(fmt::format("{}: two files of this name go to {}", file, output));
        command.files.emplace_back(file, output);
    }
}

// The lines of a document in JSON, or in tokens, are no such document.
void check_format_kept(const TranslateCommand& command, const std::string& input, const std::string& output) {
    if (command.document || output == "-" || !asks_for_lines(command) || !names_document(input)) return;
    if (format_of_name(input) == format_of_name(output))
        throw Failure(fmt::format(
            "--{}: writes lines, which are no {}; to translate {} as a document leave the flag out, to translate its "
            "lines give --output another ending",
            command.json ? "json" : "tokens", dragoman_document_format_name(format_of_name(input)), input));
}

// Lines are no document of such a format.
void check_lines_output(const TranslateCommand& command) {
    const int32_t format = format_of_name(command.output);
    const bool package = format >= DRAGOMAN_DOCUMENT_DOCX && format <= DRAGOMAN_DOCUMENT_EPUB;
    if (package || is_foreign(command.output))
        throw Failure(fmt::format("--output {}: texts are written as lines, which are no {} file", command.output,
                                  suffix(command.output).substr(1)));
}

}  // namespace

void check_output(const std::string& output, const std::string& input, int32_t format) {
    const bool known = format != DRAGOMAN_DOCUMENT_UNKNOWN;
    if (!known && is_foreign(input)) return;  // what is wrong with the input is said where it is read
    const int32_t named = format_of_name(output);
    const bool other = named != DRAGOMAN_DOCUMENT_UNKNOWN && known && named != format;
    if (other || is_foreign(output))
        throw Failure(fmt::format("--output {}: a document keeps its format, {}; expected a name that says so, got {}",
                                  output, dragoman_document_format_name(format), suffix(output)));
}

void take_files(TranslateCommand& command) {
    if (stands_for_input(command.texts)) command.texts.clear();
    if (command.continues) return;
    std::size_t files = 0;
    for (const std::string& text : command.texts) files += is_file(text);
    for (const std::string& text : command.texts) {
        if (is_file(text)) continue;
        check_words(command, text);
        if (files > 0)
            throw Failure(
                fmt::format("\"{}\": is no file, and others of these arguments are; give either files or "
                            "texts, or --text for each text",
                            text));
    }
    for (std::string& text : command.words) command.texts.push_back(std::move(text));
    command.words.clear();
    if (files == 1) take_one(command);
    else if (files > 1) take_several(command);
    for (const auto& [input, output] : command.files) check_format_kept(command, input, output);
    if (!command.files.empty()) return;
    if (command.texts.empty()) check_format_kept(command, command.input, command.output);
    if (command.output != "-" && !is_document(command)) check_lines_output(command);
}

}  // namespace cli
