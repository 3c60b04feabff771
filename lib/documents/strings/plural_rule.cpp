// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/plural_rule.h"

#include <algorithm>
#include <array>
#include <optional>

namespace dragoman::documents {
namespace {

constexpr std::size_t kLongestExpression = 1000;  // characters of an expression
constexpr std::size_t kDeepestExpression = 50;

// Evaluates C's expressions of one unsigned variable.
class Evaluator {
public:
    Evaluator(std::string_view text, unsigned long n) : text_(text), n_(n) {}

    std::optional<unsigned long> value() {
        const unsigned long result = choice();
        return broken_ || at_ != text_.size() ? std::nullopt : std::optional(result);
    }

private:
    bool take(std::string_view sign) {
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    unsigned long choice() {
        if (++depth_ > kDeepestExpression) broken_ = true;
        if (broken_) return 0;
        const unsigned long condition = binary(0);
        unsigned long result = condition;
        if (take("?")) {
            const unsigned long yes = choice();
            broken_ = broken_ || !take(":");
            const unsigned long no = choice();
            result = condition ? yes : no;
        }
        --depth_;
        return result;
    }
    unsigned long binary(std::size_t level) {
        static constexpr std::array<std::array<std::string_view, 4>, 6> kSigns{
            {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};
        if (level == kSigns.size()) return single();
        unsigned long left = binary(level + 1);
        for (bool found = true; found;) {
            found = false;
            for (const std::string_view sign : kSigns[level]) {
                if (sign.empty() || !take(sign)) continue;
                left = combined(left, sign, binary(level + 1));
                found = !broken_;
                break;
            }
        }
        return left;
    }
    unsigned long combined(unsigned long a, std::string_view sign, unsigned long b) {
        if (sign == "||") return a || b;
        if (sign == "&&") return a && b;
        if (sign == "==") return a == b;
        if (sign == "!=") return a != b;
        if (sign == "<=") return a <= b;
        if (sign == ">=") return a >= b;
        if (sign == "<") return a < b;
        if (sign == ">") return a > b;
        if (sign == "+") return a + b;
        if (sign == "-") return a - b;
        if (sign == "*") return a * b;
        if (b == 0) broken_ = true;
        if (broken_) return 0;
        return sign == "/" ? a / b : a % b;
    }
    unsigned long single() {
        if (take("!")) return !nested([&] { return single(); });
        if (take("n")) return n_;
        if (take("(")) {
            const unsigned long inner = choice();
            broken_ = broken_ || !take(")");
            return inner;
        }
        unsigned long number = 0;
        const std::size_t begin = at_;
        while (at_ < text_.size() && at_ < begin + 6 && text_[at_] >= '0' && text_[at_] <= '9')
            number = number * 10 + static_cast<unsigned long>(text_[at_++] - '0');
        broken_ = broken_ || at_ == begin;
        return number;
    }
    unsigned long nested(auto&& read) {
        if (++depth_ > kDeepestExpression) broken_ = true;
        const unsigned long result = broken_ ? 0 : read();
        --depth_;
        return result;
    }

    const std::string_view text_;
    const unsigned long n_;
    std::size_t at_ = 0, depth_ = 0;
    bool broken_ = false;
};

}  // namespace

PluralRule::PluralRule(std::string_view head) {
    const std::size_t line = head.find("Plural-Forms:");
    const std::size_t begin = line == std::string_view::npos ? line
                                                             : head.find("plural=", head.find("nplurals=", line) + 9);
    if (begin == std::string_view::npos) return;
    const std::size_t end = std::min(head.find_first_of(";\n", begin), head.size());
    std::string expression;
    for (const char c : head.substr(begin + 7, end - begin - 7))
        if (c != ' ' && c != '\t') expression += c;
    if (expression.size() <= kLongestExpression && Evaluator(expression, 1).value()) expression_ = expression;
}

std::size_t PluralRule::form(unsigned number) const {
    if (expression_.empty()) return number == 1 ? 0 : 1;
    return Evaluator(expression_, number).value().value_or(0);
}

bool PluralRule::has_others(std::size_t of) const {
    for (unsigned number = 0; number < 200; ++number)
        if (number != 1 && form(number) == of) return true;
    return false;
}

}  // namespace dragoman::documents
