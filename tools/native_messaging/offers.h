// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "native_messaging/request.h"
#include "serve/work/models.h"

namespace native_messaging {

// Models as clients of this protocol know them: each leads to one language.
struct Offer {
    std::string id;      // the model's name; behind '#' the language, where it has several
    std::string name, to, to_name;
    std::vector<std::pair<std::string, std::string>> from;  // tags and names
    bool local = true;
};

std::vector<Offer> offers_of(const serve::work::ModelInfo& model);
// What publishers have for browsers; empty where this program was built without registries. Waits for the network, as
// long as `goes_on` says so.
std::vector<Offer> published_offers(const std::function<bool()>& goes_on);
// {id, shortname, modelName, src, trg, srcTags, trgTag, type, local ...}
Json offer_json(const Offer& offer);
// The name of a model and its target in an Offer's id; the target may be empty.
std::pair<std::string, std::string> name_and_target(const std::string& id);

}  // namespace native_messaging
