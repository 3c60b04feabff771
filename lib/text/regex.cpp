// SPDX-License-Identifier: Apache-2.0
#include "text/regex.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "text/split_steps.h"

namespace dragoman::text {
namespace regex {

// Characters from first to last, or those with one of the general categories, or the words of \w.
struct ClassItem {
    enum class Kind : uint8_t { range, categories, white, word } kind = Kind::range;
    bool negated = false;
    int32_t first = 0, last = 0;
    uint32_t categories = 0;
};

struct Node {
    enum class Kind : uint8_t {
        characters,
        sequence,
        choice,
        repeat,
        ahead,
        line_begin,
        line_end,
        text_begin,
        text_end,
        word_edge
    } kind = Kind::sequence;
    bool negated = false, folds_case = false;      // characters; ahead and word_edge: negated
    std::vector<ClassItem> items;                  // characters
    std::vector<uint32_t> parts;                   // nodes
    uint32_t least = 0, most = 0;                  // repeat
    enum class Greed : uint8_t { greedy, lazy, possessive } greed = Greed::greedy;
};

}  // namespace regex

using regex::ClassItem, regex::Node;

namespace {

constexpr std::size_t kMaxNodes = 1 << 12;
constexpr std::size_t kMaxDepth = 64;        // of groups
constexpr uint32_t kMaxCount = 1000;
constexpr std::size_t kMaxSteps = 1 << 24;   // in one text
constexpr std::size_t kMaxNesting = 1000;    // of one match: what recursion has room for
constexpr uint32_t kUnbounded = 0xffffffff;

bool has(const ClassItem& item, int32_t c) {
    switch (item.kind) {
        case ClassItem::Kind::range: return c >= item.first && c <= item.last;
        case ClassItem::Kind::categories: return (U_GET_GC_MASK(c) & item.categories) != 0;
        case ClassItem::Kind::white: return u_isUWhiteSpace(c);
        case ClassItem::Kind::word: return is_word_character(c);
    }
    return false;
}

bool matches(const Node& node, int32_t c) {
    const auto in = [&](int32_t one) {
        return std::ranges::any_of(node.items, [&](const ClassItem& item) { return has(item, one) != item.negated; });
    };
    bool found = in(c);
    if (!found && node.folds_case)
        found = in(u_tolower(c)) || in(u_toupper(c)) || in(u_foldCase(c, U_FOLD_CASE_DEFAULT));
    return found != node.negated;
}

}  // namespace

struct Regex::Program {
    std::vector<Node> nodes;
    uint32_t first = 0;
};

namespace {

class RegexParser {
public:
    explicit RegexParser(std::string_view expression) : text_(expression) {
        for (std::size_t at = 0; at < expression.size();) characters_.push_back(next_character(expression, at));
    }

    std::vector<Node> nodes;

    uint32_t parse() {
        const uint32_t first = choice(0);
        if (at_ < characters_.size()) wrong("a closing bracket without an opening one");
        return first;
    }

private:
    [[noreturn]] void refuse(std::string_view what) const {
        fail(Status::unsupported, "tokenizer.json: regular expression \"{}\": {} is not supported", text_, what);
    }
    [[noreturn]] void wrong(std::string_view what) const {
        fail(Status::bad_model, "tokenizer.json: regular expression \"{}\": expected a whole one, file has {}", text_,
             what);
    }

    bool more() const { return at_ < characters_.size(); }
    int32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < characters_.size() ? characters_[at_ + ahead] : -1;
    }
    bool take(std::string_view ascii) {
        for (std::size_t i = 0; i < ascii.size(); ++i)
            if (peek(i) != ascii[i]) return false;
        at_ += ascii.size();
        return true;
    }
    int32_t next() {
        if (!more()) wrong("its end too early");
        return characters_[at_++];
    }

    uint32_t add(Node node) {
        if (nodes.size() >= kMaxNodes) refuse("so long an expression");
        nodes.push_back(std::move(node));
        return uint32_t(nodes.size() - 1);
    }
    uint32_t add(Node::Kind kind, std::vector<uint32_t> parts = {}) {
        Node node;
        node.kind = kind;
        node.parts = std::move(parts);
        return add(std::move(node));
    }

    uint32_t choice(std::size_t depth) {
        if (depth > kMaxDepth) refuse("so deep an expression");
        std::vector<uint32_t> branches{sequence(depth)};
        while (take("|")) branches.push_back(sequence(depth));
        return branches.size() == 1 ? branches[0] : add(Node::Kind::choice, std::move(branches));
    }

