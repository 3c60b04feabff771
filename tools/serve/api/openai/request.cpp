// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openai/request.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "serve/api/openai/languages.h"
#include "serve/api/openai/placeholders.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

constexpr std::uint32_t kOpenaiRephrased = 3;  // as Weblate asks for

struct OpenaiMessages {
    std::string system, user;
};

// A string, or a list of parts, of which only text can be translated.
std::string openai_content(const Json& message) {
    const Json* content = find(message, "content");
    if (!content || content->is_string()) return content ? content->get<std::string>() : "";
    if (!content->is_array()) throw Problem(Kind::bad_request, "content is neither a string nor a list", "messages");
    std::string all;
    for (const Json& part : *content) {
        const std::string type = text(part, "type", "text");
        if (type != "text") throw Problem(Kind::bad_request, type + " in messages cannot be translated", "messages");
        all += text(part, "text");
    }
    return all;
}

OpenaiMessages openai_messages(const Json& fields) {
    const Json* given = find(fields, "messages");
    if (!given) throw missing("messages");
    if (!given->is_array()) throw Problem(Kind::bad_request, "messages is no list", "messages");
    OpenaiMessages found;
    bool has_user = false;
    for (const Json& message : *given) {
        const std::string role = text(message, "role");
        if (role == "system" || role == "developer") found.system += openai_content(message) + "\n";
        if (role == "user") found.user = openai_content(message), has_user = true;  // the last one; others are examples
    }
    if (!has_user) throw Problem(Kind::missing, "there is no message of the user to translate", "messages");
    return found;
}

std::vector<std::string> openai_parts(std::string_view content) {
    constexpr std::string_view separator = kOpenaiSeparator;
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = content.find(separator);
        parts.emplace_back(content.substr(0, end));
        if (end == std::string_view::npos) return parts;
        content.remove_prefix(end + separator.size());
    }
}

void add_term(OpenaiRequest& request, std::string source, std::string target) {
    const auto same = [&](const auto& term) { return term.first == source; };
    if (!source.empty() && !target.empty() && std::ranges::none_of(request.terms, same))
        request.terms.emplace_back(std::move(source), std::move(target));
}

// Lines of a term, a tab and its translation, behind a word on a glossary.
void read_openai_glossary(std::string_view system, OpenaiRequest& request) {
    const std::size_t begin = system.find("glossary");
    if (begin == std::string_view::npos) return;
    for (std::string_view left = system.substr(begin); !left.empty();) {
        const std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(left.size(), line.size() + 1));
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) continue;
        const std::string_view target = line.substr(tab + 1);
        add_term(request, std::string(line.substr(0, tab)), std::string(target.substr(0, target.find('\t'))));
    }
}

// Weblate's newer form: {source_language, target_language, glossary, strings: [{source}]} as the user's message.
bool read_openai_strings(const Services& services, const std::string& user, OpenaiRequest& request) {
    if (!user.starts_with('{')) return false;
    const Json content = parse_leniently(user);
    const Json* strings = find(content, "strings");
    if (!strings || !strings->is_array() || !has(content, "target_language")) return false;
    request.form = OpenaiRequest::Form::list;
    for (const Json& each : *strings) request.texts.values.push_back(text(each, "source"));
    if (const Json* glossary = find(content, "glossary"); glossary && glossary->is_array())
        for (const Json& term : *glossary) add_term(request, text(term, "source"), text(term, "target"));
    request.languages = shape_languages(services, request.texts.values, text(content, "source_language"),
                                        text(content, "target_language"));
    return true;
}

// "Translate to German:\n\nHello": where the text begins behind instructions; none: it has none.
std::optional<std::size_t> openai_text_begin(std::string_view user, std::size_t named) {
    const auto behind = [&](std::string_view mark) {
        const std::size_t at = user.find(mark, named);
        return at == std::string_view::npos ? at : at + mark.size();
    };
    const std::size_t begin = std::min({behind("\n\n"), behind(":\n"), behind(": ")});
    if (begin == std::string_view::npos) return {};
    return std::min(user.find_first_not_of(" \n", begin), user.size());
}

