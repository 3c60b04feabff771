// SPDX-License-Identifier: Apache-2.0
#include "serve/watch/exposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace serve::watch {
namespace {

bool is_letter(char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || each == '_' || each == ':';
}

std::string escaped(std::string_view text, bool quotes) {
    std::string result;
    for (const char each : text) {
        if (each == '\\') result += "\\\\";
        else if (each == '\n') result += "\\n";
        else if (each == '"' && quotes) result += "\\\"";
        else result += each;
    }
    return result;
}

std::string number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    return fmt::format("{}", value);
}

}  // namespace

bool is_metric_name(std::string_view name) {
    return !name.empty() && is_letter(name[0]) &&
           std::ranges::all_of(name, [](char each) { return is_letter(each) || (each >= '0' && each <= '9'); });
}

void write_head(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, type);
}

void write_sample(std::string& text, std::string_view name, const Labels& labels, double value) {
    text += name;
    for (std::size_t i = 0; i < labels.size(); ++i)
        text += fmt::format("{}{}=\"{}\"", i == 0 ? '{' : ',', labels[i].first, escaped(labels[i].second, true));
    text += fmt::format("{}{}\n", labels.empty() ? " " : "} ", number(value));
}

}  // namespace serve::watch
