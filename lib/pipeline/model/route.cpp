// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/route.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"

namespace dragoman::pipeline {
namespace {

using spec::LanguageTag;

// The best route to a language found so far.
struct Way {
    std::vector<RouteStep> steps;
    uint64_t parameters = 0;

    bool better_than(const Way& other) const {
        if (steps.size() != other.steps.size()) return steps.size() < other.steps.size();
        return parameters > other.parameters;
    }
};
using Ways = std::map<LanguageTag, Way>;

const spec::Language* language_of(const std::vector<spec::Language>& languages, const LanguageTag& wanted) {
    std::vector<LanguageTag> tags;
    for (const spec::Language& language : languages) tags.push_back(language.tag);
    const auto at = spec::best_match(wanted, tags);
    return at ? &languages[*at] : nullptr;
}

// Extends the routes of `last` by one model; returns the ones that are new or better.
Ways extend(std::span<const ModelInfo> models, const Ways& last, Ways& all) {
    Ways longer;
    for (const auto& [language, way] : last)
        for (std::size_t m = 0; m < models.size(); ++m) {
            const spec::Language* from = language_of(models[m].languages.source, language);
            if (!from) continue;
            for (const spec::Language& to : models[m].languages.target) {
                if (!to.tag.known() || to.tag == from->tag) continue;
                Way next = way;
                next.steps.push_back({m, from->code, to.code});
                next.parameters += models[m].parameters;
                const auto known = all.find(to.tag);
                if (known != all.end() && !next.better_than(known->second)) continue;
                all[to.tag] = next;
                longer[to.tag] = std::move(next);
            }
        }
    return longer;
}

}  // namespace

std::vector<RouteStep> find_route(std::span<const ModelInfo> models, const std::string& from, const std::string& to) {
    const LanguageTag begin = LanguageTag::parse(from), end = LanguageTag::parse(to);
    if (begin == end) fail(Status::invalid_argument, "route: expected two languages, both are {}", begin.str());
    Ways all{{begin, {}}}, last = all;
    std::vector<LanguageTag> tags;
    const auto found = [&]() -> const Way* {
        tags.clear();
        for (const auto& [tag, way] : all) tags.push_back(tag);
        const auto at = spec::best_match(end, tags);
        return at && !all.at(tags[*at]).steps.empty() ? &all.at(tags[*at]) : nullptr;
    };
    const Way* way = nullptr;
    while (!(way = found()) && !last.empty()) last = extend(models, last, all);
    if (way) return way->steps;
    std::vector<std::string> reached;
    for (const LanguageTag& tag : tags)
        if (tag != begin) reached.push_back(tag.str());
    fail(Status::invalid_argument, "route: expected a way from {} to {}, {} models lead from {} to {}", begin.str(),
         end.str(), models.size(), begin.str(),
         reached.empty() ? "nothing" : fmt::format("{}", fmt::join(reached, ", ")));
}

}  // namespace dragoman::pipeline
