// SPDX-License-Identifier: Apache-2.0
#include "doctor_sheet.h"

#include <dragoman/dragoman.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "system_facts.h"

namespace cli {
namespace {

constexpr const char* kVerdicts[] = {"ok", "note", "WRONG"};
constexpr std::size_t kIndent = 20, kColumns = 118;

// Between words; lines of the text stay lines.
void print_wrapped(const std::string& text) {
    std::size_t column = kIndent;
    char before = '\0';  // the word
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        if (before == '\n' || (before == ' ' && column + 1 + end - at > kColumns)) {
            fmt::print("\n{:{}}", "", kIndent);
            column = kIndent;
        } else if (before == ' ') {
            fmt::print(" ");
            ++column;
        }
        fmt::print("{}", text.substr(at, end - at));
        column += end - at;
        if (end < text.size()) before = text[end];
        at = end + 1;
    }
    fmt::print("\n");
}

void print(const Finding& finding) {
    fmt::print("{:<6} {:<13}", kVerdicts[int(finding.verdict)], finding.name);
    print_wrapped(finding.text);
    if (!finding.hint.empty()) {
        fmt::print("{:{}}", "", kIndent);
        print_wrapped("hint: " + finding.hint);
    }
    std::fflush(stdout);
}

}  // namespace

void Sheet::add(Finding finding) {
    finding.text = without_home(std::move(finding.text));
    finding.hint = without_home(std::move(finding.hint));
    if (!json_) print(finding);
    Json line = {{"name", finding.name},
                 {"verdict", finding.verdict == Verdict::wrong ? "wrong" : kVerdicts[int(finding.verdict)]},
                 {"text", finding.text}};
    if (!finding.hint.empty()) line["hint"] = finding.hint;
    for (const auto& [name, value] : finding.facts.items()) line[name] = value;
    findings_.push_back(std::move(line));
}

void Sheet::end(bool works) const {
    if (json_) {
        const Json all = {{"version", dragoman_version_string()}, {"works", works}, {"findings", findings_}};
        fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
        return;
    }
    fmt::print("\n{}\n", works ? "A translation works." : "No translation works; the lines above say why.");
}

}  // namespace cli
