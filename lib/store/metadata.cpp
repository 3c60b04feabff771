// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/os/path_text.h"
#include "files/new_file.h"
#include "store/installed.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kFormat = 1;

constexpr std::pair<const char*, std::string Installed::*> kTexts[] = {{"name", &Installed::name},
                                                                       {"license", &Installed::license},
                                                                       {"publisher", &Installed::publisher},
                                                                       {"version", &Installed::version},
                                                                       {"architecture", &Installed::architecture},
                                                                       {"metric", &Installed::metric},
                                                                       {"installed_at", &Installed::installed_at}};
constexpr std::pair<const char*, std::string StoredFile::*> kFileTexts[] = {{"name", &StoredFile::name},
                                                                            {"sha256", &StoredFile::sha256},
                                                                            {"url", &StoredFile::url},
                                                                            {"proof", &StoredFile::proof}};

using Json = nlohmann::json;

// The values of one object of the file; messages name the file and the key.
class Keys {
public:
    Keys(std::string where, const Json& object) : where_(std::move(where)), object_(object) {
        if (!object.is_object())
            fail(Status::bad_model, "{}: expected an object, it is {}", where_, object.type_name());
    }

    std::string text(const char* key) const {
        const Json* value = find(key);
        if (!value) return {};
        if (!value->is_string()) wrong(key, "a text", *value);
        return value->get<std::string>();
    }

    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> texts;
        for (const Json& item : list(key)) {
            if (!item.is_string()) wrong(key, "texts", item);
            texts.push_back(item.get<std::string>());
        }
        return texts;
    }

    Json list(const char* key) const {
        const Json* value = find(key);
        if (!value) return Json::array();
        if (!value->is_array()) wrong(key, "a list", *value);
        return *value;
    }

    uint64_t whole(const char* key) const {
        const Json* value = find(key);
        if (!value) return 0;
        if (!value->is_number_unsigned()) wrong(key, "a whole number", *value);
        return value->get<uint64_t>();
    }

    double number(const char* key) const {
        const Json* value = find(key);
        if (!value) return 0;
        if (!value->is_number()) wrong(key, "a number", *value);
        return value->get<double>();
    }

    std::string needed(const char* key) const {
        std::string value = text(key);
        if (value.empty()) fail(Status::bad_model, "{}: {}: expected a text, there is none", where_, key);
        return value;
    }

    const std::string& where() const { return where_; }

private:
    [[noreturn]] void wrong(const char* key, const char* expected, const Json& value) const {
        fail(Status::bad_model, "{}: {}: expected {}, it is {}", where_, key, expected, value.type_name());
    }

    const Json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }

    std::string where_;
    const Json& object_;
};

// A name that leads nowhere else, in its plainest form.
bool stays_inside(std::string_view name) {
    if (name.find_first_of(std::string_view("\\:\0", 3)) != name.npos) return false;
    while (true) {
        const auto slash = name.find('/');
        const std::string_view part = name.substr(0, slash);
        if (part.empty() || part == "." || part == "..") return false;
        if (slash == name.npos) return true;
        name.remove_prefix(slash + 1);
    }
}

void check_inside(const std::string& where, const std::string& name) {
    if (!stays_inside(name))
        fail(Status::bad_model, "{}: expected the name of a file in the model's folder, it is \"{}\"", where, name);
}

void check_format(const Keys& keys, const Json& json) {
    const auto format = json.find("format");
    if (format == json.end() || !format->is_number_integer() || *format < 1)
        fail(Status::bad_model, "{}: format: expected {}, there is {}", keys.where(), kFormat,
             format == json.end() ? "none" : format->dump());
    if (*format > kFormat)
        fail(Status::unsupported,
             "{}: format: this version of Dragoman reads up to {}, the file has {}: a newer one wrote it", keys.where(),
             kFormat, format->dump());
}

StoredFile read_file(const std::string& where, const Json& json) {
    const Keys keys(where, json);
    StoredFile file;
    for (const auto& [key, member] : kFileTexts) file.*member = keys.text(key);
    file.bytes = keys.whole("bytes");
    check_inside(where + ": name", file.name);
    return file;
}

}  // namespace

Installed read_metadata(const fs::path& folder) {
    const fs::path path = folder / kMetadataFile;
    const Json json = read_json_file(path);
    const Keys keys(text_of(path), json);
    check_format(keys, json);
    Installed model;
    for (const auto& [key, member] : kTexts) model.*member = keys.text(key);
    keys.needed("name");
    model.from = keys.texts("from");
    model.to = keys.texts("to");
    model.quality = keys.number("quality");
    model.bytes = keys.whole("bytes");
    model.owner = "dragoman";
    for (const Json& file : keys.list("files"))
        model.files.push_back(read_file(fmt::format("{}: files[{}]", keys.where(), model.files.size()), file));
    for (const Json& file : keys.list("first_use")) {
        const Keys first(fmt::format("{}: first_use[{}]", keys.where(), model.first_use.size()), file);
        model.first_use.push_back({.url = first.text("url"), .sha256 = first.text("sha256")});
    }
    model.path = folder;
    if (const std::string load = keys.text("load"); !load.empty()) {
        check_inside(keys.where() + ": load", load);
        model.path /= path_of(load);
    }
    return model;
}

void write_metadata(const fs::path& folder, const Installed& model) {
    const std::string where = text_of(folder / kMetadataFile);
    Json json = {{"format", kFormat}, {"from", model.from}, {"to", model.to}, {"bytes", model.bytes}};
    for (const auto& [key, member] : kTexts)
        if (!(model.*member).empty()) json[key] = model.*member;
    if (model.quality != 0) json["quality"] = model.quality;
    Json& files = json["files"] = Json::array();
    for (const StoredFile& stored : model.files) {
        check_inside(fmt::format("{}: files[{}]: name", where, files.size()), stored.name);
        Json file = {{"bytes", stored.bytes}};
        for (const auto& [key, member] : kFileTexts)
            if (!(stored.*member).empty()) file[key] = stored.*member;
        files.push_back(std::move(file));
    }
    for (const FirstUse& first : model.first_use)
        json["first_use"].push_back({{"url", first.url}, {"sha256", first.sha256}});
    if (!model.path.empty() && model.path != folder) {
        const std::u8string relative = model.path.lexically_relative(folder).generic_u8string();
        const std::string load(relative.begin(), relative.end());
        check_inside(where + ": load", load);
        json["load"] = load;
    }
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    NewFile file(folder / kMetadataFile, true);
    file.write(std::as_bytes(std::span(text)));
    file.finish();
}

}  // namespace dragoman::store
