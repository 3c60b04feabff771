// SPDX-License-Identifier: Apache-2.0
#include "registry/shapes/hub_files.h"

#include <algorithm>
#include <map>
#include <regex>

#include "base/error.h"
#include "registry/data_keys.h"
#include "registry/mirror.h"
#include "registry/safe_text.h"

namespace dragoman::registry {
namespace {

using Files = std::vector<HubFile>;

constexpr const char* kModuleWeights[] = {"model.safetensors", "pytorch_model.bin"};  // the first that is there

std::string upper_case(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return text;
}

bool fits_any(std::string_view name, const std::vector<std::string>& patterns) {
    return std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits_pattern(name, pattern); });
}

const HubFile* first_fitting(const Files& files, std::string_view pattern) {
    for (const HubFile& file : files)
        if (file.path.find('/') == file.path.npos && fits_pattern(file.path, pattern)) return &file;
    return nullptr;
}

std::string names_of(const Files& files, std::size_t most = 12) {
    std::string names;
    for (std::size_t i = 0; i < std::min(files.size(), most); ++i) names += (i ? ", " : "") + files[i].path;
    return names + (files.size() > most ? fmt::format(" and {} more", files.size() - most) : "");
}

// The files beside the weights: settings, tokenizers, what people read.
void add_companions(const HubRules& rules, const Files& files, Files& taken) {
    for (const HubFile& file : files) {
        const auto is_it = [&](const HubFile& other) { return other.path == file.path; };
        if (file.path.find('/') == file.path.npos && fits_any(file.path, rules.keep) &&
            !fits_any(file.path, rules.leave) && std::ranges::none_of(taken, is_it))
            taken.push_back(file);
    }
}

bool take_form(const HubRules& rules, const HubForm& form, const Files& files, HubChoice& choice) {
    for (const std::string& need : form.needs)
        if (!first_fitting(files, need)) return false;
    Files taken;
    if (!form.index.empty()) {
        const HubFile* index = first_fitting(files, form.index);
        if (!index) return false;
        taken.push_back(*index);
    }
    for (std::size_t i = 0; i < form.weights.size(); ++i) {
        const HubFile* file = first_fitting(files, form.weights[i]);
        if (file) taken.push_back(*file);
        else if (i == 0) return false;
    }
    add_companions(rules, files, taken);
    choice.form = form.form;
    choice.index = form.index;
    choice.files = std::move(taken);
    return true;
}

// What lies beside GGUF models and is none: encoders of pictures, statistics for who makes files of fewer bits.
bool is_beside_gguf(const std::string& path) {
    const std::string name = upper_case(path.substr(path.rfind('/') + 1));
    return name.find("MMPROJ") != name.npos || name.find("IMATRIX") != name.npos;
}

// A GGUF file is one, or parts "NAME-00001-of-00003.gguf"; they are named by what is before that.
std::map<std::string, Files> gguf_groups(const Files& files) {
    static const std::regex part("(.*)-[0-9]{5}-of-[0-9]{5}");
    std::map<std::string, Files> groups;
    for (const HubFile& file : files) {
        if (!file.path.ends_with(".gguf") || file.path.size() > 255 || is_beside_gguf(file.path)) continue;
        const std::string stem = file.path.substr(0, file.path.size() - 5);
        std::smatch match;
        groups[std::regex_match(stem, match, part) ? match[1].str() : stem].push_back(file);
    }
    return groups;
}

// Refuses a file of several of which one is missing, before anything is brought.
void check_parts(const std::string& name, const Files& parts) {
    static const std::regex part(".*-([0-9]{5})-of-([0-9]{5})\\.gguf");
    std::smatch match;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!std::regex_match(parts[i].path, match, part)) continue;
        if (std::stoul(match[1]) == i + 1 && std::stoul(match[2]) == parts.size()) continue;
        fail(Status::bad_model, "{}: expected {} files, {}-00001-of-{}.gguf and so on; there are {}", name,
             std::stoul(match[2]), name, match[2].str(), names_of(parts));
    }
}

// By their names below it.
Files inside_of(const Files& files, const std::string& folder) {
    Files inside;
    for (HubFile one : files)
        if (one.path.starts_with(folder)) one.path.erase(0, folder.size()), inside.push_back(std::move(one));
    return inside;
}

// A model's files lie in its folder, whichever folder of the repository they are from.
void take_out_of_folder(HubChoice& choice) {
    const std::string& first = choice.files.front().path;
    const std::string folder = first.substr(0, first.rfind('/') + 1);
    for (HubFile& file : choice.files) file.path.erase(0, folder.size());
    choice.folder += folder;
}

void set_gguf(const std::string& name, const Files& parts, HubChoice& choice) {
    check_parts(name, parts);
    choice.form = "gguf";
    choice.files = parts;
    take_out_of_folder(choice);
}

// Whether a name has a word, between characters that are neither letters nor digits nor '_'; "Q8_0" is one word.
bool has_kind(const std::string& name, const std::string& kind) {
    const std::string where = upper_case(name), what = upper_case(kind);
    const auto inside = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    for (std::size_t at = where.find(what); at != where.npos; at = where.find(what, at + 1)) {
        const std::size_t end = at + what.size();
        if ((at == 0 || !inside(where[at - 1])) && (end == where.size() || !inside(where[end]))) return true;
    }
    return false;
}

