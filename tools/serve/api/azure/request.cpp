// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "serve/api/azure/azure.h"
#include "serve/ascii.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

// What this service has nothing for.
[[noreturn]] void refuse(const std::string& name) {
    throw Problem(Kind::unsupported, name + " is not supported by this service", name);
}

const Json* field_in_any_case(const Json& object, std::string_view name) {
    for (const auto& [each, value] : object.items())
        if (same_in_any_case(each, name) && !value.is_null()) return &value;
    return nullptr;
}

std::string string_of(const Json& object, std::string_view name, const std::string& place) {
    const Json* value = field_in_any_case(object, name);
    if (!value) return "";
    if (!value->is_string())
        throw Problem(Kind::bad_request,
                      fmt::format("{}.{} is {}, a string is expected", place, name, value->type_name()),
                      std::string(name));
    return value->get<std::string>();
}

std::string needed_string(const Json& object, std::string_view name, const std::string& place) {
    if (!field_in_any_case(object, name))
        throw Problem(Kind::missing, fmt::format("{}.{} is missing", place, name), std::string(name));
    return string_of(object, name, place);
}

const Json& object_of(const Json& value, const std::string& place) {
    if (!value.is_object())
        throw Problem(Kind::bad_request, fmt::format("{} is {}, an object is expected", place, value.type_name()),
                      "text");
    return value;
}

bool is_html(const std::string& type) {
    if (type.empty() || same_in_any_case(type, "plain")) return false;
    if (same_in_any_case(type, "html")) return true;
    throw Problem(Kind::bad_request, "textType is " + type + ", plain or html is expected", "textType");
}

// Parts of a text with a translation of their own would be translated as text.
std::string checked(std::string text) {
    if (text.find("<mstrans:dictionary") != std::string::npos) refuse("mstrans:dictionary");
    return text;
}

// A system of the client's own is nowhere here: another one does where the client allows that.
void check_system(const std::string& name, const std::string& system, bool fallback) {
    if (!fallback && !system.empty() && !same_in_any_case(system, "general"))
        throw Problem(Kind::bad_request, fmt::format("{} is {}, which this service does not have", name, system),
                      "category");
}

void check_profanity(const std::string& action) {
    if (!action.empty() && !same_in_any_case(action, "NoAction")) refuse("profanityAction");
}

std::string read_target(const Json& target, const std::string& place) {
    for (const char* name : {"script", "tone", "gender", "adaptiveDatasetId", "referenceTextPairs"})
        if (const Json* value = field_in_any_case(target, name); value && !value->empty() && *value != "") refuse(name);
    check_profanity(string_of(target, "profanityAction", place));
    const Json* fallback = field_in_any_case(target, "allowFallback");
    check_system("deploymentName", string_of(target, "deploymentName", place),
                 !fallback || !fallback->is_boolean() || fallback->get<bool>());
    return needed_string(target, "language", place);
}

AzureText read_input(const Json& input, const std::string& place) {
    if (!string_of(input, "script", place).empty()) refuse("script");
    AzureText text{.text = checked(needed_string(input, "text", place)),
                   .from = string_of(input, "language", place),
                   .html = is_html(string_of(input, "textType", place)),
                   .to = {}};
    const Json* targets = field_in_any_case(input, "targets");
    if (!targets || !targets->is_array() || targets->empty())
        throw Problem(Kind::missing, place + ".targets is missing", "to");
    for (const Json& target : *targets) {
        const std::string inner = fmt::format("{}.targets[{}]", place, text.to.size());
        text.to.push_back(read_target(object_of(target, inner), inner));
    }
    return text;
}

void read_inputs(const Json& inputs, AzureRequest& request) {
    if (!inputs.is_array())
        throw Problem(Kind::bad_request, fmt::format("inputs is {}, a list is expected", inputs.type_name()), "text");
    for (const Json& input : inputs) {
        const std::string place = fmt::format("inputs[{}]", request.texts.size());
        request.texts.push_back(read_input(object_of(input, place), place));
    }
}

void read_list(const Json& fields, const AzureQuery& query, AzureRequest& request) {
    for (const char* name : {"fromScript", "toScript"})
        if (!query.text(name).empty()) refuse(name);
    check_profanity(query.text("profanityAction"));
    check_system("category", query.text("category"), query.flag("allowFallback", true));
    const AzureText as{
        .text = "", .from = query.text("from"), .html = is_html(query.text("textType")), .to = query.list("to")};
    if (as.to.empty()) throw Problem(Kind::missing, "The parameter to is missing", "to");
    for (std::string& text : azure_texts(fields)) {
        request.texts.push_back(as);
        request.texts.back().text = checked(std::move(text));
    }
    request.alignment = query.flag("includeAlignment", false);
    request.lengths = query.flag("includeSentenceLength", false);
    request.suggested_from = query.text("suggestedFrom");
}

}  // namespace

std::string AzureQuery::text(std::string_view name) const {
    const auto found = std::ranges::find_if(fields_,
                                            [&](const auto& each) { return same_in_any_case(each.first, name); });
    return found == fields_.end() ? "" : found->second;
}

bool AzureQuery::flag(std::string_view name, bool fallback) const {
    const std::string value = text(name);
    if (value.empty()) return fallback;
    if (value == "1" || same_in_any_case(value, "true")) return true;
    if (value == "0" || same_in_any_case(value, "false")) return false;
    throw Problem(Kind::bad_request, fmt::format("{} is {}, true or false is expected", name, value),
                  std::string(name));
}

std::vector<std::string> AzureQuery::list(std::string_view name) const {
    std::vector<std::string> all;
    for (const auto& [each, value] : fields_) {
        if (!same_in_any_case(each, name)) continue;
        for (std::string_view rest = value; !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(','));
            if (!one.empty()) all.emplace_back(one);
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        }
    }
    return all;
}

std::vector<std::string> azure_texts(const Json& fields) {
    if (!fields.is_array()) throw Problem(Kind::bad_request, "The body is no list of objects with a Text", "body");
    std::vector<std::string> texts;
    for (const Json& each : fields) {
        const std::string place = fmt::format("[{}]", texts.size());
        texts.push_back(needed_string(object_of(each, place), "Text", place));
    }
    return texts;
}

AzureRequest read_azure(const Json& fields, const AzureQuery& query) {
    AzureRequest request;
    const Json* inputs = find(fields, "inputs");
    request.dated = inputs != nullptr;
    if (inputs) read_inputs(*inputs, request);
    else read_list(fields, query, request);
    return request;
}

}  // namespace serve::api