    uint32_t sequence(std::size_t depth) {
        std::vector<uint32_t> parts;
        const bool folded = folds_case_;
        while (more() && peek() != '|' && peek() != ')') parts.push_back(repeated(depth));
        folds_case_ = folded;  // an option in the middle holds to the end of its group
        return add(Node::Kind::sequence, std::move(parts));
    }

    uint32_t repeated(std::size_t depth) {
        uint32_t part = atom(depth);
        for (;;) {
            Node node;
            node.kind = Node::Kind::repeat;
            node.parts = {part};
            node.most = kUnbounded;
            bool braces = false;
            if (take("*")) node.least = 0;
            else if (take("+")) node.least = 1;
            else if (take("?")) node.most = 1;
            else if (peek() == '{' && counts(node)) braces = true;
            else return part;
            if (take("?")) node.greed = Node::Greed::lazy;
            else if (!braces && take("+")) node.greed = Node::Greed::possessive;
            part = add(std::move(node));
        }
    }

    // {2}, {2,}, {2,3}, {,3}; anything else is a bracket.
    bool counts(Node& node) {
        const std::size_t begin = at_;
        const auto number = [&]() -> std::optional<uint32_t> {
            if (peek() < '0' || peek() > '9') return std::nullopt;
            uint32_t value = 0;
            for (; peek() >= '0' && peek() <= '9' && value <= kMaxCount; ++at_)
                value = value * 10 + uint32_t(peek() - '0');
            if (value > kMaxCount) refuse("so high a count");
            return value;
        };
        ++at_;
        const auto least = number();
        const bool comma = take(",");
        const auto most = comma ? number() : least;
        if (!take("}") || (!least && !most)) {
            at_ = begin;
            return false;
        }
        node.least = least.value_or(0);
        node.most = most.value_or(kUnbounded);
        if (node.most < node.least) wrong("a count from more to less");
        return true;
    }

    uint32_t atom(std::size_t depth) {
        if (take("(")) return group(depth);
        if (take("[")) return set(depth);
        if (take("^")) return add(Node::Kind::line_begin);
        if (take("$")) return add(Node::Kind::line_end);
        if (take("\\A")) return add(Node::Kind::text_begin);
        if (take("\\z")) return add(Node::Kind::text_end);
        if (take("\\b")) return add(Node::Kind::word_edge);
        if (take("\\B")) {
            const uint32_t edge = add(Node::Kind::word_edge);
            nodes[edge].negated = true;
            return edge;
        }
        Node node;
        node.kind = Node::Kind::characters;
        node.folds_case = folds_case_;
        if (take(".")) {
            node.items = {{.first = '\n', .last = '\n'}};
            node.negated = true;
        } else if (take("\\")) {
            node.items = {escape()};
        } else {
            const int32_t c = next();
            if (c == '*' || c == '+' || c == '?') wrong("a count of nothing");
            node.items = {{.first = c, .last = c}};
        }
        return add(std::move(node));
    }

    uint32_t group(std::size_t depth) {
        const bool folded = folds_case_;
        uint32_t inside = 0;
        if (take("?=") || take("?!")) {
            const bool negated = characters_[at_ - 1] == '!';
            inside = add(Node::Kind::ahead, {choice(depth + 1)});
            nodes[inside].negated = negated;
        } else if (take("?i:")) {
            folds_case_ = true;
            inside = choice(depth + 1);
        } else if (take("?i)")) {
            folds_case_ = true;
            return add(Node::Kind::sequence);
        } else {
            if (peek() == '?' && !take("?:")) refuse("a group that begins with ?");
            inside = choice(depth + 1);
        }
        if (!take(")")) wrong("an opening bracket without a closing one");
        folds_case_ = folded;
        return inside;
    }

    uint32_t set(std::size_t depth) {
        if (depth > kMaxDepth) refuse("so deep an expression");
        Node node;
        node.kind = Node::Kind::characters;
        node.folds_case = folds_case_;
        node.negated = take("^");
        for (bool first = true; first || peek() != ']'; first = false) {
            if (take("&&")) refuse("&&");
            if (take("[")) {  // its characters are some of this one's
                const Node inner = nodes[set(depth + 1)];
                if (inner.negated) refuse("a negated set in a set");
                node.items.insert(node.items.end(), inner.items.begin(), inner.items.end());
                continue;
            }
            ClassItem item = set_member();
            const bool single = item.kind == ClassItem::Kind::range && item.first == item.last;
            if (single && peek() == '-' && peek(1) != ']' && peek(1) != -1) {
                ++at_;
                const ClassItem last = set_member();
                if (last.kind != ClassItem::Kind::range || last.first < item.first) wrong("a range from more to less");
                item.last = last.first;
            }
            node.items.push_back(item);
        }
        ++at_;
        return add(std::move(node));
    }

