// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "serve/api/own/kept.h"
#include "serve/work/kept_files.h"
#include "serve/work/memories.h"

namespace serve::api {
namespace {

constexpr std::int64_t kOwnMostSegments = 1000;

Json own_memory_json(const work::MemoryInfo& memory, bool) {
    return {{"id", memory.id},     {"name", memory.name}, {"created", own_time(memory.created)},
            {"from", memory.from}, {"to", memory.to},     {"segments", memory.segments}};
}

// The file of a multipart body, or the body itself.
void own_add_memory(Services& services, Call& call) {
    const bool form = !call.uploads.empty();
    const std::string name = text(call.fields, "name", form ? call.uploads.front().name : "");
    if (name.empty()) throw Problem(Problem::Kind::missing, "name is missing", "name");
    if (!form && own_is_form(call.request())) throw Problem(Problem::Kind::missing, "file is missing", "file");
    const std::string tmx = form ? work::read_whole(call.uploads.front().path, call.uploads.front().bytes)
                                 : whole_body(call.request(), services.max_file_bytes);
    if (tmx.empty()) throw Problem(Problem::Kind::missing, "file is missing", "file");
    call.exchange->send(json_response(own_memory_json(services.memories.add(call.account.owner, name, tmx), false),
                                      201));
}

void own_segments(work::Memories& memories, Call& call) {
    const Json& fields = call.fields;
    const auto segments = memories.segments(call.account.owner, call.parameters.at("id"), text(fields, "filter"),
                                            flag(fields, "case_sensitive", false),
                                            std::size_t(integer_between(fields, "first", 0, 0, INT64_MAX)),
                                            std::size_t(integer_between(fields, "most", 100, 0, kOwnMostSegments)));
    Json list = Json::array();
    for (const work::Segment& segment : segments)
        list.push_back(
            {{"from", segment.from}, {"to", segment.to}, {"source", segment.source}, {"target", segment.target}});
    call.exchange->send(json_response({{"segments", std::move(list)}}));
}

}  // namespace

void add_own_memories(Router& router, const OwnParts& parts) {
    Services& services = parts.services;
    work::Memories& memories = services.memories;
    router.add(own_route(
        "POST", "/v1/memories", [&](Call& call) { own_add_memory(services, call); }, Access::key, Body::file));
    own_add_kept(router, "memories", memories, own_memory_json);
    router.add(own_route(
        "GET", "/v1/memories/{id}/segments", [&](Call& call) { own_segments(memories, call); }, Access::key,
        Body::none));
    router.add(own_route(
        "GET", "/v1/memories/{id}/tmx",
        [&](Call& call) {
            http::Response response;
            response.content_type = "application/xml; charset=utf-8";
            response.body = memories.tmx(call.account.owner, call.parameters.at("id"));
            response.headers = {{"Content-Disposition", "attachment; filename=\"memory.tmx\""}};
            call.exchange->send(std::move(response));
        },
        Access::key, Body::none));
}

}  // namespace serve::api
