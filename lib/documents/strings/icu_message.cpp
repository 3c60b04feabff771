// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/icu_message.h"

#include <algorithm>
#include <iterator>

#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

constexpr std::size_t kDeepestMessage = 32, kMaxForms = 64, kMaxSize = 1u << 16;

struct Node;
using Message = std::vector<Node>;

struct Form {
    std::string before;  // the selector with its brace: "one {"
    Message message;
};

// A text, or an argument with forms.
struct Node {
    std::string text;  // of an argument: "{n, plural,"
    std::vector<Form> forms;
    bool plural = false;
};

class Parser {
public:
    explicit Parser(std::string_view source) : source_(source) {}

    // False: it is no message, or nests too deep.
    bool read(Message& message) { return read(message, false, 0) && at_ == source_.size(); }

private:
    // Reads until a closing brace or the end.
    bool read(Message& message, bool plural, std::size_t depth) {
        if (depth > kDeepestMessage) return false;
        std::string text;
        while (at_ < source_.size() && source_[at_] != '}') {
            const std::size_t begin = at_;
            if (source_[at_] == '\'') {
                skip_quoted(plural);
            } else if (const std::size_t end = tag_end(); end > at_) {
                at_ = end;
            } else if (source_[at_] != '{') {
                ++at_;
            } else if (has_forms()) {
                if (!text.empty()) message.push_back({std::move(text), {}});
                text.clear();
                if (!read_forms(message.emplace_back(), depth)) return false;
                continue;
            } else if (!skip_argument()) {
                return false;
            }
            text += source_.substr(begin, at_ - begin);
        }
        if (!text.empty()) message.push_back({std::move(text), {}});
        return true;
    }
    // The end of a tag, whose attributes may quote messages: <x equiv-text="{n, plural, ...}"/>; its place: none begins.
    std::size_t tag_end() const {
        constexpr std::size_t kLongest = 4096;
        const std::string_view rest = source_.substr(at_, kLongest);
        if (!rest.starts_with('<') || rest.size() < 2 || !markup::is_letter(rest[1])) return at_;
        char quote = 0;
        for (std::size_t i = 1; i < rest.size(); ++i) {
            if (quote) quote = rest[i] == quote ? 0 : quote;
            else if (rest[i] == '>') return at_ + i + 1;
            else if (rest[i] == '<') break;
            else if ((rest[i] == '"' || rest[i] == '\'') && rest[i - 1] == '=') quote = rest[i];
        }
        return at_;
    }
    // An apostrophe quotes what follows if that is a symbol; two of them are one.
    void skip_quoted(bool plural) {
        const char next = ++at_ < source_.size() ? source_[at_] : ' ';
        if (next == '\'') ++at_;
        if (next == '{' || next == '}' || (plural && next == '#'))
            at_ = std::min(source_.find('\'', at_), source_.size() - 1) + 1;
    }
    bool skip_argument() {
        for (std::size_t depth = 0; at_ < source_.size();) {
            const char c = source_[at_++];
            depth += c == '{';
            if (c == '}' && --depth == 0) return true;
        }
        return false;
    }
    // The end of "{n, plural,"; the argument's own place where it has no forms.
    std::size_t head_end() const {
        const std::size_t comma = source_.find_first_of(",{}", at_ + 1);
        if (comma == std::string_view::npos || source_[comma] != ',') return at_;
        const std::size_t kind = source_.find_first_not_of(" \t\n", comma + 1);
        const std::size_t end = std::min(source_.find_first_of(",{}", comma + 1), source_.size());
        if (kind == std::string_view::npos || end == source_.size() || source_[end] != ',') return at_;
        const std::string_view rest = source_.substr(kind, end - kind);
        return rest.starts_with("plural") || rest.starts_with("select") ? end + 1 : at_;
    }
    bool has_forms() const { return head_end() > at_; }

