// SPDX-License-Identifier: Apache-2.0
#include "native_messaging/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "serve/json.h"

namespace native_messaging {
namespace {

constexpr int kDeepest = 16;  // what nests deeper could take the whole stack

// The fields of a request's "data".
class Data {
public:
    Data(const Json& data, const Json& id) : data_(data), id_(id) {}
    const Json* find(const char* name) const {
        const auto found = data_.find(name);
        return found == data_.end() || found->is_null() ? nullptr : &*found;
    }
    std::string text(const char* name) const {
        const Json* value = find(name);
        if (!value) return {};
        if (!value->is_string())
            throw BadRequest(id_, fmt::format("data.{} is {}, a string is expected", name, value->type_name()));
        return value->get<std::string>();
    }
    std::string needed(const char* name) const {
        if (!find(name)) throw BadRequest(id_, fmt::format("data.{} is missing", name));
        return text(name);
    }
    bool flag(const char* name) const {
        const Json* value = find(name);
        if (!value) return false;
        if (!value->is_boolean())
            throw BadRequest(id_, fmt::format("data.{} is {}, true or false is expected", name, value->type_name()));
        return value->get<bool>();
    }

private:
    const Json& data_;
    const Json& id_;
};

Json parsed(const std::string& text) {
    bool too_deep = false;
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        too_deep |= depth > kDeepest;
        return !too_deep;
    };
    Json message = Json::parse(text, watch, false);
    if (message.is_discarded() && !too_deep)
        if (const auto mended = serve::without_lone_surrogates(text)) message = Json::parse(*mended, watch, false);
    if (too_deep) throw BadRequest(-1, "the message nests too deep");
    if (message.is_discarded()) throw BadRequest(-1, "the message is no JSON");
    if (!message.is_object())
        throw BadRequest(-1, fmt::format("the message is {}, an object is expected", message.type_name()));
    return message;
}

Translate translate(const Data& data, const Json& id) {
    Translate asked;
    asked.text = data.needed("text");
    asked.from = data.text("src");
    asked.to = data.text("trg");
    asked.model = data.text("model");
    asked.pivot = data.text("pivot");
    asked.html = data.flag("html");
    asked.quality = data.flag("quality");
    asked.alignments = data.flag("alignments");
    if (asked.model.empty() && (asked.from.empty() || asked.to.empty()))
        throw BadRequest(id, "data has neither src and trg nor model");
    return asked;
}

}  // namespace

Request read_request(const std::string& text) {
    const Json message = parsed(text);
    Request request;
    if (const auto id = message.find("id"); id != message.end() && (id->is_number_integer() || id->is_string()))
        request.id = *id;
    else throw BadRequest(-1, "id is missing");
    const auto command = message.find("command");
    if (command == message.end() || !command->is_string()) throw BadRequest(request.id, "command is missing");
    const auto given = message.find("data");
    if (given == message.end() || !given->is_object()) throw BadRequest(request.id, "data is missing");
    const Data data(*given, request.id);
    if (*command == "Translate") request.command = translate(data, request.id);
    else if (*command == "ListModels") request.command = ListModels{data.flag("includeRemote")};
    else if (*command == "DownloadModel") request.command = DownloadModel{data.needed("modelID")};
    else
        throw BadRequest(request.id, fmt::format("command is {}, Translate, ListModels or DownloadModel is expected",
                                                 command->dump(-1, ' ', false, Json::error_handler_t::replace)));
    return request;
}

}  // namespace native_messaging
