// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "serve/api/azure/azure.h"
#include "serve/api/own/offsets.h"
#include "serve/api/shapes/groups.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

// A request on its way: each of its texts stands in `ask` once for each of its targets.
struct AzureWork {
    AzureRequest request;
    std::vector<std::optional<double>> scores;  // of the languages that were found, one for each text
};

std::string azure_language(const Services& services, const std::string& given, const char* side, const char* field) {
    std::string tag = services.models.language(given);
    if (tag.empty())
        throw Problem(Kind::unsupported_language, std::string("The ") + side + " language is not supported: " + given,
                      field);
    return tag;
}

// Looks for the languages of texts that do not say theirs.
void find_languages(const Services& services, AzureWork& work) {
    AzureRequest& request = work.request;
    work.scores.resize(request.texts.size());
    for (std::size_t i = 0; i < request.texts.size(); ++i) {
        AzureText& text = request.texts[i];
        if (!text.from.empty()) continue;
        const std::vector<work::Guess> guesses = work::detect(services.models,
                                                              {text.html ? without_tags(text.text) : text.text});
        work.scores[i] = guesses.empty() ? 0 : guesses.front().confidence;
        if (guesses.empty()) text.from = request.suggested_from;
    }
}

// The ways of all texts to all of their targets. Texts without a language that go the same way are looked at together.
std::vector<TextWay> azure_ways(const Services& services, const AzureRequest& request) {
    std::vector<TextWay> ways;
    std::map<std::pair<std::string, bool>, std::vector<std::pair<std::size_t, std::string>>> unknown;
    for (const AzureText& text : request.texts)
        for (const std::string& to : text.to) {
            const std::string target = azure_language(services, to, "target", "to");
            TextWay way{text.from, target, "", text.html};
            if (text.from.empty()) unknown[{target, text.html}].emplace_back(ways.size(), text.text);
            else way.from = azure_language(services, text.from, "source", "from");
            ways.push_back(std::move(way));
        }
    for (const auto& [way, places] : unknown) {
        std::vector<std::string> texts;
        for (const auto& [place, text] : places) texts.push_back(text);
        const std::vector<TextWay> found = ways_of_texts(services, texts, "", way.first, way.second);
        for (std::size_t i = 0; i < places.size(); ++i) ways[places[i].first].from = found[i].from;
    }
    return ways;
}

// "0:4-0:3 6:10-5:7": words of the source and of the translation that belong together, each with its first and its
// last place. Nothing is known of a copy, and places in a text with tags would be those of another text.
std::string azure_alignment(const work::Answer& answer, std::size_t input, const std::string& source, bool html) {
    if (!answer.result || html) return "";
    const dragoman::Result& result = *answer.result;
    const OwnPlaces from(source, OwnUnit::utf16), to(result.text(input), OwnUnit::utf16);
    std::string all;
    const auto add = [&](const OwnPlaces& places, const dragoman_range& word, char before) {
        if (!all.empty() || before != ' ') all += before;
        all += std::to_string(places.at(word.begin)) + ':' + std::to_string(places.at(word.end) - 1);
    };
    for (std::size_t s = 0; s < result.sentences(input); ++s) {
        const auto sources = result.source_words(input, 0, s), targets = result.target_words(input, 0, s);
        const dragoman_matrix weights = result.alignment(input, 0, s);
        for (std::size_t t = 0; t < std::min(targets.size(), std::size_t(weights.rows)); ++t) {
            const float* row = weights.data + t * weights.cols;
            const std::size_t best = std::size_t(std::max_element(row, row + weights.cols) - row);
            if (best >= sources.size() || row[best] <= 0) continue;
            add(from, sources[best], ' ');
            add(to, targets[t], '-');
        }
    }
    return all;
}

// Lengths of the parts of a text that begin at some bytes; together they are the whole text.
Json lengths_of(std::string_view text, std::vector<std::size_t> begins) {
    if (begins.empty()) begins.push_back(0);
    begins.front() = 0;
    begins.push_back(text.size());
    const OwnPlaces places(text, OwnUnit::utf16);
    Json lengths = Json::array();
    for (std::size_t i = 0; i + 1 < begins.size(); ++i)
        lengths.push_back(places.at(begins[i + 1]) - places.at(begins[i]));
    return lengths;
}

Json azure_lengths(const work::Answer& answer, std::size_t input, const std::string& source) {
    std::vector<std::size_t> sources, targets;
    for (std::size_t s = 0; answer.result && s < answer.result->sentences(input); ++s) {
        const dragoman_sentence at = answer.result->sentence(input, 0, s);
        sources.push_back(at.source_begin);
        targets.push_back(at.target_begin);
    }
    return {{"srcSentLen", lengths_of(source, std::move(sources))},
            {"transSentLen", lengths_of(answer.text(input), std::move(targets))}};
}

// One translation, the `place`-th of all.
Json azure_translation(const AzureRequest& request, const AzureText& text, const std::string& to,
                       const GroupedAnswer& answer, std::size_t place) {
    if (request.dated)
        return {{"language", to},
                {"text", answer.text(place)},
                {"sourceCharacters", count_characters(text.text, "text")}};
    Json one{{"text", answer.text(place)}, {"to", to}};
    const auto& [group, input] = answer.place(place);
    const work::Answer& of_group = answer.answers()[group];
    if (request.alignment) one["alignment"] = {{"proj", azure_alignment(of_group, input, text.text, text.html)}};
    if (request.lengths && !text.html) one["sentLen"] = azure_lengths(of_group, input, text.text);
    return one;
}

void send_azure(Call& call, const AzureWork& work, const GroupedAnswer& answer) {
    Json all = Json::array();
    std::size_t place = 0, characters = 0;
    for (std::size_t i = 0; i < work.request.texts.size(); ++i) {
        const AzureText& text = work.request.texts[i];
        Json one;
        if (work.scores[i]) one["detectedLanguage"] = {{"language", answer.from(place)}, {"score", *work.scores[i]}};
        one["translations"] = Json::array();
        for (const std::string& to : text.to) {
            one["translations"].push_back(azure_translation(work.request, text, to, answer, place++));
            characters += count_characters(text.text, "text");
        }
        all.push_back(std::move(one));
    }
    http::Response response = json_response(work.request.dated ? Json{{"value", std::move(all)}} : std::move(all));
    response.headers.push_back({"X-Metered-Usage", std::to_string(characters)});
    call.exchange->send(std::move(response));
}

}  // namespace

void azure_translate(Services& services, Call& call) {
    const auto work = std::make_shared<AzureWork>();
    work->request = read_azure(call.fields, AzureQuery(call.request()));
    const AzureRequest& request = work->request;
    GroupedAsk ask{{}, {}, "text", azure_error};
    for (const AzureText& text : request.texts) ask.texts.insert(ask.texts.end(), text.to.size(), text.text);
    services.check_texts(call.account, ask.texts, "text");
    find_languages(services, *work);
    ask.ways = azure_ways(services, request);
    ask.set = [alignment = request.alignment || request.lengths](work::Ask& each) { each.alignment = alignment; };
    const auto done = [work](Call& asked, const GroupedAnswer& answer) { send_azure(asked, *work, answer); };
    if (ask.texts.empty()) return done(call, GroupedAnswer({}));
    translate_groups(services, call, std::move(ask), done);
}

}  // namespace serve::api
