// SPDX-License-Identifier: Apache-2.0
#include "registry/filter_expression.h"

namespace dragoman::registry {
namespace {

constexpr int kDeepest = 50;

bool in_path(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Reads by recursive descent; `readable_` tells afterwards whether all of it could be read.
class FilterReader {
public:
    FilterReader(std::string_view text, const std::map<std::string, std::string>& environment)
        : text_(text), environment_(environment) {}

    std::optional<bool> read() {
        const bool value = any();
        skip_spaces();
        return readable_ && text_.empty() ? std::optional(value) : std::nullopt;
    }

private:
    void skip_spaces() {
        while (!text_.empty() && std::string_view(" \t\r\n").find(text_[0]) != std::string_view::npos)
            text_.remove_prefix(1);
    }
    bool take(std::string_view token) {
        skip_spaces();
        if (!text_.starts_with(token)) return false;
        text_.remove_prefix(token.size());
        return true;
    }
    bool any() {
        bool value = all();
        while (readable_ && take("||")) value |= all();
        return value;
    }
    bool all() {
        bool value = one();
        while (readable_ && take("&&")) value &= one();
        return value;
    }
    bool one() {
        if (++depth_ > kDeepest) readable_ = false;
        if (!readable_) return false;
        bool value = false;
        if (take("(")) {
            value = any();
            readable_ &= take(")");
        } else if (!text_.starts_with("!=") && take("!")) {
            value = !one();
        } else {
            const std::string left = operand();
            const bool equal = take("==");
            if (!equal && !take("!=")) readable_ = false;
            value = (left == operand()) == equal;
        }
        --depth_;
        return value;
    }
    std::string operand() {
        skip_spaces();
        const char quote = text_.empty() ? '\0' : text_[0];
        if (quote == '\'' || quote == '"') {
            const std::size_t end = text_.find(quote, 1);
            if (end == text_.npos) return unreadable();
            const std::string value(text_.substr(1, end - 1));
            text_.remove_prefix(end + 1);
            return value;
        }
        std::size_t end = 0;
        while (end < text_.size() && in_path(text_[end])) ++end;
        const auto found = environment_.find(std::string(text_.substr(0, end)));
        if (found == environment_.end()) return unreadable();
        text_.remove_prefix(end);
        return found->second;
    }
    std::string unreadable() {
        readable_ = false;
        return "";
    }

    std::string_view text_;
    const std::map<std::string, std::string>& environment_;
    bool readable_ = true;
    int depth_ = 0;
};

}  // namespace

std::optional<bool> filter_holds(std::string_view expression, const std::map<std::string, std::string>& environment) {
    if (expression.find_first_not_of(" \t\r\n") == expression.npos) return true;
    return FilterReader(expression, environment).read();
}

}  // namespace dragoman::registry
