// SPDX-License-Identifier: Apache-2.0
#include "serve/work/memory_json.h"

#include <stdexcept>

#include "serve/work/kept_files.h"

namespace serve::work {

Json memory_json(const MemoryInfo& info) {
    return {{"format", 1},
            {"id", info.id},
            {"owner", info.owner},
            {"name", info.name},
            {"created", seconds_of(info.created)},
            {"from", info.from},
            {"to", info.to},
            {"segments", info.segments}};
}

MemoryInfo memory_of(const Json& json) {
    MemoryInfo info;
    if (json.at("format") != 1) throw std::runtime_error("format " + json.at("format").dump() + " is not known");
    json.at("id").get_to(info.id);
    json.at("owner").get_to(info.owner);
    json.at("name").get_to(info.name);
    info.created = time_of(json.at("created").get<std::int64_t>());
    json.at("from").get_to(info.from);
    json.at("to").get_to(info.to);
    json.at("segments").get_to(info.segments);
    return info;
}

}  // namespace serve::work
