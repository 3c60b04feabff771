// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "serve/api/own/own.h"
#include "serve/work/memories.h"

namespace serve::api {
namespace {

constexpr std::int64_t kOwnMostSegments = 1000;

Json own_memory_json(const work::MemoryInfo& memory) {
    return {{"id", memory.id},     {"name", memory.name}, {"created", own_time(memory.created)},
            {"from", memory.from}, {"to", memory.to},     {"segments", memory.segments}};
}

// The file of a multipart body, or the body itself.
void own_add_memory(work::Memories& memories, Call& call) {
    const bool form = !call.uploads.empty();
    const std::filesystem::path path = form ? call.uploads.front().path : call.request().body_file;
    std::string name = text(call.fields, "name", form ? call.uploads.front().name : "");
    if (name.empty()) throw Problem(Problem::Kind::missing, "name is missing", "name");
    if (!form && own_is_form(call.request())) throw Problem(Problem::Kind::missing, "file is missing", "file");
    std::ifstream file(path, std::ios::binary);
    const std::string tmx((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (tmx.empty()) throw Problem(Problem::Kind::missing, "file is missing", "file");
    call.exchange->send(json_response(own_memory_json(memories.add(call.account.owner, name, tmx)), 201));
}

std::size_t own_at_most(const Json& fields, const char* name, std::int64_t fallback, std::int64_t most) {
    const std::int64_t given = integer(fields, name, fallback);
    if (given < 0 || given > most)
        throw Problem(Problem::Kind::bad_request,
                      std::string(name) + " is " + std::to_string(given) + ", 0 to " + std::to_string(most) +
                          " is expected",
                      name);
    return std::size_t(given);
}

void own_segments(work::Memories& memories, Call& call) {
    const Json& fields = call.fields;
    const auto segments = memories.segments(call.account.owner, call.parameters.at("id"), text(fields, "filter"),
                                            flag(fields, "case_sensitive", false),
                                            own_at_most(fields, "first", 0, INT64_MAX),
                                            own_at_most(fields, "most", 100, kOwnMostSegments));
    Json list = Json::array();
    for (const work::Segment& segment : segments)
        list.push_back(
            {{"from", segment.from}, {"to", segment.to}, {"source", segment.source}, {"target", segment.target}});
    call.exchange->send(json_response({{"segments", std::move(list)}}));
}

}  // namespace

void add_own_memories(Router& router, const OwnParts& parts) {
    work::Memories& memories = parts.services.memories;
    router.add(own_route(
        "POST", "/v1/memories", [&](Call& call) { own_add_memory(memories, call); }, Access::key, Body::file));
    router.add(own_route(
        "GET", "/v1/memories",
        [&](Call& call) {
            Json list = Json::array();
            for (const work::MemoryInfo& one : memories.list(call.account.owner)) list.push_back(own_memory_json(one));
            call.exchange->send(json_response({{"memories", std::move(list)}}));
        },
        Access::key, Body::none));
    router.add(own_route(
        "GET", "/v1/memories/{id}",
        [&](Call& call) {
            call.exchange->send(json_response(own_memory_json(memories.get(call.account.owner,
                                                                           call.parameters.at("id")))));
        },
        Access::key, Body::none));
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
    router.add(own_route(
        "DELETE", "/v1/memories/{id}",
        [&](Call& call) {
            memories.remove(call.account.owner, call.parameters.at("id"));
            call.exchange->send(own_nothing());
        },
        Access::key, Body::none));
}

}  // namespace serve::api