    ClassItem set_member() {
        if (take("\\")) return escape();
        const int32_t c = next();
        return {.first = c, .last = c};
    }

    ClassItem escape() {
        const int32_t c = next();
        const auto one = [](int32_t value) { return ClassItem{.first = value, .last = value}; };
        switch (c) {
            case 'n': return one('\n');
            case 'r': return one('\r');
            case 't': return one('\t');
            case 'f': return one('\f');
            case 'v': return one('\v');
            case '0': return one(0);
            case 's': return {.kind = ClassItem::Kind::white};
            case 'S': return {.kind = ClassItem::Kind::white, .negated = true};
            case 'w': return {.kind = ClassItem::Kind::word};
            case 'W': return {.kind = ClassItem::Kind::word, .negated = true};
            case 'd': return {.kind = ClassItem::Kind::categories, .categories = U_GC_ND_MASK};
            case 'D': return {.kind = ClassItem::Kind::categories, .negated = true, .categories = U_GC_ND_MASK};
            case 'p':
            case 'P': return property(c == 'P');
            case 'x': return one(hexadecimal(2));
            case 'u': return one(hexadecimal(4));
            default: break;
        }
        if (c < 0x80 && (u_isalnum(c))) refuse(std::string("\\") + char(c));
        return one(c);
    }

    int32_t hexadecimal(std::size_t digits) {
        const bool braces = take("{");
        int32_t value = 0;
        for (std::size_t i = 0; braces ? peek() != '}' : i < digits; ++i) {
            const int32_t digit = u_digit(next(), 16);
            value = value * 16 + digit;
            if (digit < 0 || value > 0x10ffff) wrong("a number that names no character");
        }
        if (braces) ++at_;
        return value;
    }

    ClassItem property(bool negated) {
        if (!take("{")) refuse("a property without brackets");
        negated = take("^") != negated;
        std::string name;
        while (peek() != '}') {
            const int32_t c = next();
            name += c < 0x80 ? char(c) : '?';
        }
        ++at_;
        const int32_t mask = u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, name.c_str());
        if (mask != UCHAR_INVALID_CODE)
            return {.kind = ClassItem::Kind::categories, .negated = negated, .categories = uint32_t(mask)};
        if (name == "Space" || name == "space") return {.kind = ClassItem::Kind::white, .negated = negated};
        refuse("the property " + name);
    }

    std::string_view text_;
    std::vector<int32_t> characters_;
    std::size_t at_ = 0;
    bool folds_case_ = false;
};

// Backtracking with what comes next as a chain of frames on the stack.
class Matcher {
public:
    Matcher(const std::vector<Node>& nodes, std::span<const int32_t> text) : nodes_(nodes), text_(text) {}

    // The end of a match of node `first` that begins at `at`.
    std::optional<std::size_t> match(uint32_t first, std::size_t at) {
        return run(first, at, [](std::size_t place) { return std::optional(place); });
    }

private:
    using Place = std::optional<std::size_t>;

    // What to do behind a part, without its type: parts nest as deep as the expression says.
    class Next {
    public:
        template <class Then>
        Next(const Then& then)  // NOLINT(google-explicit-constructor): a reference to any callable
            : object_(&then),
              call_([](const void* object, std::size_t at) { return (*static_cast<const Then*>(object))(at); }) {}
        Place operator()(std::size_t at) const { return call_(object_, at); }

    private:
        const void* object_;
        Place (*call_)(const void*, std::size_t);
    };

    struct Depth {
        explicit Depth(std::size_t& depth) : depth_(depth) { ++depth_; }
        ~Depth() { --depth_; }
        std::size_t& depth_;
    };

    void count() {
        if (++steps_ > kMaxSteps || depth_ > kMaxNesting)
            fail(Status::unsupported, "tokenizer.json: a regular expression takes too many steps with this text");
    }

