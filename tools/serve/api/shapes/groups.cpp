// SPDX-License-Identifier: Apache-2.0
#include "serve/api/shapes/groups.h"

#include <algorithm>
#include <memory>

#include "serve/api/deepl/sources.h"
#include "serve/ascii.h"

namespace serve::api {
namespace {

// A request on its way.
struct GroupedWork {
    std::vector<work::Ask> asks;  // one for each group
    GroupedAnswer answer;
    ErrorForm error;
    GroupsDone done;
};

void translate_group(Services& services, Call& call, const std::shared_ptr<GroupedWork>& work, std::size_t index) {
    if (index == work->asks.size()) return work->done(call, work->answer);
    services.translate(call, std::move(work->asks[index]), work->error,
                       [&services, work, index](Call& then, const work::Answer& answer) {
                           work->answer.add(answer);
                           translate_group(services, then, work, index + 1);
                       });
}

}  // namespace

std::vector<TextGroup> text_groups(const std::vector<TextWay>& ways) {
    std::vector<TextGroup> groups;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto same = std::ranges::find(groups, ways[i], &TextGroup::way);
        if (same != groups.end()) same->texts.push_back(i);
        else groups.push_back({ways[i], {i}});
    }
    return groups;
}

std::vector<TextWay> ways_of_texts(const Services& services, const std::vector<std::string>& texts,
                                   const std::string& from, const std::string& to, bool html) {
    std::vector<TextWay> ways(texts.size(), TextWay{from, to, ""});
    const std::string small = in_small_letters(from);
    if (!small.empty() && small != "auto") return ways;
    for (const DeeplSource& source : deepl_sources(services.models, texts, "", services.language(to), html))
        for (const std::size_t i : source.texts) ways[i].from = source.language;
    return ways;
}

GroupedAnswer::GroupedAnswer(const std::vector<TextGroup>& groups) {
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (std::size_t i = 0; i < groups[group].texts.size(); ++i) {
            const std::size_t place = groups[group].texts[i];
            if (place >= places_.size()) places_.resize(place + 1);
            places_[place] = {group, i};
        }
}

void translate_groups(Services& services, Call& call, GroupedAsk ask, GroupsDone done) {
    const std::vector<TextGroup> groups = text_groups(ask.ways);
    std::vector<work::Ask> asks;
    for (const TextGroup& group : groups) {
        work::Ask& one = asks.emplace_back();
        for (const std::size_t i : group.texts) one.texts.push_back(ask.texts[i]);
        const ShapeLanguages languages = shape_languages(services, one.texts, group.way.from, group.way.to,
                                                         ask.html || group.way.html);
        one.from = languages.from;
        one.to = languages.to;
        one.model = group.way.model;
        if (group.way.html) one.markup = DRAGOMAN_MARKUP_HTML;
        if (ask.set) ask.set(one);
    }
    services.charge(call, ask.texts, ask.field);
    GroupedWork work{std::move(asks), GroupedAnswer(groups), ask.error, std::move(done)};
    translate_group(services, call, std::make_shared<GroupedWork>(std::move(work)), 0);
}

}  // namespace serve::api
