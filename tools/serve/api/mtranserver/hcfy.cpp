// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>

#include "serve/api/mtranserver/mtranserver.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

// That add-on calls languages by their Chinese names.
constexpr std::pair<const char*, const char*> kNames[] = {
    {"中文(简体)", "zh-Hans"},
    {"中文(繁体)", "zh-Hant"},
    {"英语", "en"},
    {"日语", "ja"},
    {"韩语", "ko"},
    {"法语", "fr"},
    {"德语", "de"},
    {"西班牙语", "es"},
    {"俄语", "ru"},
    {"意大利语", "it"},
    {"葡萄牙语", "pt"},
    {"阿拉伯语", "ar"},
    {"荷兰语", "nl"},
    {"波兰语", "pl"},
    {"土耳其语", "tr"},
    {"泰语", "th"},
    {"越南语", "vi"},
    {"印尼语", "id"},
    {"马来语", "ms"},
    {"希腊语", "el"},
    {"捷克语", "cs"},
    {"丹麦语", "da"},
    {"芬兰语", "fi"},
    {"匈牙利语", "hu"},
    {"挪威语", "no"},
    {"罗马尼亚语", "ro"},
    {"瑞典语", "sv"},
    {"乌克兰语", "uk"},
    {"保加利亚语", "bg"},
    {"爱沙尼亚语", "et"},
    {"拉脱维亚语", "lv"},
    {"立陶宛语", "lt"},
    {"斯洛伐克语", "sk"},
    {"斯洛文尼亚语", "sl"},
    {"印地语", "hi"},
    {"孟加拉语", "bn"},
    {"希伯来语", "he"},
    {"波斯语", "fa"},
    {"克罗地亚语", "hr"},
    {"塞尔维亚语", "sr"},
    {"加泰罗尼亚语", "ca"},
};

std::string code_of(const std::string& name) {
    const auto found = std::ranges::find(kNames, std::string_view(name), [](const auto& each) { return each.first; });
    return found == std::end(kNames) ? name : found->second;
}

// By the service's own tag: "zh" and "zh-Hans" may be one language here.
std::string name_of(const Services& services, const std::string& tag) {
    for (const auto& [name, code] : kNames)
        if (services.models.language(code) == tag) return name;
    return tag;
}

// The first language that is wanted, unless the text is in it already.
std::string target_of(const Services& services, const std::vector<std::string>& wanted, const std::string& text,
                      const std::string& from) {
    const std::string first = services.language(code_of(wanted.front()));
    if (wanted.size() == 1) return first;
    std::string found = from.empty() ? "" : services.language(from);
    if (found.empty())
        if (const auto guesses = work::detect(services.models, {text}); !guesses.empty()) found = guesses.front().tag;
    return found == first ? services.language(code_of(wanted[1])) : first;
}

// {text, source, destination: [first, second]} -> {text, from, to, result}: a translation for each line
void answer_hcfy(Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "text");
    const Texts wanted = needed_texts(call.fields, "destination");
    if (wanted.values.empty()) throw missing("destination");
    services.check_texts(call.account, {given}, "text");
    const std::string from = code_of(text(call.fields, "source"));
    const std::string to = target_of(services, wanted.values, given, from);
    GroupedAsk ask{{given}, ways_of_texts(services, {given}, from, to, false), "text", mtranserver_error};
    translate_groups(services, call, std::move(ask), [&services, given, to](Call& asked, const GroupedAnswer& answer) {
        Json lines = Json::array();
        for (std::string text = answer.text(0), rest;; text = std::move(rest)) {
            const std::size_t end = text.find('\n');
            lines.push_back(text.substr(0, end));
            if (end == std::string::npos) break;
            rest = text.substr(end + 1);
        }
        Json body{{"text", given}};
        body["from"] = name_of(services, answer.from(0));
        body["to"] = name_of(services, to);
        body["result"] = std::move(lines);
        asked.exchange->send(json_response(body));
    });
}

}  // namespace

void mtranserver_add_hcfy(Router& router, Services& services) {
    router.add(mtranserver_route("POST", "/hcfy", [&services](Call& call) { answer_hcfy(services, call); }));
}

}  // namespace serve::api