void find_openai_languages(const Services& services, const OpenaiMessages& messages, OpenaiRequest& request,
                           std::string& user) {
    OpenaiLanguages named = openai_languages(services.models, messages.system);
    if (named.to.empty()) {
        const OpenaiLanguages inside = openai_languages(services.models, user.substr(0, user.find("\n\n")));
        const std::optional<std::size_t> begin = inside.told ? openai_text_begin(user, inside.end) : std::nullopt;
        if (begin) {
            named = inside;
            user.erase(0, *begin);
        }
    }
    const ShapeLanguages of_name = languages_of_name(services, request.called);
    if (named.to.empty()) {
        named.from = of_name.from;
        named.to = of_name.to;
    }
    if (named.to.empty())
        throw Problem(
            Kind::bad_request,
            "which languages? Name them in the system message (\"Translate from English to German\"), or in the "
            "model: dragoman-en-de",
            "messages");
    request.languages.from = named.from;
    request.languages.to = named.to;
}

// What changes an answer in a way that no client would notice the lack of.
void refuse_openai_fields(const Json& fields, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const Json* value = find(fields, name);
        const bool set = value && *value != false && *value != 0 && *value != "" && *value != Json::array();
        if (set) throw Problem(Kind::unsupported, std::string(name) + ": not supported by this service", name);
    }
}

// Only the form that Weblate asks for is JSON.
void check_openai_format(const Json& fields, const OpenaiRequest& request) {
    const Json* format = find(fields, "response_format");
    if (!format) return;
    if (!format->is_object()) throw Problem(Kind::bad_request, "response_format is no object", "response_format");
    const std::string type = text(*format, "type", "text");
    if (type == "text" || request.form == OpenaiRequest::Form::list) return;
    throw Problem(Kind::unsupported, "response_format: " + type + " is not supported, translations are text",
                  "response_format");
}

void read_openai_model(const Services& services, const Json& fields, OpenaiRequest& request) {
    request.called = text(fields, "model", "dragoman");
    if (services.models.find(request.called)) request.model = request.called;
    const std::int64_t most = std::int64_t(services.translations.options().most_alternatives) + 1;
    request.choices = static_cast<std::uint32_t>(integer_between(fields, "n", 1, 1, most));
}

}  // namespace

OpenaiRequest read_openai_chat(const Services& services, const Json& fields) {
    OpenaiRequest request;
    OpenaiMessages messages = openai_messages(fields);
    read_openai_model(services, fields, request);
    if (!read_openai_strings(services, messages.user, request)) {
        std::string user = messages.user;
        find_openai_languages(services, messages, request, user);
        request.texts.values = openai_parts(user);
        if (messages.system.find("rephrase") != std::string::npos && request.texts.values.size() == 2) {
            request.form = OpenaiRequest::Form::rephrased;  // of the source; the translation there was is not needed
            request.texts.values.pop_back();
            request.choices = std::min(kOpenaiRephrased, services.translations.options().most_alternatives + 1);
        }
        read_openai_glossary(messages.system, request);
        request.languages = shape_languages(services, request.texts.values, request.languages.from,
                                            request.languages.to);
    }
    request.placeholders = std::ranges::any_of(request.texts.values, has_placeholders);
    refuse_openai_fields(fields, {"logprobs", "top_logprobs", "audio"});
    check_openai_format(fields, request);
    return request;
}

OpenaiCompletion read_openai_completion(const Services& services, const Json& fields) {
    OpenaiCompletion completion;
    OpenaiRequest& request = completion.request;
    read_openai_model(services, fields, request);
    if (request.choices > 1)
        throw Problem(Kind::unsupported, "n: several choices are supported by chat completions only", "n");
    refuse_openai_fields(fields, {"echo", "suffix", "logprobs"});
    request.texts = needed_texts(fields, "prompt");
    if (request.texts.values.empty()) throw missing("prompt");
    for (std::string& prompt : request.texts.values) {
        find_openai_languages(services, {}, request, prompt);
        completion.ways.push_back({request.languages.from, request.languages.to, request.model});
    }
    request.languages = {};
    return completion;
}

}  // namespace serve::api
