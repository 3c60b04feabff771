// SPDX-License-Identifier: Apache-2.0
#include "registry/mirror.h"

#include "base/environment.h"
#include "base/error.h"

namespace dragoman::registry {

std::string_view server_of(std::string_view url) {
    const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
    if (scheme == 0) return {};
    const std::size_t end = std::min(url.find_first_of("/?#", scheme), url.size());
    return end == scheme ? std::string_view() : url.substr(0, end);
}

std::string mirrored(const Registry& registry, const std::string& url) {
    std::string variable = registry.mirror_variable;
    std::string mirror = environment(variable.c_str());
    if (mirror.empty() && registry.id == "hf") mirror = environment((variable = "HF_ENDPOINT").c_str());
    const std::string_view server = server_of(url);
    if (mirror.empty() || server.empty()) return url;
    if (server_of(mirror).empty())
        fail(Status::invalid_argument, "{}: expected an http or https address, got {}", variable, mirror);
    while (mirror.ends_with('/')) mirror.pop_back();
    return mirror + url.substr(server.size());
}

}  // namespace dragoman::registry
