// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "commands.h"
#include "inputs.h"

namespace cli {
namespace {

void print(const DetectCommand& command, std::string_view text, const std::vector<dragoman_language_guess>& guesses) {
    if (!command.json) {
        if (guesses.empty()) fmt::print("und\t0.00\t{}\n", text);
        else fmt::print("{}\t{:.2f}\t{}\n", guesses.front().tag, guesses.front().probability, text);
        return;
    }
    Json object;
    object["text"] = text;
    object["languages"] = Json::array();
    for (const dragoman_language_guess& guess : guesses) {
        Json item;
        item["tag"] = guess.tag;
        item["name"] = guess.name;
        item["probability"] = guess.probability;
        object["languages"].push_back(std::move(item));
    }
    fmt::print("{}\n", object.dump());
}

std::vector<std::string_view> sentences(std::string_view text) {
    const dragoman_string given = dragoman::view(text);
    dragoman_range_list* list = nullptr;
    dragoman::check(dragoman_split_sentences(&given, nullptr, 0, &list));
    std::vector<std::string_view> parts;
    for (std::size_t i = 0; i < dragoman_range_list_count(list); ++i) {
        const dragoman_range range = dragoman_range_list_data(list)[i];
        parts.push_back(text.substr(range.begin, range.end - range.begin));
    }
    dragoman_range_list_destroy(list);
    return parts;
}

void detect(const DetectCommand& command, const std::string& text) {
    const std::vector<std::string_view> parts = command.sentences ? sentences(text)
                                                                  : std::vector<std::string_view>{text};
    const dragoman::Languages found(parts, command.expected.c_str());
    for (std::size_t i = 0; i < parts.size(); ++i) print(command, parts[i], found[i]);
}

}  // namespace

void detect(const DetectCommand& command) {
    note_files(command.texts);
    Inputs inputs = stands_for_input(command.texts) ? Inputs(command.input, Inputs::Unit::line) : Inputs(command.texts);
    for (std::string text; inputs.next(text);) detect(command, text);
}

}  // namespace cli
