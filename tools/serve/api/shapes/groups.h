// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/shapes/shapes.h"

namespace serve::api {

// How one text of a request is to be translated, as the request says it; see shape_languages().
struct TextWay {
    std::string from, to;
    std::string model;  // a name; empty: by the languages
    bool html = false;  // beside GroupedAsk::html
    bool operator==(const TextWay&) const = default;
};

// Texts of a request that go the same way.
struct TextGroup {
    TextWay way;
    std::vector<std::size_t> texts;  // which, in their order
};
std::vector<TextGroup> text_groups(const std::vector<TextWay>& ways);  // by their first texts

// Ways of texts that are in one language, if `from` says which, or each in its own: see deepl_sources(). Throws Problem.
std::vector<TextWay> ways_of_texts(const Services& services, const std::vector<std::string>& texts,
                                   const std::string& from, const std::string& to, bool html);

// The answers to all groups, asked by the places of the texts in the request.
class GroupedAnswer {
public:
    explicit GroupedAnswer(const std::vector<TextGroup>& groups);
    void add(work::Answer answer) { answers_.push_back(std::move(answer)); }  // of the next group
    std::size_t size() const { return places_.size(); }
    std::string text(std::size_t i) const { return answers_[places_[i].first].text(places_[i].second); }
    const std::pair<std::size_t, std::size_t>& place(std::size_t i) const { return places_[i]; }  // group, text of it
    const std::string& from(std::size_t i) const { return answers_[places_[i].first].from; }
    float score(std::size_t i) const { return score_of(answers_[places_[i].first], places_[i].second); }
    const std::vector<work::Answer>& answers() const { return answers_; }

private:
    std::vector<std::pair<std::size_t, std::size_t>> places_;
    std::vector<work::Answer> answers_;
};

// A request whose texts say themselves in which languages they are.
struct GroupedAsk {
    std::vector<std::string> texts;
    std::vector<TextWay> ways;  // one for each text
    const char* field;  // that the texts are in, for problems
    ErrorForm error;
    std::function<void(work::Ask&)> set{};  // other options; null: none
    bool html = false;  // tags say nothing of languages
};

// Charges all texts, translates one group after the other and hands over the answers on a worker thread. Throws
// Problem.
using GroupsDone = std::function<void(Call&, const GroupedAnswer&)>;
void translate_groups(Services& services, Call& call, GroupedAsk ask, GroupsDone done);

}  // namespace serve::api
