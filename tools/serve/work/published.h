// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace serve::work {

// A published model on this machine. In a build without libdragoman_models there are none.
struct PublishedModel {
    std::string name, path;
    std::vector<std::string> from, to;  // codes; empty: its files say
    std::string license;
};

std::vector<PublishedModel> published_models();

// Whether `name` is one of a registry's, "firefox:de-en", other than an address.
bool is_published_name(const std::string& name);

// Brings it to this machine where it is not there; `progress` false stops. Throws Problem.
PublishedModel bring_model(const std::string& name, bool offline,
                           const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace serve::work