bool take_gguf(const std::map<std::string, Files>& groups, const std::string& kind, HubChoice& choice) {
    for (const auto& [name, parts] : groups) {
        if (!kind.empty() && !has_kind(name, kind)) continue;
        set_gguf(name, parts, choice);
        return true;
    }
    return false;
}

bool take_selected(const HubRules& rules, Files& files, const std::string& select, HubChoice& choice) {
    const auto groups = gguf_groups(files);
    const auto file = std::ranges::find(files, select, &HubFile::path);
    if (file != files.end() && select.ends_with(".gguf")) {
        const auto group = std::ranges::find_if(groups, [&](const auto& each) {
            return std::ranges::find(each.second, select, &HubFile::path) != each.second.end();
        });
        if (group == groups.end()) set_gguf(select, {*file}, choice);
        else set_gguf(group->first, group->second, choice);
        return true;
    }
    if (file != files.end()) {
        choice.form = "file";
        choice.files = {*file};
        take_out_of_folder(choice);
        add_companions(rules, inside_of(files, choice.folder), choice.files);
        return true;
    }
    const std::string folder = select + "/";
    Files inside = inside_of(files, folder);
    if (inside.empty()) return take_gguf(groups, select, choice);
    files = std::move(inside);
    choice.folder = folder;
    return false;
}

}  // namespace

bool fits_pattern(std::string_view name, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == pattern.npos) return name == pattern;
    if (!name.starts_with(pattern.substr(0, star))) return false;
    name.remove_prefix(star);
    pattern.remove_prefix(star + 1);
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
        if (fits_pattern(name.substr(skipped), pattern)) return true;
    return false;
}

HubRules::HubRules(const Registry& registry) {
    DataKeys all(registry.data, registry.file);
    const nlohmann::json* hub = all.find("hub");
    if (!hub) fail(Status::bad_model, "{}: expected an object, it is missing", all.at("hub"));
    DataKeys keys(*hub, all.at("hub"));
    endpoint = keys.needed("endpoint");
    if (server_of(endpoint).empty())
        fail(Status::bad_model, "{}: expected an http or https address, got {}", keys.at("endpoint"), endpoint);
    for (const nlohmann::json& one : keys.elements("forms")) {
        DataKeys inner(one, keys.at("forms"));
        forms.push_back({inner.needed("form"), inner.texts("weights"), inner.text("index"), inner.texts("needs")});
        if (forms.back().weights.empty() == forms.back().index.empty())
            fail(Status::bad_model, "{}: expected either this or index", inner.at("weights"));
        inner.finish();
    }
    gguf = keys.texts("gguf");
    keep = keys.texts("keep");
    leave = keys.texts("leave");
    keys.finish();
}

HubChoice choose_files(const HubRules& rules, std::vector<HubFile> files, const std::string& select) {
    std::ranges::sort(files, {}, &HubFile::path);
    HubChoice choice;
    if (!select.empty()) {
        if (take_selected(rules, files, select, choice)) return choice;
        if (choice.folder.empty())
            fail(Status::invalid_argument, "{}: no such file, folder or kind of GGUF; there are {}", select,
                 names_of(files));
    }
    for (const HubForm& form : rules.forms)
        if (take_form(rules, form, files, choice)) return choice;
    const auto groups = gguf_groups(files);
    if (groups.size() == 1 && take_gguf(groups, "", choice)) return choice;
    for (const std::string& kind : rules.gguf)
        if (take_gguf(groups, kind, choice)) return choice;
    if (!groups.empty()) {
        Files first;
        for (const auto& [name, parts] : groups) first.push_back(parts[0]);
        fail(Status::invalid_argument, "several GGUF files: name one behind a colon; there are {}",
             names_of(first, 40));
    }
    std::vector<std::string> expected;
    for (const HubForm& form : rules.forms) expected.push_back(form.index.empty() ? form.weights[0] : form.index);
    fail(Status::unsupported, "no model that is read here: expected {} or *.gguf with what belongs to it, there are {}",
         fmt::join(expected, ", "), names_of(files));
}

void add_modules(const nlohmann::json& modules, const Files& all, HubChoice& choice) {
    const auto wrong = [](const nlohmann::json& found) {
        fail(Status::bad_model, "{}: expected a list of modules with their paths, it has {}", kModulesFile,
             shown_text(found.dump()));
    };
    const auto take = [&](const std::string& path) {
        const auto found = std::ranges::find(all, choice.folder + path, &HubFile::path);
        if (found == all.end()) return false;
        if (std::ranges::find(choice.files, path, &HubFile::path) == choice.files.end()) {
            choice.files.push_back(*found);
            choice.files.back().path = path;
        }
        return true;
    };
    if (!modules.is_array()) wrong(modules);
    for (const nlohmann::json& module : modules) {
        if (!module.is_object() || !module.contains("path") || !module.at("path").is_string()) wrong(module);
        const std::string folder = module.at("path").get<std::string>();
        if (folder.empty()) continue;  // the network, which is beside the list
        checked_file_name(fmt::format("{}: path", kModulesFile), folder);
        take(folder + "/config.json");
        for (const char* weights : kModuleWeights)
            if (take(folder + "/" + weights)) break;
    }
}

}  // namespace dragoman::registry
