// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/api/deepl/html.h"
#include "serve/api/deepl/parameters.h"
#include "serve/api/deepl/sources.h"
#include "serve/api/deepl/tags.h"
#include "serve/ascii.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

// A request on its way. Texts in several languages are translated one language after the other.
struct DeeplRequest {
    std::vector<std::string> texts;    // as they came
    std::vector<std::size_t> characters;  // of each
    std::vector<DeeplTags> tagged;     // of XML, one for each text
    std::vector<DeeplHtml> marked;        // of HTML with elements to ignore
    std::vector<DeeplSource> sources;  // texts by their languages
    work::Ask ask;                     // all but texts and source
    std::string source_code, model_type, tag_version;
    bool billed = false;
    std::vector<Json> answers;
};

std::string deepl_model_type(const Json& fields) {
    std::string given = in_small_letters(text(fields, "model_type"));
    if (given.empty() || given == "latency_optimized" || given == "quality_optimized") return given;
    if (given == "prefer_quality_optimized") return "quality_optimized";
    throw Problem(Problem::Kind::bad_request, "Value for 'model_type' not supported: " + given, "model_type");
}

// What DeepL calls quality is a wider beam here.
constexpr int kDeeplQualityBeam = 4;

enum class DeeplLines { split, join, one };  // line breaks and sentences: "1", "nonewlines", "0"

DeeplLines deepl_lines(const Json& fields, bool html) {
    std::string given = in_small_letters(text(fields, "split_sentences"));
    if (given.empty()) return html ? DeeplLines::join : DeeplLines::split;
    if (given == "0") return DeeplLines::one;
    if (given == "1") return DeeplLines::split;
    if (given == "nonewlines") return DeeplLines::join;
    throw Problem(Problem::Kind::bad_request,
                  "Value for 'split_sentences' not supported: " + given + " (0, 1, nonewlines)", "split_sentences");
}

void deepl_set_lines(DeeplRequest& request, DeeplLines lines, const std::string& tags) {
    if (lines == DeeplLines::one) request.ask.options["split_sentences"] = false;
    if (lines == DeeplLines::join && tags.empty()) request.ask.options["join_lines"] = true;
}

// Fills in texts to translate for how tags are to be handled.
void deepl_read_tags(const Json& fields, DeeplRequest& request) {
    const std::string tags = in_small_letters(text(fields, "tag_handling"));
    if (!tags.empty() && tags != "xml" && tags != "html")
        throw Problem(Problem::Kind::bad_request, "Value for 'tag_handling' not supported: " + tags + " (xml, html)",
                      "tag_handling");
    const DeeplLines lines = deepl_lines(fields, tags == "html");
    deepl_set_lines(request, lines, tags);
    const std::string version = in_small_letters(text(fields, "tag_handling_version"));
    if (!version.empty() && version != "v1" && version != "v2")
        throw Problem(Problem::Kind::bad_request, "Value for 'tag_handling_version' not supported: " + version,
                      "tag_handling_version");
    if (!tags.empty()) request.tag_version = version.empty() ? "v2" : version;

    DeeplTagRules rules;
    rules.outline = flag(fields, "outline_detection", true);
    rules.lines = lines == DeeplLines::split;
    rules.ignored = deepl_list(fields, "ignore_tags");
    rules.splitting = deepl_list(fields, "splitting_tags");
    rules.joining = deepl_list(fields, "non_splitting_tags");
    const char* of_xml = !rules.splitting.empty() ? "splitting_tags"
                         : !rules.joining.empty() ? "non_splitting_tags"
                         : !rules.outline         ? "outline_detection"
                                                  : nullptr;
    if (tags != "xml" && of_xml)
        throw Problem(Problem::Kind::unsupported, fmt::format("{}: needs tag_handling xml", of_xml), of_xml);
    if (tags.empty() && !rules.ignored.empty())
        throw Problem(Problem::Kind::unsupported, "ignore_tags: needs tag_handling", "ignore_tags");
    if (tags == "html" && lines == DeeplLines::split)
        throw Problem(Problem::Kind::unsupported,
                      "split_sentences: 1 is not supported with tag_handling html, where line breaks are white space",
                      "split_sentences");
    if (!tags.empty()) request.ask.markup = DRAGOMAN_MARKUP_HTML;
    for (std::size_t i = 0; i < request.texts.size(); ++i) {
        if (tags == "xml") request.tagged.emplace_back(request.texts[i], rules, fmt::format("text[{}]", i));
        else if (!rules.ignored.empty()) request.marked.emplace_back(request.texts[i], rules.ignored);
    }
}

