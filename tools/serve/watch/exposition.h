// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Lines of Prometheus' text format.
namespace serve::watch {

using Labels = std::vector<std::pair<std::string, std::string>>;

bool is_metric_name(std::string_view name);
// "# HELP" and "# TYPE"
void write_head(std::string& text, std::string_view name, std::string_view type, std::string_view help);
// `name{a="b"} 1.5`; what is in values of labels and means something there is escaped.
void write_sample(std::string& text, std::string_view name, const Labels& labels, double value);

}  // namespace serve::watch
