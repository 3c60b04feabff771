// SPDX-License-Identifier: Apache-2.0
#include "serve/work/glossary_parts.h"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "serve/ascii.h"
#include "serve/work/glossary_entries.h"
#include "serve/work/kept_files.h"

namespace serve::work {

Json glossary_json(const Glossary& glossary) {
    Json json{{"format", 1},
              {"id", glossary.id},
              {"owner", glossary.owner},
              {"name", glossary.name},
              {"created", seconds_of(glossary.created)},
              {"dictionaries", Json::array()}};
    for (const Dictionary& dictionary : glossary.dictionaries)
        json["dictionaries"].push_back({{"from", dictionary.from},
                                        {"to", dictionary.to},
                                        {"entries", dictionary.entries}});
    return json;
}

Glossary glossary_of(const Json& json) {
    Glossary glossary;
    if (json.at("format") != 1) throw std::runtime_error("format " + json.at("format").dump() + " is not known");
    json.at("id").get_to(glossary.id);
    json.at("owner").get_to(glossary.owner);
    json.at("name").get_to(glossary.name);
    glossary.created = time_of(json.at("created").get<std::int64_t>());
    for (const Json& each : json.at("dictionaries")) {
        Dictionary& dictionary = glossary.dictionaries.emplace_back();
        each.at("from").get_to(dictionary.from);
        each.at("to").get_to(dictionary.to);
        each.at("entries").get_to(dictionary.entries);
        check_entries(dictionary.entries);
    }
    return glossary;
}

LanguageCode dictionary_language(const std::string& given) {
    const auto code = LanguageCode::read(given);
    if (!code)
        throw Problem(Problem::Kind::unsupported_language, "a glossary's language is not known: " + given.substr(0, 40),
                      given.substr(0, 40));
    return *code;
}

bool is_language(const LanguageCode& one, const LanguageCode& other) {
    return one.language == other.language && (one.script == other.script || one.script.empty() || other.script.empty());
}

// The languages become tags in small letters.
void check_dictionaries(std::vector<Dictionary>& dictionaries) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (Dictionary& dictionary : dictionaries) {
        const LanguageCode from = dictionary_language(dictionary.from), to = dictionary_language(dictionary.to);
        dictionary.from = in_small_letters(from.tag());
        dictionary.to = in_small_letters(to.tag());
        if (dictionary.from == dictionary.to)
            throw Problem(Problem::Kind::bad_request, "a glossary from " + dictionary.from + " to itself",
                          dictionary.to);
        if (!pairs.emplace(dictionary.from, dictionary.to).second)
            throw Problem(Problem::Kind::bad_request,
                          "two dictionaries from " + dictionary.from + " to " + dictionary.to, dictionary.to);
        for (const auto& [source, target] : dictionary.entries)
            for (const std::string* text : {&source, &target}) check_utf8(*text, "entries");
        check_entries(dictionary.entries);
    }
}

std::uint64_t checked_size(const Glossary& glossary) {
    std::uint64_t bytes = 0;
    for (const Dictionary& dictionary : glossary.dictionaries)
        for (const auto& [source, target] : dictionary.entries) bytes += source.size() + target.size() + 2;
    if (bytes > kMostGlossaryBytes)
        throw Problem(Problem::Kind::too_large, "the glossary has " + std::to_string(bytes) + " bytes; at most " +
                                                    std::to_string(kMostGlossaryBytes) + " are kept");
    return bytes;
}

void merge_entries(Dictionary& old, Dictionary&& fresh, bool merge) {
    if (!merge) {
        old.entries = std::move(fresh.entries);
        return;
    }
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < old.entries.size(); ++i) places[old.entries[i].first] = i;
    for (auto& entry : fresh.entries) {
        const auto place = places.find(entry.first);
        if (place != places.end()) old.entries[place->second] = std::move(entry);
        else old.entries.push_back(std::move(entry));
    }
}

}  // namespace serve::work
