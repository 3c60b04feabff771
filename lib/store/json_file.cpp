// SPDX-License-Identifier: Apache-2.0
#include "store/json_file.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::store {
namespace fs = std::filesystem;

std::string read_beginning(const fs::path& path, uint64_t most) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::is_regular_file(status)) {
        if (error || !fs::exists(status))
            fail(Status::io_error, "{}: {}", text_of(path), error ? error.message() : "no such file");
        fail(Status::io_error, "{}: expected a file, found something else", text_of(path));
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(std::min<uint64_t>(most, fs::file_size(path, error))), '\0');
    if (error) fail(Status::io_error, "{}: {}", text_of(path), error.message());
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file) fail(Status::io_error, "{}: cannot be read", text_of(path));
    return text;
}

nlohmann::json read_json_file(const fs::path& path) {
    const std::string text = read_beginning(path, kMaxTextBytes + 1);
    if (text.size() > kMaxTextBytes)
        fail(Status::bad_model, "{}: expected at most {} bytes, the file has more", text_of(path), kMaxTextBytes);
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) fail(Status::bad_model, "{}: expected JSON, it is broken or cut off", text_of(path));
    if (!json.is_object())
        fail(Status::bad_model, "{}: expected an object, the file has {}", text_of(path), json.type_name());
    return json;
}

std::string text_in(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> texts_in(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (found->is_string()) return {found->get<std::string>()};
    std::vector<std::string> texts;
    if (found->is_array())
        for (const auto& item : *found)
            if (item.is_string()) texts.push_back(item.get<std::string>());
    return texts;
}

}  // namespace dragoman::store