const std::string& deepl_to_translate(const DeeplRequest& request, std::size_t i) {
    if (!request.tagged.empty()) return request.tagged[i].html();
    return request.marked.empty() ? request.texts[i] : request.marked[i].html();
}

std::string deepl_translated(const DeeplRequest& request, std::size_t i, std::string text) {
    if (!request.tagged.empty()) return request.tagged[i].restored(text);
    return request.marked.empty() ? text : request.marked[i].restored(text);
}

void deepl_send(const Call& call, DeeplRequest& request) {
    Json list = Json::array();
    for (Json& answer : request.answers) list.push_back(std::move(answer));
    call.exchange->send(json_response({{"translations", std::move(list)}}));
}

void deepl_translate_source(Services& services, const Call& call, const std::shared_ptr<DeeplRequest>& request,
                            std::size_t index) {
    if (index == request->sources.size()) return deepl_send(call, *request);
    const DeeplSource& source = request->sources[index];
    work::Ask ask = request->ask;
    ask.from = source.language;
    for (const std::size_t i : source.texts) ask.texts.push_back(deepl_to_translate(*request, i));
    services.translate(call, std::move(ask), deepl_error,
                       [&services, request, index](Call& then, const work::Answer& answer) {
                           const std::vector<std::size_t>& which = request->sources[index].texts;
                           for (std::size_t k = 0; k < which.size(); ++k) {
                               const std::size_t i = which[k];
                               Json item{{"detected_source_language", request->source_code.empty()
                                                                          ? deepl_upper(deepl_base(answer.from))
                                                                          : request->source_code},
                                         {"text", deepl_translated(*request, i, answer.text(k))}};
                               if (request->billed) item["billed_characters"] = request->characters[i];
                               if (!request->model_type.empty()) item["model_type_used"] = request->model_type;
                               if (!request->tag_version.empty()) item["tag_handling_version"] = request->tag_version;
                               request->answers[i] = std::move(item);
                           }
                           deepl_translate_source(services, then, request, index + 1);
                       });
}

}  // namespace

void deepl_translate(Services& services, Call& call) {
    const Json& fields = call.fields;
    std::optional<Texts> given = texts(fields, "text");
    if (!given || given->values.empty())
        throw Problem(Problem::Kind::missing, "Parameter 'text' not specified.", "text");
    services.check_texts(call.account, given->values, "text");
    auto request = std::make_shared<DeeplRequest>();
    request->texts = std::move(given->values);
    for (std::size_t i = 0; i < request->texts.size(); ++i)
        request->characters.push_back(count_characters(request->texts[i], fmt::format("text[{}]", i)));
    request->answers.resize(request->texts.size());
    const DeeplParameters parameters = deepl_parameters(services, fields);
    request->source_code = parameters.source_code;
    request->billed = flag(fields, "show_billed_characters", false);
    request->model_type = deepl_model_type(fields);
    if (request->model_type == "quality_optimized") request->ask.options["beam_size"] = kDeeplQualityBeam;
    flag(fields, "preserve_formatting", false);  // nothing is corrected here: both are heeded
    request->ask.to = parameters.to;
    request->ask.context = text(fields, "context");
    deepl_read_tags(fields, *request);
    if (!parameters.glossaries.empty())
        request->ask.terms = services.glossaries.terms(call.account.owner, parameters.glossaries, parameters.from,
                                                       parameters.to);
    if (!parameters.memory.empty()) request->ask.memory = services.memories.open(call.account.owner, parameters.memory);
    request->sources = deepl_sources(services.models, request->texts, parameters.from, parameters.to,
                                     request->ask.markup != DRAGOMAN_MARKUP_NONE);
    services.charge(call, request->texts, "text");
    deepl_translate_source(services, call, request, 0);
}

void deepl_add_translate(Router& router, Services& services) {
    const auto handler = [&services](Call& call) { deepl_translate(services, call); };
    for (const char* method : {"GET", "POST"}) deepl_add(router, {method, "/v2/translate", handler});
    deepl_add(router, {"GET", "/v1/translate", handler});  // as OmegaT asks
}

}  // namespace serve::api
