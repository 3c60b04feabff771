// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <variant>

namespace native_messaging {

using Json = nlohmann::ordered_json;

struct Translate {
    std::string text, from, to, model, pivot;  // languages, or a model and perhaps another one behind it
    bool html = false, quality = false, alignments = false;
};
struct ListModels {
    bool include_remote = false;
};
struct DownloadModel {
    std::string model;
};

struct Request {
    Json id = -1;  // as the client gave it; -1: it gave none
    std::variant<Translate, ListModels, DownloadModel> command;
};

// A message that is no request.
struct BadRequest : std::runtime_error {
    BadRequest(Json of, const std::string& why) : std::runtime_error(why), id(std::move(of)) {}
    Json id;
};

Request read_request(const std::string& text);  // throws BadRequest

}  // namespace native_messaging
