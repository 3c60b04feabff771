// SPDX-License-Identifier: Apache-2.0
#include "support/options.h"

#include <algorithm>
#include <utility>

CommandLine::CommandLine(int argc, char** argv, std::vector<Option> known)
    : known_(std::move(known)), at_(argv + (argc > 0 ? 1 : 0)), end_(argv + argc) {}

int CommandLine::next() {
    if (*letters_) return short_option();
    for (; at_ != end_; ++at_) {
        const std::string_view argument = *at_;
        if (argument == "--") {
            others_.insert(others_.end(), at_ + 1, end_);
            at_ = end_;
            break;
        }
        if (argument.size() > 1 && argument[0] == '-') {
            letters_ = *at_++ + 1;
            if (!argument.starts_with("--")) return short_option();
            return long_option(std::exchange(letters_, "") + 1);
        }
        others_.emplace_back(argument);
    }
    return kEnd;
}

int CommandLine::long_option(std::string_view text) {
    const std::string_view name = text.substr(0, text.find('='));
    const auto found = std::ranges::find(known_, name, &Option::name);
    const std::string shown = "--" + std::string(name);
    if (found == known_.end()) throw UsageError(shown + ": no such option");
    const bool has_equals = name.size() < text.size();
    if (has_equals && !found->has_value) throw UsageError(shown + ": takes no value");
    if (has_equals) value_ = text.data() + name.size() + 1;
    else if (found->has_value) value_ = next_argument(shown);
    return found->letter;
}

int CommandLine::short_option() {
    const int letter = static_cast<unsigned char>(*letters_++);
    const auto found = std::ranges::find(known_, letter, &Option::letter);
    const std::string shown = {'-', static_cast<char>(letter)};
    if (found == known_.end()) throw UsageError(shown + ": no such option");
    if (!found->has_value) return letter;
    const char* const rest = std::exchange(letters_, "");
    value_ = *rest ? rest : next_argument(shown);
    return letter;
}

const char* CommandLine::next_argument(std::string_view option) {
    if (at_ == end_) throw UsageError(std::string(option) + ": expected a value");
    return *at_++;
}