    Place run(uint32_t which, std::size_t at, Next then) {
        const Depth deeper(depth_);
        count();
        const Node& node = nodes_[which];
        switch (node.kind) {
            case Node::Kind::characters: return at < text_.size() && matches(node, text_[at]) ? then(at + 1) : Place();
            case Node::Kind::sequence: return sequence(node, 0, at, then);
            case Node::Kind::choice:
                for (const uint32_t branch : node.parts)
                    if (const Place end = run(branch, at, then)) return end;
                return {};
            case Node::Kind::repeat: return repeat(node, at, then);
            case Node::Kind::ahead: return match(node.parts[0], at).has_value() != node.negated ? then(at) : Place();
            case Node::Kind::line_begin: return at == 0 || text_[at - 1] == '\n' ? then(at) : Place();
            case Node::Kind::line_end: return at == text_.size() || text_[at] == '\n' ? then(at) : Place();
            case Node::Kind::text_begin: return at == 0 ? then(at) : Place();
            case Node::Kind::text_end: return at == text_.size() ? then(at) : Place();
            case Node::Kind::word_edge: {
                const bool before = at > 0 && is_word_character(text_[at - 1]),
                           after = at < text_.size() && is_word_character(text_[at]);
                return (before != after) != node.negated ? then(at) : Place();
            }
        }
        return {};
    }

    Place sequence(const Node& node, std::size_t part, std::size_t at, Next then) {
        if (part == node.parts.size()) return then(at);
        const auto rest = [&](std::size_t place) { return sequence(node, part + 1, place, then); };
        return run(node.parts[part], at, rest);
    }

    Place repeat(const Node& node, std::size_t at, Next then) {
        const Node& inside = nodes_[node.parts[0]];
        if (inside.kind == Node::Kind::characters) return repeat_characters(node, inside, at, then);
        if (node.greed == Node::Greed::possessive) return repeat_possessive(node, at, then);
        return repeat_any(node, 0, at, then);
    }

    // One character at a time, without a frame for each.
    Place repeat_characters(const Node& node, const Node& inside, std::size_t at, Next then) {
        std::size_t most = at;
        const auto room = [&] { return node.most == kUnbounded || most - at < node.most; };
        const auto more = [&] { return most < text_.size() && room() && matches(inside, text_[most]); };
        if (node.greed == Node::Greed::lazy) {
            for (; most - at < node.least; ++most)
                if (!more()) return {};
            for (;; ++most) {
                count();
                if (const Place end = then(most)) return end;
                if (!more()) return {};
            }
        }
        while (more()) ++most;
        if (most - at < node.least) return {};
        if (node.greed == Node::Greed::possessive) return then(most);
        for (;; --most) {
            count();
            if (const Place end = then(most)) return end;
            if (most == at + node.least) return {};
        }
    }

    Place repeat_possessive(const Node& node, std::size_t at, Next then) {
        uint32_t times = 0;
        while (times < node.most) {
            const Place end = match(node.parts[0], at);
            if (!end || *end == at) break;
            at = *end;
            ++times;
        }
        return times >= node.least ? then(at) : Place();
    }

    Place repeat_any(const Node& node, uint32_t times, std::size_t at, Next then) {
        const auto again = [&](std::size_t place) {
            if (place == at && times >= node.least) return Place();  // nothing more comes of it
            return repeat_any(node, times + 1, place, then);
        };
        if (times < node.least) return run(node.parts[0], at, again);
        if (node.greed == Node::Greed::lazy)
            if (const Place end = then(at)) return end;
        if (times < node.most)
            if (const Place end = run(node.parts[0], at, again)) return end;
        return node.greed == Node::Greed::lazy ? Place() : then(at);
    }

    const std::vector<Node>& nodes_;
    std::span<const int32_t> text_;
    std::size_t steps_ = 0, depth_ = 0;
};

}  // namespace

Regex::Regex(std::string_view expression) {
    RegexParser parser(expression);
    auto program = std::make_unique<Program>();
    program->first = parser.parse();
    program->nodes = std::move(parser.nodes);
    program_ = std::move(program);
}

Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;

std::vector<Range> Regex::find_all(std::span<const int32_t> characters) const {
    Matcher matcher(program_->nodes, characters);
    std::vector<Range> found;
    for (std::size_t at = 0; at <= characters.size();) {
        const auto end = matcher.match(program_->first, at);
        const bool touches = end && *end == at && !found.empty() && found.back().end == at;
        if (end && !touches) found.push_back({at, *end});
        at = end && *end > at ? *end : at + 1;
    }
    return found;
}

}  // namespace dragoman::text
