// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "serve/api/shapes/shapes.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

std::string language_name(const std::vector<work::ServedLanguage>& served, const std::string& tag) {
    const auto found = std::ranges::find(served, tag, &work::ServedLanguage::tag);
    return found == served.end() ? tag : found->name;
}

Problem no_pair(const Services& services, const std::string& from, const std::string& to) {
    const std::vector<work::ServedLanguage> served = services.models.languages();
    return Problem(Kind::unsupported_pair,
                   fmt::format("{} ({}) is not available as a target language from {} ({})", language_name(served, to),
                               to, language_name(served, from), from),
                   to);
}

bool leads_to(const Services& services, const std::string& from, const std::string& to) {
    return to.empty() || services.models.translates(from, to);
}

// The best guess where no target is named. Where none leads there, the best one is named by the problem.
void detect_source(const Services& services, const std::vector<std::string>& texts, bool html, ShapeLanguages& found) {
    std::vector<std::string> plain;
    if (html)
        for (const std::string& text : texts) plain.push_back(without_tags(text));
    const std::vector<work::Guess> guesses = work::detect(services.models, html ? plain : texts);
    found.detected = true;
    std::optional<work::Guess> best;
    if (!found.to.empty()) best = work::source_of(services.models, guesses, found.to);
    else if (!guesses.empty()) best = guesses.front();
    if (best) {
        found.from = best->tag;
        found.confidence = best->confidence;
        return;
    }
    if (!guesses.empty()) throw no_pair(services, guesses.front().tag, found.to);
    found.confidence = 0;
    for (const work::ServedLanguage& language : services.models.languages())
        if (leads_to(services, language.tag, found.to)) {
            found.from = language.tag;
            return;
        }
    throw Problem(Kind::unsupported_pair, "no language is translated to " + found.to, found.to);
}

std::string only_target(const Services& services, const std::string& from) {
    std::vector<std::string> targets;
    for (const work::ServedLanguage& language : services.models.languages())
        if (language.tag == from) targets = language.targets;
    std::erase(targets, from);
    if (targets.size() == 1) return targets.front();
    for (const work::ModelInfo& model : services.models.list()) {
        const auto is_from = [&](const dragoman::Language& each) { return services.models.language(each.tag) == from; };
        if (std::ranges::none_of(model.from, is_from)) continue;
        std::vector<std::string> own;
        for (const dragoman::Language& each : model.to)
            if (!is_from(each)) own.push_back(services.models.language(each.tag));
        if (own.size() == 1) return own.front();
        break;
    }
    throw Problem(Kind::missing,
                  fmt::format("Invalid request: the target language is missing; {} is translated to {}", from,
                              fmt::join(targets, ", ")),
                  "target");
}

std::size_t parted(std::string_view name, std::size_t end) {
    const std::size_t at = name.find_last_of("-_/:", end);
    return at == std::string_view::npos || at == 0 ? std::string_view::npos : at;
}

}  // namespace

ShapeLanguages shape_languages(const Services& services, const std::vector<std::string>& texts, const std::string& from,
                               const std::string& to, bool html) {
    ShapeLanguages found;
    const bool is_auto = from.empty() || from == "auto" || from == "AUTO" || from == "Auto";
    if (!is_auto) found.from = services.language(from);
    if (!to.empty()) found.to = services.language(to);
    if (is_auto) detect_source(services, texts, html, found);
    if (found.to.empty()) found.to = only_target(services, found.from);
    if (!services.models.translates(found.from, found.to)) throw no_pair(services, found.from, found.to);
    return found;
}

ShapeLanguages languages_of_name(const Services& services, std::string_view name) {
    const std::size_t second = parted(name, std::string_view::npos);
    if (second == std::string_view::npos) return {};
    ShapeLanguages found;
    found.to = services.models.language(std::string(name.substr(second + 1)));
    const std::size_t first = parted(name, second - 1);
    const std::size_t begin = first == std::string_view::npos ? 0 : first + 1;
    found.from = services.models.language(std::string(name.substr(begin, second - begin)));
    return found.from.empty() || found.to.empty() ? ShapeLanguages{} : found;
}

}  // namespace serve::api
