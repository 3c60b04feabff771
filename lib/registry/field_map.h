// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/data_keys.h"
#include "registry/entry.h"
#include "registry/registry.h"
#include "registry/text_template.h"
#include "registry/versions.h"

namespace dragoman::registry {

// How the items of a registry's list become entries, as its data file has it.
class FieldMap {
public:
    // Throws bad_model naming the file and the key.
    explicit FieldMap(const Registry& registry);

    // Works out the parts of an item; false: the registry's rule leaves it out.
    bool prepare(Item& item) const;
    // Throw bad_model for items that are broken.
    Found found(const Item& item) const;  // without files
    std::vector<RemoteFile> files(const Item& item) const;

private:
    struct Part {
        std::string name;
        TextTemplate of;
        std::regex pattern;
    };
    struct Order {
        TextTemplate of;
        enum class As { version, number, place } as = As::version;
        std::vector<std::string> places;
    };
    struct Metric {
        std::string name;
        TextTemplate value;
        double scale = 1;
    };
    struct File {
        TextTemplate url, name, bytes, unpacked_bytes, sha256, unpacked_sha256;
        std::string packing;
        bool optional = false;
    };
    void read_entry(DataKeys keys);
    Order read_order(const nlohmann::json& data, const DataKeys& keys) const;
    File read_file_keys(DataKeys keys) const;
    std::vector<std::string> languages(const std::string& codes) const;
    void correct(Entry& entry) const;

    const Registry& registry_;
    std::vector<Part> parts_;
    std::vector<std::pair<TextTemplate, std::regex>> where_;
    std::map<std::string, std::string, std::less<>> languages_;
    std::map<std::string, std::pair<std::string, std::string>> corrections_;  // model: from, to
    std::string publisher_;
    TextTemplate model_, from_, to_, title_, publisher_of_entry_, license_, version_, architecture_, gate_, pin_;
    std::vector<TextTemplate> needs_;
    std::vector<Metric> quality_;
    std::vector<Order> order_;
    std::vector<File> files_;
};

// Compiles a regular expression of a data file; throws bad_model naming the key.
std::regex read_pattern(const std::string& pattern, const std::string& where);

}  // namespace dragoman::registry
