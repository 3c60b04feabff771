// SPDX-License-Identifier: Apache-2.0
#include "formats/json_object.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "files/file_budget.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxShown = 60;

// Makes the values of what the parser finds. The library's own filters take time by the square of the number of
// objects, since each looks through its neighbours.
class Builder final : public json::json_sax_t {
public:
    explicit Builder(std::string_view where) : where_(where), most_(budget_of(where).values) {}

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool key(string_t& value) override {
        key_ = std::move(value);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_ = position;
        return false;
    }

    json take() { return std::move(root_); }
    std::size_t error() const { return error_; }  // how many bytes were read until then

private:
    bool put(json value) {
        add(std::move(value));
        return true;
    }
    json* add(json value) {
        if (++values_ > most_)
            fail(Status::bad_model, "{}: expected at most {} values of JSON, file has more", where_, most_);
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (auto* const list = open_.back()->get_ptr<json::array_t*>()) return &list->emplace_back(std::move(value));
        auto& object = *open_.back()->get_ptr<json::object_t*>();
        const auto [at, added] = object.emplace(std::move(key_), std::move(value));
        if (!added)
            fail(Status::bad_model, "{}: expected {} once, file has it twice", where_, short_text(json(at->first)));
        return &at->second;
    }
    bool open(json value) {
        if (open_.size() == std::size_t(kMaxJsonLevels))
            fail(Status::bad_model, "{}: expected at most {} levels, file has more", where_, kMaxJsonLevels);
        open_.push_back(add(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const std::string_view where_;
    const uint64_t most_;
    uint64_t values_ = 0;
    std::size_t error_ = 0;
    json root_;
    std::vector<json*> open_;  // none of them moves while it is open
    std::string key_;
};

// `read` is the number of bytes before the error, with the one that is wrong.
[[noreturn]] void fail_at(std::string_view where, std::string_view text, std::size_t read) {
    constexpr std::string_view kBlanks = " \t\r\n", kMark = "\xef\xbb\xbf";
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    const char* what = "not valid JSON in UTF-8";
    if (text.find_first_not_of(kBlanks) == text.npos) fail(Status::bad_model, "{}: {}: it is empty", where, what);
    if (read > text.size()) {
        fail(Status::bad_model, "{}: {}: its {} bytes end before the JSON does: it is cut short", where, what,
             text.size());
    }
    const std::size_t at = std::max<std::size_t>(read, 1) - 1;
    fail(Status::bad_model, "{}: {}: line {}, byte {} of {}", where, what,
         1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'), at, text.size());
}

}  // namespace

std::string short_text(const json& value) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= kMaxShown ? text : text.substr(0, kMaxShown) + "...";
}

json parse_json(std::string_view where, std::string_view text) {
    check_file_bytes(where, where, text.size());
    Builder builder(where);
    if (!json::sax_parse(text, &builder)) fail_at(where, text, builder.error());
    return builder.take();
}

json parse_json_object(std::string_view where, std::string_view text) {
    json value = parse_json(where, text);
    if (!value.is_object()) fail(Status::bad_model, "{}: expected an object, file has {}", where, value.type_name());
    return value;
}

}  // namespace dragoman::formats