    bool read_forms(Node& node, std::size_t depth) {
        const std::size_t end = head_end();
        node.text = source_.substr(at_, end - at_);
        const std::string_view kind = std::string_view(node.text).substr(node.text.find(','));
        node.plural = kind.find("plural") != kind.npos || kind.find("selectordinal") != kind.npos;
        for (at_ = end;;) {
            const std::size_t brace = source_.find_first_of("{}", at_);
            if (brace == std::string_view::npos) return false;
            if (source_[brace] == '}') {
                at_ = brace + 1;
                return !node.forms.empty();
            }
            Form& form = node.forms.emplace_back();
            form.before = source_.substr(at_, brace + 1 - at_);
            at_ = brace + 1;
            if (!read(form.message, node.plural, depth + 1) || at_ == source_.size()) return false;
            ++at_;
        }
    }

    const std::string_view source_;
    std::size_t at_ = 0;
};

bool has_forms(const Message& message) {
    return std::ranges::any_of(message, [](const Node& node) { return !node.forms.empty(); });
}

std::size_t form_count(const Message& message) {
    std::size_t count = 1;
    for (const Node& node : message) {
        if (node.forms.empty()) continue;
        std::size_t own = 0;
        for (const Form& form : node.forms) own = std::min(own + form_count(form.message), kMaxForms + 1);
        count = std::min(count * own, kMaxForms + 1);
    }
    return count;
}

// Whether a text would say another number inside another argument.
bool has_number(const Message& message, bool plural) {
    return plural && std::ranges::any_of(message, [](const Node& node) {
               return node.forms.empty() && node.text.find('#') != std::string::npos;
           });
}

// Moves what stands around the first argument with forms into its forms.
void expand(Message& message, bool plural) {
    const auto first = std::ranges::find_if(message, [](const Node& node) { return !node.forms.empty(); });
    if (first == message.end()) return;
    if (message.size() > 1 && !has_number(message, plural)) {
        const Message before(message.begin(), first), behind(std::next(first), message.end());
        Node argument = std::move(*first);
        for (Form& form : argument.forms) {
            form.message.insert(form.message.begin(), before.begin(), before.end());
            form.message.insert(form.message.end(), behind.begin(), behind.end());
        }
        message.clear();
        message.push_back(std::move(argument));
    }
    for (Node& node : message)
        for (Form& form : node.forms) expand(form.message, plural || node.plural);
}

void write(const Message& message, std::string& to) {
    for (const Node& node : message) {
        to += node.text;
        for (const Form& form : node.forms) {
            to += form.before;
            write(form.message, to);
            to += '}';
        }
        if (!node.forms.empty()) to += '}';
    }
}

// Lists the texts of a message that begins at `at` of the written one.
void list(const Message& message, std::size_t& at, bool plural, std::string_view source, std::vector<IcuForm>& forms) {
    std::size_t begin = at;
    const auto take = [&] {
        const text::Range text = text::trim(source, {begin, at});
        if (text.size() > 0) forms.push_back({text, plural});
    };
    for (const Node& node : message) {
        if (node.forms.empty()) {
            at += node.text.size();
            continue;
        }
        take();
        at += node.text.size();
        for (const Form& form : node.forms) {
            at += form.before.size();
            list(form.message, at, plural || node.plural, source, forms);
            ++at;
        }
        begin = ++at;
    }
    take();
}

}  // namespace

std::vector<IcuForm> icu_forms(std::string_view message) {
    Message read;
    if (!Parser(message).read(read) || !has_forms(read)) return {};
    std::vector<IcuForm> forms;
    std::size_t at = 0;
    list(read, at, false, message, forms);
    return forms;
}

std::string whole_forms(std::string_view message) {
    Message read;
    if (!Parser(message).read(read) || !has_forms(read) || form_count(read) * message.size() > kMaxSize ||
        form_count(read) > kMaxForms)
        return std::string(message);
    expand(read, false);
    std::string written;
    write(read, written);
    return written.size() <= kMaxSize ? written : std::string(message);
}

}  // namespace dragoman::documents
