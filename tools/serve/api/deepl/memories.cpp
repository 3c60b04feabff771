// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/ascii.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

Json deepl_memory_info(const work::MemoryInfo& memory) {
    Json targets = Json::array();
    for (const std::string& tag : memory.to) targets.push_back(in_small_letters(tag));
    return {{"translation_memory_id", memory.id},
            {"name", memory.name},
            {"source_language", in_small_letters(memory.from)},
            {"target_languages", std::move(targets)},
            {"segment_count", memory.segments},
            {"creation_time", deepl_time(memory.created)},
            {"updated_time", deepl_time(memory.created)}};
}

void deepl_memory_list(Services& services, Call& call) {
    const std::vector<work::MemoryInfo> all = services.memories.list(call.account.owner);
    const std::int64_t size = integer_between(call.fields, "page_size", 10, 1, 25);
    const std::size_t first = static_cast<std::size_t>(integer_between(call.fields, "page", 0, 0, 1'000'000) * size);
    Json list = Json::array();
    for (std::size_t i = first; i < std::min(all.size(), first + static_cast<std::size_t>(size)); ++i)
        list.push_back(deepl_memory_info(all[i]));
    call.exchange->send(json_response({{"translation_memories", std::move(list)}, {"total_count", all.size()}}));
}

std::size_t deepl_cursor(const Json& fields) {
    const std::string given = text(fields, "page_cursor");
    std::size_t first = 0;
    if (given.empty()) return first;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), first);
    if (error != std::errc() || end != given.data() + given.size())
        throw Problem(Problem::Kind::bad_request, "page_cursor is none that this service gave: " + given,
                      "page_cursor");
    return first;
}

// Translations of one source that come one after the other are its targets.
Json deepl_segments(const std::vector<work::Segment>& segments, std::size_t count, std::size_t first,
                    const std::string& memory) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        const work::Segment& segment = segments[i];
        if (i == 0 || segment.source != segments[i - 1].source || segment.from != segments[i - 1].from)
            list.push_back({{"source_segment_id", fmt::format("{}-{}", memory, first + i)},
                            {"source_text", segment.source},
                            {"targets", Json::array()}});
        list.back()["targets"].push_back({{"target_segment_id", fmt::format("{}-{}-target", memory, first + i)},
                                          {"target_language", in_small_letters(segment.to)},
                                          {"target_text", segment.target}});
    }
    return list;
}

void deepl_memory_segments(Services& services, Call& call) {
    const std::string& id = call.parameters.at("id");
    const std::size_t size = static_cast<std::size_t>(integer_between(call.fields, "page_size", 50, 1, 100));
    const std::size_t first = deepl_cursor(call.fields);
    const std::string filter = text(call.fields, "filter_text");
    if (!filter.empty() && count_characters(filter, "filter_text") < 2)
        throw Problem(Problem::Kind::bad_request, "filter_text has 1 character, at least 2 are expected",
                      "filter_text");
    const work::MemoryInfo memory = services.memories.get(call.account.owner, id);
    const std::vector<work::Segment> found =
        services.memories.segments(call.account.owner, id, filter, flag(call.fields, "filter_case_sensitive", false),
                                   first, size + 1);
    const std::size_t count = std::min(found.size(), size);
    Json answer{{"segments", deepl_segments(found, count, first, id)}, {"segment_count", memory.segments}};
    if (found.size() > size) answer["next_page_cursor"] = std::to_string(first + size);
    call.exchange->send(json_response(answer));
}

}  // namespace

void deepl_add_memories(Router& router, Services& services) {
    deepl_add(router,
              {"GET", "/v3/translation_memories", [&services](Call& call) { deepl_memory_list(services, call); }});
    deepl_add(router, {"GET", "/v3/translation_memories/{id}", [&services](Call& call) {
                           call.exchange->send(json_response(
                               deepl_memory_info(services.memories.get(call.account.owner, call.parameters.at("id")))));
                       }});
    deepl_add(router, {"DELETE", "/v3/translation_memories/{id}", [&services](Call& call) {
                           services.memories.remove(call.account.owner, call.parameters.at("id"));
                           call.exchange->send(no_content());
                       }});
    deepl_add(router, {"GET", "/v3/translation_memories/{id}/segments",
                       [&services](Call& call) { deepl_memory_segments(services, call); }});
}

}  // namespace serve::api
