// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/model_info.h"

namespace dragoman::pipeline {

// A model that translates from one of its languages to another, both in the spelling of its files.
struct RouteStep {
    std::size_t model;
    std::string from, to;
};

// The route from one language to another: the one of fewest models, of these the one whose models have most parameters
// together, of these the one whose models come first. Languages are as spec::LanguageTag::find() takes them. Throws
// invalid_argument where there is none, naming the languages that can be reached.
std::vector<RouteStep> find_route(std::span<const ModelInfo> models, const std::string& from, const std::string& to);

}  // namespace dragoman::pipeline
